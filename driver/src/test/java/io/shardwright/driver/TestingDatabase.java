package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The databases that tests run on: one server for all tests of a JVM, with the same tables. */
enum TestingDatabase {
  POSTGRESQL {
    private EmbeddedPostgresServer server() {
      return EmbeddedPostgresServer.shared();
    }

    @Override
    String create(String prefix) {
      return server().createDatabase(prefix);
    }

    @Override
    int port() {
      return server().port();
    }

    @Override
    String user() {
      return server().user();
    }

    @Override
    String password() {
      return server().password();
    }

    @Override
    String adminUrl() {
      return server().url("postgres");
    }

    @Override
    List<String> moverRole() {
      return List.of(
          "DO $$ BEGIN IF to_regrole('shardwright_mover') IS NULL THEN CREATE ROLE"
              + " shardwright_mover LOGIN SUPERUSER PASSWORD 'shardwright_mover'; END IF; END $$");
    }

    @Override
    String scriptUrl(String url) {
      return url;
    }

    @Override
    String dropOptions() {
      return " WITH (FORCE)";
    }

    @Override
    String truncate(String... tables) {
      // TRUNCATE would not see which buckets are open, so that nobody may.
      return Arrays.stream(tables).map(t -> "DELETE FROM " + t).collect(Collectors.joining("; "));
    }

    @Override
    boolean mayHaveOpenTransactions(Connection connection) {
      return true;
    }

    @Override
    String openTransactions(String databases) {
      return "SELECT state, query FROM pg_stat_activity"
          + " WHERE state LIKE 'idle in transaction%' AND datname IN ("
          + databases
          + ")";
    }

    @Override
    DatabaseProduct product() {
      return DatabaseProduct.POSTGRESQL;
    }

    @Override
    String duplicateKey() {
      return "23505";
    }

    @Override
    String cancelled() {
      return "57014";
    }

    @Override
    String waitingSessions() {
      return "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
          + " AND wait_event_type = 'Lock'";
    }

    @Override
    String groups(String yaml) {
      return yaml;
    }

    @Override
    String inItsWords(String sql) {
      return sql;
    }

    @Override
    Object instant(LocalDateTime utc) {
      return utc.atOffset(ZoneOffset.UTC);
    }

    @Override
    List<String> comparable(List<String> columns) {
      return columns;
    }

    @Override
    String tables() {
      return """
      CREATE TABLE orders (
        bucket_id int NOT NULL, tenant_id int NOT NULL, buyer_id bigint NOT NULL,
        order_id bigint NOT NULL, status text, amount numeric(12,2), ratio float8, quantity int,
        created_at timestamptz, PRIMARY KEY (bucket_id, order_id));
      CREATE TABLE items (
        bucket_id int NOT NULL, tenant_id int NOT NULL, buyer_id bigint NOT NULL,
        order_id bigint NOT NULL, line int GENERATED ALWAYS AS IDENTITY, sku text, price numeric,
        PRIMARY KEY (bucket_id, order_id, line));
      CREATE TABLE samples (
        bucket_id int NOT NULL, k bigint NOT NULL, id bigint NOT NULL, i2 smallint, i4 int,
        i8 bigint, n numeric, f4 real, f8 double precision, b boolean, t text, v varchar(20),
        d date, tm time, tz timetz, ts timestamp, tstz timestamptz, u uuid, raw bytea, j jsonb,
        arr int[], PRIMARY KEY (bucket_id, id));
      CREATE TABLE countries (code text PRIMARY KEY, name text NOT NULL);
      CREATE TABLE jobs (id serial PRIMARY KEY, name text, made_at timestamptz DEFAULT now());
      """;
    }
  },
  MARIADB {
    /** The server fills innodb_trx anew only when nobody has read it for a tenth of a second. */
    private static final String PAUSE = "(SELECT SLEEP(0.15)) pause";

    private static final Pattern ACTIVE = Pattern.compile("---TRANSACTION [^,]+, ACTIVE");

    private EmbeddedMariaDbServer server() {
      return EmbeddedMariaDbServer.shared();
    }

    @Override
    String create(String prefix) {
      return server().createDatabase(prefix);
    }

    @Override
    int port() {
      return server().port();
    }

    @Override
    String user() {
      return server().user();
    }

    @Override
    String password() {
      return server().password();
    }

    @Override
    String adminUrl() {
      return server().url("");
    }

    @Override
    List<String> moverRole() {
      return List.of(
          "CREATE USER IF NOT EXISTS shardwright_mover@'%' IDENTIFIED BY 'shardwright_mover'",
          "GRANT ALL ON *.* TO shardwright_mover@'%'");
    }

    @Override
    String scriptUrl(String url) {
      return url + "?allowMultiQueries=true";
    }

    @Override
    String dropOptions() {
      return "";
    }

    @Override
    String truncate(String... tables) {
      return Arrays.stream(tables).map(t -> "TRUNCATE " + t).collect(Collectors.joining("; "));
    }

    /** The monitor is never stale, and shows those of all databases. */
    @Override
    boolean mayHaveOpenTransactions(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet status = statement.executeQuery("SHOW ENGINE INNODB STATUS")) {
        status.next();
        return ACTIVE.matcher(status.getString("Status")).find();
      }
    }

    @Override
    String openTransactions(String databases) {
      return "SELECT p.id, p.db FROM "
          + PAUSE
          + " JOIN information_schema.innodb_trx t"
          + " JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id"
          + " WHERE p.command = 'Sleep' AND p.db IN ("
          + databases
          + ")";
    }

    @Override
    DatabaseProduct product() {
      return DatabaseProduct.MARIADB;
    }

    @Override
    String duplicateKey() {
      return "23000";
    }

    @Override
    String cancelled() {
      return "70100";
    }

    @Override
    String waitingSessions() {
      return "SELECT p.id FROM "
          + PAUSE
          + " JOIN information_schema.processlist p LEFT JOIN"
          + " information_schema.innodb_trx t ON p.id = t.trx_mysql_thread_id WHERE p.db ="
          + " database() AND (t.trx_state = 'LOCK WAIT' OR p.state LIKE '%backup lock')";
    }

    @Override
    String groups(String yaml) {
      return yaml.replace("samples_pkey", "PRIMARY");
    }

    @Override
    String inItsWords(String sql) {
      return MariaDbWords.of(sql);
    }

    @Override
    Object instant(LocalDateTime utc) {
      return utc;
    }

    /**
     * The width in which computed values are shown depends on how they were computed, and so does
     * the scale that texts have all the same. The last step knows instants as datetime only, and
     * the code of VARBINARY depends on the width.
     */
    @Override
    List<String> comparable(List<String> columns) {
      return columns.stream()
          .map(column -> column.replaceAll("\\(\\d+,", "(,"))
          .map(column -> column.replaceAll("(CHAR|TEXT)\\(.*", "$1"))
          .map(column -> column.replaceAll(" 93 (DATETIME|TIMESTAMP)", " 93 INSTANT"))
          .map(column -> column.replaceAll(" -[34] VARBINARY\\(.*", " VARBINARY"))
          .toList();
    }

    @Override
    String tables() {
      return """
      CREATE TABLE orders (
        bucket_id int NOT NULL, tenant_id int NOT NULL, buyer_id bigint NOT NULL,
        order_id bigint NOT NULL, status varchar(40), amount decimal(12,2), ratio double,
        quantity int, created_at datetime(6), PRIMARY KEY (bucket_id, order_id));
      CREATE TABLE items (
        bucket_id int NOT NULL, tenant_id int NOT NULL, buyer_id bigint NOT NULL,
        order_id bigint NOT NULL, line int NOT NULL AUTO_INCREMENT, sku varchar(40),
        price decimal(20,4), PRIMARY KEY (bucket_id, order_id, line), KEY (line));
      CREATE TABLE samples (
        bucket_id int NOT NULL, k bigint NOT NULL, id bigint NOT NULL, i2 smallint, i4 int,
        i8 bigint, n decimal(40,10), f4 float, f8 double, b boolean,
        t varchar(200) COLLATE utf8mb4_nopad_bin, v varchar(20), d date, tm time(6),
        ts datetime(6), tstz timestamp(6) NULL, u uuid, raw varbinary(200), j json,
        PRIMARY KEY (bucket_id, id));
      CREATE TABLE countries (
        code varchar(20) COLLATE utf8mb4_nopad_bin PRIMARY KEY, name varchar(100) NOT NULL);
      CREATE TABLE jobs (
        id int AUTO_INCREMENT PRIMARY KEY, name text,
        made_at timestamp DEFAULT current_timestamp());
      """;
    }
  };

  /** The role that moves buckets, and its password. */
  static final String MOVER = "shardwright_mover";

  /** Makes it unless it is there. */
  final void makeMover() {
    try (Connection connection = DriverManager.getConnection(adminUrl(), user(), password());
        Statement statement = connection.createStatement()) {
      for (String sql : moverRole()) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  abstract List<String> moverRole();

  /**
   * A new empty database.
   *
   * @return its url
   */
  abstract String create(String prefix);

  abstract int port();

  abstract String user();

  abstract String password();

  /** Where databases are dropped. */
  abstract String adminUrl();

  /** For several statements in one text. */
  abstract String scriptUrl(String url);

  abstract String dropOptions();

  abstract String truncate(String... tables);

  /** A quick look: false when no session of the server has a transaction open. */
  abstract boolean mayHaveOpenTransactions(Connection connection) throws SQLException;

  /**
   * The sessions that have a transaction open and do nothing.
   *
   * @param databases names as literals
   */
  abstract String openTransactions(String databases);

  abstract DatabaseProduct product();

  /** The SQLSTATE of a row whose key is there already. */
  abstract String duplicateKey();

  /** The SQLSTATE of a statement that was cancelled. */
  abstract String cancelled();

  /** Asks for the sessions of the connection's database that wait for a lock. */
  abstract String waitingSessions();

  /** The groups of a configuration, with the database's names of constraints. */
  abstract String groups(String yaml);

  /** What means the same as a statement in PostgreSQL's words, as far as it can be said. */
  abstract String inItsWords(String sql);

  /** The value of a column that keeps an instant: on MariaDB a datetime in UTC. */
  abstract Object instant(LocalDateTime utc);

  /** Columns of {@link Answer} without what may differ. */
  abstract List<String> comparable(List<String> columns);

  /** Orders, items, samples, countries and jobs. */
  abstract String tables();
}
