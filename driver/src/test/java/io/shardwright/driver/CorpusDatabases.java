package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.routing.BucketId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of the corpus, on four shards of which one is empty and on one plain database. After a
 * write {@link #requireEqualTables} compares all tables and {@link #restore} brings the rows back.
 */
final class CorpusDatabases implements AutoCloseable {
  private static final int SHARDS = 4;
  private static final Path DATA = Corpus.DIRECTORY.resolve("data");
  private static final List<String> TABLES =
      List.of("orders", "items", "samples", "countries", "jobs");

  private final TestingDatabase database;
  private final TestingShards shards;
  private final Connection logical;
  private final Connection plain;
  private final List<Connection> physical = new ArrayList<>();
  private final Map<String, List<String>> beginning = new HashMap<>();

  CorpusDatabases(TestingDatabase database) throws SQLException {
    this.database = database;
    shards = TestingShards.open(database, SHARDS);
    plain = shards.plain();
    for (int shard = 0; shard < SHARDS; shard++) {
      physical.add(shards.shard(shard));
    }
    onEveryDatabase(script("schema"));
    execute(plain, script("only"));
    fillBuckets();
    shards.source().refreshSchema();
    logical = shards.connect();
    String rows = Corpus.read(DATA.resolve("rows.sql"));
    for (CorpusStatement statement : Corpus.parse(name(), "rows.sql", rows)) {
      Answer.of(logical, statement.sql(), List.of());
      Answer.of(plain, statement.sql(), List.of());
    }
    for (String table : TABLES) {
      onEveryDatabase(List.of("CREATE TABLE kept_" + table + " AS SELECT * FROM " + table));
    }
    assertThat(rows(physical.get(0), "samples")).as("rows of the empty shard").isEmpty();
    requireEqualTables();
    for (String table : TABLES) {
      beginning.put(table, rows(plain, table));
    }
  }

  /** As the files of the corpus call the database. */
  String name() {
    return name(database);
  }

  static String name(TestingDatabase database) {
    return database == TestingDatabase.POSTGRESQL ? "postgres" : "mariadb";
  }

  /** PostgreSQL takes a script at once, whose functions have semicolons in them. */
  private List<String> script(String purpose) {
    String script = Corpus.read(DATA.resolve(purpose + "-" + name() + ".sql"));
    return database == TestingDatabase.POSTGRESQL
        ? List.of(script)
        : List.of(script.strip().split(";\n"));
  }

  private void fillBuckets() throws SQLException {
    StringBuilder values = new StringBuilder();
    for (long key = -10; key < 1_000; key++) {
      addBuckets(values, key);
    }
    addBuckets(values, Long.MAX_VALUE);
    addBuckets(values, Long.MIN_VALUE);
    execute(plain, List.of("INSERT INTO buckets VALUES " + values.substring(1)));
  }

  private static void addBuckets(StringBuilder values, long key) {
    for (int tenant = 1; tenant < 10; tenant++) {
      values
          .append(",('orders',")
          .append(tenant + "," + key + "," + CorpusValues.ordersBucket(tenant, key) + ")");
    }
    values.append(",('samples',0," + key + "," + CorpusValues.samplesBucket(key) + ")");
  }

  TestingShards shards() {
    return shards;
  }

  Connection logical() {
    return logical;
  }

  Connection plain() {
    return plain;
  }

  private void onEveryDatabase(List<String> statements) throws SQLException {
    for (Connection shard : physical) {
      execute(shard, statements);
    }
    execute(plain, statements);
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Rows of every table as the shards hold them are those of the one database, each in place. */
  void requireEqualTables() throws SQLException {
    for (String table : TABLES) {
      List<String> expected = rows(plain, table);
      Optional<String> group = group(table);
      if (group.isPresent()) {
        List<String> together = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
          requireInPlace(group.get(), table, shard);
          together.addAll(rows(physical.get(shard), table));
        }
        assertThat(sorted(together)).as("rows of %s", table).isEqualTo(expected);
      } else {
        int copies = table.equals("countries") ? SHARDS : 1;
        for (int shard = 0; shard < copies; shard++) {
          assertThat(rows(physical.get(shard), table))
              .as("rows of %s on shard %d", table, shard)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static Optional<String> group(String table) {
    return switch (table) {
      case "orders", "items" -> Optional.of("orders");
      case "samples" -> Optional.of("samples");
      default -> Optional.empty();
    };
  }

  private void requireInPlace(String group, String table, int shard) throws SQLException {
    try (Statement statement = physical.get(shard).createStatement();
        ResultSet buckets = statement.executeQuery("SELECT DISTINCT bucket_id FROM " + table)) {
      while (buckets.next()) {
        BucketId bucket = new BucketId(buckets.getInt(1));
        assertThat(shards.source().bucketMap(group).shardOf(bucket).name())
            .as("shard of a row of %s in %s", table, bucket)
            .isEqualTo("s" + shard);
      }
    }
  }

  /** Sorted as text. Not prepared: then values come as text, later ones in binary. */
  private static List<String> rows(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      Answer answer = Answer.of(statement, statement.execute("SELECT * FROM " + table));
      return answer.rows().stream().map(row -> String.join("|", row)).sorted().toList();
    }
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  /** To the rows of the beginning, after {@link #requireEqualTables} has found them equal. */
  void restore() throws SQLException {
    List<String> changed = new ArrayList<>();
    for (String table : TABLES) {
      if (!rows(plain, table).equals(beginning.get(table))) {
        changed.add(table);
      }
    }
    restore(changed);
  }

  /** To the rows of the beginning, whatever they are now. */
  void restoreAll() throws SQLException {
    restore(TABLES);
  }

  private void restore(List<String> tables) throws SQLException {
    boolean postgres = database == TestingDatabase.POSTGRESQL;
    List<String> statements = new ArrayList<>();
    for (String table : tables) {
      statements.add("DELETE FROM " + table);
      statements.add(
          "INSERT INTO "
              + table
              + (postgres ? " OVERRIDING SYSTEM VALUE" : "")
              + " SELECT * FROM kept_"
              + table);
    }
    // The next number is the one after the rows of the file.
    statements.add(
        postgres ? "SELECT setval('jobs_id_seq', 2)" : "ALTER TABLE jobs AUTO_INCREMENT = 3");
    onEveryDatabase(statements);
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : physical) {
      connection.close();
    }
    logical.close();
    plain.close();
    shards.close();
  }
}
