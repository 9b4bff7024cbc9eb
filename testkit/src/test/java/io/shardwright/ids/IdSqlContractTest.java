package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedPostgresServer;
import io.shardwright.testkit.Gen;
import io.shardwright.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The second implementation, docs/vectors/ids-v1.sql, against the vectors and the Java one. */
class IdSqlContractTest {
  private static final String UTC = "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'";

  private static Connection connection;

  @BeforeAll
  static void installFunctions() throws SQLException, IOException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    connection =
        DriverManager.getConnection(server.createDatabase("ids"), server.user(), server.password());
    try (Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(Vectors.DIRECTORY.resolve("ids-v1.sql")));
    }
  }

  @AfterAll
  static void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void base62_ofVectors_agrees() {
    for (String[] cells : Vectors.rows("base62-v1.tsv")) {
      assertThat(ask("SELECT shardwright_ids_v1.base62_decode(?)", cells[0]))
          .as(cells[0])
          .isEqualTo(cells[1]);
      if (!cells[1].isEmpty()) {
        assertThat(ask("SELECT shardwright_ids_v1.base62_encode(?::numeric, 1)", cells[1]))
            .isEqualTo(cells[1].equals("0") ? "0" : cells[0]);
      }
    }
  }

  @Test
  void publicId_ofVectors_agrees() {
    for (String[] cells : Vectors.rows("public-id-v1.tsv")) {
      assertThat(
              ask(
                  "SELECT shardwright_ids_v1.public_id(?::integer, decode(?, 'hex'), ?::bigint)",
                  cells[0],
                  cells[1],
                  cells[2]))
          .isEqualTo(cells[3]);
    }
  }

  @Test
  void publicId_ofAnyIdAndKey_agrees() {
    Gen<byte[]> keys =
        Gen.lists(Gen.integers(0, 255), 16, 90)
            .map(
                bytes -> {
                  byte[] key = new byte[bytes.size()];
                  for (int i = 0; i < key.length; i++) {
                    key[i] = bytes.get(i).byteValue();
                  }
                  return key;
                });
    Seeds.check(
        150,
        keys.flatMap(key -> Gen.longs(0, Long.MAX_VALUE - 1).map(id -> Map.entry(key, id))),
        pair ->
            assertThat(
                    ask(
                        "SELECT shardwright_ids_v1.public_id(7, decode(?, 'hex'), ?::bigint)",
                        HexFormat.of().formatHex(pair.getKey()),
                        Long.toString(pair.getValue())))
                .isEqualTo(new PublicIds(Map.of(7, pair.getKey()), 7).encode(pair.getValue())));
  }

  @Test
  void orderNumber_ofVectors_agrees() {
    for (String[] cells : Vectors.rows("order-number-v1.tsv")) {
      assertThat(
              ask(
                  "SELECT concat_ws(' ', version, to_char(created_at,"
                      + " 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), gene, node, sequence)"
                      + " FROM shardwright_ids_v1.order_number(?, ?, ?::integer)",
                  cells[7],
                  cells[0],
                  cells[1]))
          .as(cells[7] + " " + cells[8])
          .isEqualTo(
              cells[8].isEmpty()
                  ? String.join(" ", cells[2], cells[3], cells[4], cells[5], cells[6])
                  : "");
    }
  }

  @Test
  void snowflake_ofVectors_agrees() {
    for (String[] cells : Vectors.rows("snowflake-v1.tsv")) {
      assertThat(
              ask(
                  "SELECT concat_ws(' ', to_char(created_at, "
                      + UTC
                      + "), node, sequence) FROM shardwright_ids_v1.snowflake(?::bigint)",
                  cells[0]))
          .isEqualTo(String.join(" ", cells[1], cells[2], cells[3]));
    }
  }

  @Test
  void uuidV7_ofVectors_agrees() {
    for (String[] cells : Vectors.rows("uuid-v7.tsv")) {
      assertThat(
              ask(
                  "SELECT concat_ws(' ', to_char(created_at, "
                      + UTC
                      + "), counter) FROM shardwright_ids_v1.uuid_v7(?)",
                  cells[0]))
          .as(cells[0])
          .isEqualTo(cells[1].isEmpty() ? "" : cells[1] + " " + cells[2]);
    }
  }

  /** The first column of the first row; empty for NULL and for no row. */
  private static String ask(String sql, String... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getString(1) != null ? row.getString(1) : "";
      }
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }
}
