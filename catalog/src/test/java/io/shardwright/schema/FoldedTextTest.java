package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.routing.KeyType;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import io.shardwright.testkit.Gen;
import io.shardwright.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Texts that the server takes for one have one folded form, under each collation whose columns may
 * be indexed: else two rows with one value would have entries in two buckets.
 */
class FoldedTextTest {
  /** Case, blanks, and what languages take for one: ss and s, ch, ij, v and w, accents alone. */
  private static final Gen<String> TEXTS =
      Gen.lists(
              Gen.oneOf(
                  List.of(
                      "a", "A", "b", " ", "  ", "s", "S", "ch", "Ch", "c", "ij", "v", "w", "'", "`",
                      "^", "~", "-", "_", ".", "0", "1", "l", "i", "I", "y", "\\", "\"")),
              0,
              5)
          .map(parts -> String.join("", parts));

  @Test
  void collationsThatCanBeIndexed_takeForOneOnlyWhatFoldsToOne() throws SQLException {
    String url = EmbeddedMariaDbServer.shared().createDatabase("fold");
    List<String> collations =
        TestingConfiguration.query(
                url,
                "SELECT full_collation_name FROM"
                    + " information_schema.collation_character_set_applicability ORDER BY 1")
            .stream()
            .filter(FoldedTextTest::isFolded)
            .toList();
    assertThat(collations)
        .hasSizeGreaterThan(20)
        .contains("utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_uca1400_ai_ci")
        .doesNotContain("utf8mb4_nopad_bin", "utf8mb4_lithuanian_ci", "utf8mb4_swedish_ci");
    List<String> characters =
        IntStream.rangeClosed(' ', '~').mapToObj(Character::toString).toList();
    try (Connection connection = TestingConfiguration.connect(url)) {
      for (String collation : collations) {
        check(connection, collation, characters);
        Seeds.check(4, Gen.lists(TEXTS, 2, 60), texts -> quietly(connection, collation, texts));
      }
    }
  }

  private static boolean isFolded(String collation) {
    ShardSchema.Column column =
        new ShardSchema.Column(
            "c",
            "varchar(40)",
            "varchar",
            OptionalInt.of(40),
            true,
            ShardSchema.Source.NOTHING,
            Optional.empty(),
            Optional.<KeyType>empty(),
            Optional.of(MariaDbTypes.collation(collation)),
            ShardSchema.Ordering.UNKNOWN);
    return !collation.endsWith("_nopad_bin")
        && MariaDbTypes.indexType(column).equals(Optional.of(KeyType.FOLDED_TEXT));
  }

  private static void quietly(Connection connection, String collation, List<String> texts) {
    try {
      check(connection, collation, texts);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(Connection connection, String collation, List<String> texts)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE OR REPLACE TEMPORARY TABLE t (v varchar(40) CHARACTER SET "
              + collation.substring(0, collation.indexOf('_'))
              + " COLLATE "
              + collation
              + ")");
    }
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?)")) {
      for (String text : new ArrayList<>(new HashSet<>(texts))) {
        insert.setString(1, text);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT GROUP_CONCAT(HEX(v)) FROM t GROUP BY v")) {
      while (row.next()) {
        Set<Object> forms = new HashSet<>();
        for (String hex : row.getString(1).split(",", -1)) {
          forms.add(
              KeyType.FOLDED_TEXT
                  .canonical(new String(HexFormat.of().parseHex(hex), StandardCharsets.US_ASCII))
                  .orElseThrow());
        }
        assertThat(forms).as(collation).hasSize(1);
      }
    }
  }
}
