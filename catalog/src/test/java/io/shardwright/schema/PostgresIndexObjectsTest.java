package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresIndexObjectsTest extends IndexObjectsContract {
  private static final String INSERT = "INSERT INTO orders (bucket_id, order_id, order_no) VALUES ";

  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("index");
  }

  @Override
  String marker(long version) {
    return "SET shardwright.index = " + version;
  }

  @Override
  String ask() {
    return "SET LOCAL shardwright.changes = on";
  }

  @Override
  String waiting() {
    return "SELECT count(*) FROM pg_stat_activity"
        + " WHERE wait_event_type = 'Lock' AND datname = current_database()";
  }

  @Override
  String exactText() {
    return "varchar(40)";
  }

  /** One array for old and new each: the columns in between are the primary key. */
  @Override
  List<String> changes(Connection connection) throws SQLException {
    List<String> changes = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "WITH d AS (DELETE FROM shardwright_change_shop_by_no"
                    + " WHERE owner = pg_current_xact_id() RETURNING *)"
                    + " SELECT * FROM d ORDER BY n")) {
      ResultSetMetaData columns = row.getMetaData();
      while (row.next()) {
        List<String> key = new ArrayList<>();
        List<String> old = new ArrayList<>();
        List<String> now = new ArrayList<>();
        for (int i = 4; i <= columns.getColumnCount(); i++) {
          String name = columns.getColumnName(i);
          (name.startsWith("p") ? key : name.startsWith("old") ? old : now).add(row.getString(i));
        }
        changes.add(
            row.getString(3) + "|" + String.join(",", key) + "|" + joined(old) + "|" + joined(now));
      }
    }
    return changes;
  }

  private static String joined(List<String> values) {
    return values.contains(null) ? "null" : String.join(",", values);
  }

  @Test
  void truncate_isRefused() throws SQLException {
    installed();
    run(session(marker(VERSION)), INSERT + "(1, 1, 'a')");

    assertRefused(session(marker(VERSION)), "TRUNCATE orders", "use DELETE");
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("1");
  }

  @Test
  void changes_ofUpserts_areWhatBecameOfThem() throws SQLException {
    installed();
    String upsert = INSERT + "(1, 1, '%s') ON CONFLICT (bucket_id, order_id) DO ";

    assertThat(changesOf(upsert.formatted("a") + "NOTHING")).containsExactly("1|1|null|a");
    assertThat(changesOf(upsert.formatted("b") + "NOTHING")).isEmpty();
    assertThat(changesOf(upsert.formatted("b") + "UPDATE SET order_no = excluded.order_no"))
        .containsExactly("1|1|a|b");
    assertThat(
            changesOf(
                "MERGE INTO orders o USING (VALUES (1, 1, 'c'), (1, 2, 'd')) s (b, i, n)"
                    + " ON o.bucket_id = s.b AND o.order_id = s.i"
                    + " WHEN MATCHED THEN UPDATE SET order_no = s.n"
                    + " WHEN NOT MATCHED THEN INSERT (bucket_id, order_id, order_no)"
                    + " VALUES (s.b, s.i, s.n)"))
        .containsExactlyInAnyOrder("1|1|b|c", "1|2|null|d");
    assertRefused(
        session(marker(VERSION)),
        upsert.formatted("z") + "UPDATE SET order_no = excluded.order_no",
        "by_no");
  }

  @Test
  void changes_afterRollbackToASavepoint_areThoseThatRemain() throws SQLException {
    installed();
    Connection connection =
        writer(INSERT + "(1, 1, 'a')", "SAVEPOINT s", "UPDATE orders SET order_no = 'b'");
    run(connection, "ROLLBACK TO SAVEPOINT s", INSERT + "(1, 3, 'c')");

    assertThat(changes(connection)).containsExactly("1|1|null|a", "1|3|null|c");
  }

  @Test
  void changes_ofAUsersTriggers_areSeenInTheOrderInWhichTheyWereMade() throws SQLException {
    createOrders();
    TestingConfiguration.execute(
        url,
        """
        CREATE FUNCTION prefix() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN NEW.order_no := 'p' || NEW.order_no; RETURN NEW; END $$;
        CREATE TRIGGER zz_prefix BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION prefix();
        CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN UPDATE orders SET order_no = order_no || '!' WHERE order_id = NEW.order_id;
             RETURN NULL; END $$;
        CREATE TRIGGER a_again AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION again()\
        """);
    installed("{columns: [order_no], unique: true}");

    assertThat(changesOf(INSERT + "(1, 1, 'a')")).containsExactly("1|1|null|pa", "1|1|pa|pa!");
    assertRefused(session(marker(VERSION)), INSERT + "(1, 2, 'b')", "does not see");
  }

  @Test
  void guard_insertByATriggerOfAnotherTable_hasToBeAskedFor() throws SQLException {
    installed();
    TestingConfiguration.execute(
        url,
        """
        CREATE TABLE carts (id int);
        CREATE FUNCTION make_order() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO orders VALUES (1, NEW.id, 'c' || NEW.id); RETURN NULL; END $$;
        CREATE TRIGGER t AFTER INSERT ON carts FOR EACH ROW EXECUTE FUNCTION make_order()\
        """);

    assertRefused(session(marker(VERSION)), "INSERT INTO carts VALUES (1)", "does not see");
    assertThat(changesOf("INSERT INTO carts VALUES (1)")).containsExactly("1|1|null|c1");
  }

  @Test
  void guard_sessionThatTurnsTriggersOff_isRefusedAsWell() throws SQLException {
    installed();

    assertRefused(
        session("SET session_replication_role = replica"), INSERT + "(1, 1, 'a')", "by_no");
    assertRefused(session(), "COPY orders FROM PROGRAM 'printf \"1\\t1\\ta\\t1\\tn\\n\"'", "by_no");
  }

  /** The cascade runs as a statement of the server, with the triggers. */
  @Test
  void changes_ofACascade_areSeen() throws SQLException {
    installed();
    TestingConfiguration.execute(
        url,
        """
        CREATE TABLE sellers (id int PRIMARY KEY);
        INSERT INTO sellers VALUES (5);
        ALTER TABLE orders ADD FOREIGN KEY (seller) REFERENCES sellers ON DELETE CASCADE\
        """);
    run(session(marker(VERSION)), "INSERT INTO orders VALUES (1, 1, 'a', 5)");

    assertThat(changesOf("DELETE FROM sellers")).containsExactly("1|1|a|null");
  }

  @Test
  void names_withOddCharacters_areQuoted() throws SQLException {
    TestingConfiguration.execute(
        url,
        "CREATE TABLE \"Größe$\" (bucket_id int, \"Id\" bigint, \"select\" text,"
            + " PRIMARY KEY (bucket_id, \"Id\"))");
    IndexObjects objects =
        objects(index("Größe$", "{columns: [select], unique: true}").orElseThrow());
    Connection connection = session(marker(VERSION));
    objects.createTables(connection);
    objects.installTriggers(connection, VERSION, IndexObjects.LockWait.DEFAULT);

    assertThat(changesOf("INSERT INTO \"Größe$\" VALUES (1, 2, '%s$shardwright$')"))
        .containsExactly("1|2|null|%s$shardwright$");
    assertRefused(session(), "DELETE FROM \"Größe$\"", "by_no");
  }

  /** Whichever schema a session looks in first. */
  @Test
  void triggers_inASessionOfAnotherSearchPath_findTheirTables() throws SQLException {
    installed();

    run(
        session(marker(VERSION), "SET search_path = pg_catalog"),
        "INSERT INTO public.orders VALUES (1, 1, 'a')");
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("1");
  }

  @Test
  void columns_ofEachTypeOfAKey_canBeIndexed() throws SQLException {
    String[][] types = {
      {"smallint", "7"},
      {"integer", "-7"},
      {"bigint", "9223372036854775807"},
      {"numeric(18,0)", "999999999999999999"},
      {"text", "a b"},
      {"text COLLATE \"C\"", "A"},
      {"varchar(8) COLLATE \"POSIX\"", "x"},
      {"uuid", "123e4567-e89b-12d3-a456-426614174000"},
      {"timestamp", "2026-01-31 12:00:00.123456"},
      {"timestamptz", "2026-01-31 12:00:00.123456+00"},
      {"date", "2026-01-31"},
      {"bytea", "\\x00ff"}
    };
    for (String[] type : types) {
      url = newDatabase();
      TestingConfiguration.execute(
          url,
          "CREATE TABLE orders (bucket_id int, id "
              + type[0]
              + ", no "
              + type[0]
              + ", PRIMARY KEY (bucket_id, id))");
      IndexObjects objects = installed("{columns: [no], unique: true}");
      String row = "(1, '" + type[1] + "', '" + type[1] + "')";

      assertThat(changesOf("INSERT INTO orders VALUES " + row))
          .as(type[0])
          .containsExactly("1|" + type[1] + "|null|" + type[1]);
      assertThat(objects.inspect(session()).hasTables()).as(type[0]).isTrue();
      run(
          session(),
          "INSERT INTO shardwright_entry_shop_by_no SELECT 0, no, 0, bucket_id, id, 1 FROM orders");
      assertThat(
              query("SELECT count(*) FROM shardwright_entry_shop_by_no e JOIN orders ON no = v1"))
          .containsExactly("1");
    }
  }

  @Test
  void find_columnsThatCannotBeIndexed_isEmpty() throws SQLException {
    TestingConfiguration.execute(
        url,
        """
        CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE TABLE orders (bucket_id int, id bigint, ci text COLLATE ci, f float8, c char(3),
          b boolean, n numeric(18,2), ts timestamp(3), ok text, PRIMARY KEY (bucket_id, id));
        CREATE TABLE loose (bucket_id int, ok text);
        CREATE TABLE odd (bucket_id int, id float8, ok text, PRIMARY KEY (bucket_id, id))\
        """);

    for (String column : List.of("ci", "f", "c", "b", "n", "ts", "absent")) {
      assertThat(index("orders", "{columns: [" + column + "], unique: true}")).as(column).isEmpty();
    }
    assertThat(index("orders", "{columns: [ok], unique: true}")).isPresent();
    assertThat(index("loose", "{columns: [ok], unique: true}")).isEmpty();
    assertThat(index("odd", "{columns: [ok], unique: true}")).isEmpty();
  }
}
