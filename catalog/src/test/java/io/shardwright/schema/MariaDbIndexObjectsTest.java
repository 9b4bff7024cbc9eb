package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.routing.KeyType;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbIndexObjectsTest extends IndexObjectsContract {
  private static final String INSERT = "INSERT INTO orders (bucket_id, order_id, order_no) VALUES ";

  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("index");
  }

  @Override
  String marker(long version) {
    return "SET @shardwright_index = " + version;
  }

  @Override
  String ask() {
    return "SET @shardwright_changes = ''";
  }

  @Override
  String waiting() {
    // The server fills innodb_trx anew only when nobody has read it for a tenth of a second.
    return "SELECT count(*) FROM (SELECT SLEEP(0.15)) pause JOIN information_schema.processlist"
        + " WHERE state LIKE 'Waiting for table metadata lock%' OR id IN"
        + " (SELECT trx_mysql_thread_id FROM information_schema.innodb_trx"
        + " WHERE trx_state = 'LOCK WAIT')";
  }

  @Override
  String exactText() {
    return "varchar(40) COLLATE utf8mb4_nopad_bin";
  }

  /** The server itself takes the lines apart. */
  @Override
  List<String> changes(Connection connection) throws SQLException {
    List<String> changes = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      String lines;
      try (ResultSet row = statement.executeQuery("SELECT @shardwright_changes")) {
        row.next();
        lines = row.getString(1);
      }
      if (lines != null) {
        statement.execute("SET @shardwright_changes = ''");
        for (String line : lines.lines().toList()) {
          changes.add(change(connection, line));
        }
      }
    }
    return changes;
  }

  private static String change(Connection connection, String line) throws SQLException {
    try (var select =
        connection.prepareStatement(
            "SELECT JSON_VALUE(j, '$[0]'), JSON_VALUE(j, '$[1]'), JSON_VALUE(j, '$[2][0]'),"
                + " JSON_VALUE(j, '$[3][0]'), JSON_VALUE(j, '$[3][1]'),"
                + " JSON_VALUE(j, '$[4][0]'), JSON_VALUE(j, '$[4][1]') FROM (SELECT ? AS j) t")) {
      select.setString(1, line);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("shop_by_no");
        return row.getString(2)
            + "|"
            + row.getString(3)
            + "|"
            + joined(row.getString(4), row.getString(5))
            + "|"
            + joined(row.getString(6), row.getString(7));
      }
    }
  }

  private static String joined(String first, String second) {
    return second == null ? String.valueOf(first) : first + "," + second;
  }

  @Test
  void changes_ofUpserts_areWhatBecameOfThem() throws SQLException {
    installed();

    assertThat(changesOf("INSERT IGNORE" + INSERT.substring(6) + "(1, 1, 'a')"))
        .containsExactly("1|1|null|a");
    assertThat(changesOf("INSERT IGNORE" + INSERT.substring(6) + "(1, 1, 'b'), (1, 2, 'c')"))
        .containsExactly("1|2|null|c");
    String upsert = INSERT + "(1, 1, 'd') ON DUPLICATE KEY UPDATE order_no = VALUES(order_no)";
    assertRefused(session(marker(VERSION)), upsert, "by_no");
    assertThat(changesOf(upsert)).containsExactly("1|1|a|d");
    assertThat(changesOf("REPLACE INTO orders VALUES (1, 1, 'e', 1, 'n')"))
        .containsExactly("1|1|d|null", "1|1|null|e");
    assertThat(changesOf("REPLACE INTO orders VALUES (1, 3, 'f', 1, 'n')"))
        .containsExactly("1|3|null|f");
  }

  @Test
  void guard_statementsThatIgnoreErrors_areRefusedAsWell() throws SQLException {
    installed();
    run(session(marker(VERSION)), INSERT + "(1, 1, 'a')");

    assertRefused(session(), "INSERT IGNORE" + INSERT.substring(6) + "(1, 2, 'b')", "by_no");
    assertRefused(session(), "UPDATE IGNORE orders SET order_no = 'b'", "by_no");
    assertRefused(session(), "DELETE IGNORE FROM orders", "by_no");
    assertRefused(session(), "REPLACE INTO orders VALUES (1, 1, 'e', 1, 'n')", "by_no");
    assertThat(query("SELECT order_no FROM orders")).containsExactly("a");
  }

  /** Variables are not part of a transaction: the changes that were undone are told as well. */
  @Test
  void changes_afterRollbackToASavepoint_areAll() throws SQLException {
    installed();
    Connection connection =
        writer(INSERT + "(1, 1, 'a')", "SAVEPOINT s", "UPDATE orders SET order_no = 'b'");
    run(connection, "ROLLBACK TO SAVEPOINT s", INSERT + "(1, 3, 'c')");

    assertThat(changes(connection)).containsExactly("1|1|null|a", "1|1|a|b", "1|3|null|c");
  }

  @Test
  void changes_beyondWhatAVariableHolds_failTheStatement() throws SQLException {
    installed();
    Connection connection = writer();
    run(connection, "SET @shardwright_changes = REPEAT('x', @@max_allowed_packet - 10)");

    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> run(connection, INSERT + "(1, 1, 'a')")))
        .hasMessageContaining("max_allowed_packet");
    assertThat(query("SELECT count(*) FROM orders")).containsExactly("0");
  }

  /** No trigger fires: the user of the application must not have the right to it. */
  @Test
  void truncate_isNotSeen() throws SQLException {
    installed();

    run(session(), "TRUNCATE orders");
  }

  @Test
  void names_withOddCharacters_areQuoted() throws SQLException {
    TestingConfiguration.execute(
        url,
        "CREATE TABLE `größe$` (bucket_id int, `Id` bigint, `select` varchar(40)"
            + " COLLATE utf8mb4_nopad_bin, PRIMARY KEY (bucket_id, `Id`))");
    IndexObjects objects =
        objects(index("größe$", "{columns: [select], unique: true}").orElseThrow());
    Connection connection = session(marker(VERSION));
    objects.createTables(connection);
    objects.installTriggers(connection, VERSION, IndexObjects.LockWait.DEFAULT);

    assertThat(changesOf("INSERT INTO `größe$` VALUES (1, 2, '%s\\\\')"))
        .containsExactly("1|2|null|%s\\");
    assertRefused(session(), "DELETE FROM `größe$`", "by_no");
  }

  /** What the collation takes for one value is no change, and one value of the index. */
  @Test
  void columns_ofACollationThatIgnoresCase_areComparedByIt() throws SQLException {
    TestingConfiguration.execute(
        url,
        "CREATE TABLE orders (bucket_id int, order_id bigint, order_no varchar(40) COLLATE"
            + " utf8mb4_general_ci, PRIMARY KEY (bucket_id, order_id))");
    installed("{columns: [order_no], unique: true}");
    assertThat(index("orders", "{columns: [order_no], unique: true}").orElseThrow().types())
        .containsExactly(KeyType.FOLDED_TEXT);

    assertThat(changesOf(INSERT + "(1, 1, 'Ab ')")).containsExactly("1|1|null|Ab ");
    assertThat(changesOf("UPDATE orders SET order_no = 'aB'")).isEmpty();
    String entry =
        "INSERT IGNORE INTO shardwright_entry_shop_by_no (bucket_id, v1, slot, row_bucket, p1,"
            + " token) VALUES (1, '%s', 0, 1, 1, 1)";
    run(session(), entry.formatted("Ab "), entry.formatted("aB"));
    assertThat(query("SELECT v1 FROM shardwright_entry_shop_by_no WHERE v1 = 'AB'"))
        .containsExactly("Ab ");
  }

  @Test
  void columns_ofEachTypeOfAKey_canBeIndexed() throws SQLException {
    String[][] types = {
      {"tinyint", "7", "7"},
      {"smallint unsigned", "65535", "65535"},
      {"mediumint", "-7", "-7"},
      {"int unsigned", "4294967295", "4294967295"},
      {"bigint", "-9223372036854775808", "-9223372036854775808"},
      {"decimal(18,0)", "999999999999999999", "999999999999999999"},
      {"varchar(8) COLLATE utf8mb4_nopad_bin", "a\u00e9🙂", "a\u00e9🙂"},
      {"varchar(8) COLLATE utf8mb4_uca1400_ai_ci", "A", "A"},
      {"varchar(8) COLLATE utf8mb4_bin", "A ", "A "},
      {"varchar(8) CHARACTER SET latin1 COLLATE latin1_swedish_ci", "x", "x"},
      {"varbinary(4)", "a\tb", "610962"},
      {"uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"},
      {"date", "2026-01-31", "2026-01-31"},
      {"datetime(6)", "2026-01-31 12:00:00.123456", "2026-01-31 12:00:00.123456"}
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

      assertThat(changesOf("INSERT INTO orders VALUES (1, '" + type[1] + "', '" + type[1] + "')"))
          .as(type[0])
          .containsExactly("1|" + type[2] + "|null|" + type[2]);
      assertThat(objects.inspect(session()).hasTables()).as(type[0]).isTrue();
      run(
          session(),
          "INSERT INTO shardwright_entry_shop_by_no (bucket_id, v1, slot, row_bucket, p1, token)"
              + " SELECT 0, no, 0, bucket_id, id, 1 FROM orders");
      assertThat(query("SELECT count(*) FROM shardwright_entry_shop_by_no JOIN orders ON no = v1"))
          .containsExactly("1");
    }
  }

  @Test
  void find_columnsThatCannotBeIndexed_isEmpty() throws SQLException {
    TestingConfiguration.execute(
        url,
        """
        CREATE TABLE parents (id int PRIMARY KEY, UNIQUE KEY (id));
        CREATE TABLE orders (bucket_id int, id bigint, f double, c char(3), b tinyint(1),
          n decimal(18,2), ts datetime(3), u bigint unsigned, t text COLLATE utf8mb4_nopad_bin,
          l varchar(10) COLLATE utf8mb4_lithuanian_ci, bl blob, ok varchar(10), parent int,
          FOREIGN KEY (parent) REFERENCES parents (id) ON UPDATE CASCADE,
          PRIMARY KEY (bucket_id, id));
        CREATE TABLE loose (bucket_id int, ok varchar(10))\
        """);

    for (String column : List.of("f", "c", "b", "n", "ts", "u", "t", "l", "bl", "absent")) {
      assertThat(index("orders", "{columns: [" + column + "], unique: true}")).as(column).isEmpty();
    }
    assertThat(index("orders", "{columns: [ok], unique: true}")).isPresent();
    assertThat(index("orders", "{columns: [parent], unique: true}")).isEmpty();
    assertThat(index("loose", "{columns: [ok], unique: true}")).isEmpty();
  }
}
