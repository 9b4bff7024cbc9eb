package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbParametersTest extends ParametersContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Override
  List<Case> ownCases() {
    return List.of(
        new Case("j", (s, i) -> s.setString(i, "{\"a\": 1}")),
        new Case("j", (s, i) -> s.setObject(i, "[1, null]", Types.VARCHAR)),
        new Case("t", (s, i) -> s.setNString(i, "ä😀")),
        new Case("t", (s, i) -> s.setNCharacterStream(i, new StringReader("chars"))),
        new Case("t", (s, i) -> s.setClob(i, new StringReader("clob"))),
        new Case("raw", (s, i) -> s.setBlob(i, new ByteArrayInputStream(new byte[] {1, -1}))),
        new Case("b", (s, i) -> s.setObject(i, false, Types.BOOLEAN)),
        new Case("i8", (s, i) -> s.setObject(i, "77")),
        new Case("tstz", (s, i) -> s.setObject(i, Instant.parse("2020-01-02T03:04:05.678901Z"))));
  }

  @Override
  String ownColumns() {
    return ", j";
  }

  /** The database reads as a number what a text begins with. */
  @Test
  void keyThatIsNoNumber_isNotGuessed() throws SQLException {
    shards.both("INSERT INTO samples (k, id) VALUES (0, 1)");
    for (String key : List.of("abc", "0abc", "0", " 0 ", "0.0")) {
      Object answer;
      try {
        answer = shards.rows("SELECT id FROM samples WHERE k = ?", key);
      } catch (SQLException e) {
        assertThat(e.getMessage()).as(key).startsWith("SW302");
        continue;
      }
      assertThat(answer)
          .as(key)
          .isEqualTo(shards.plainRows("SELECT id FROM samples WHERE k = ?", key));
    }
  }

  @Test
  void blobsAndClobs_areTheShardsAffair() throws SQLException {
    try (Connection connection = shards.connect()) {
      Blob blob = connection.createBlob();
      blob.setBytes(1, "blob".getBytes(StandardCharsets.US_ASCII));
      assertThat(blob.length()).isEqualTo(4);
      Clob clob = connection.createClob();
      clob.setString(1, "clob");
      assertThat(clob.getSubString(1, 4)).isEqualTo("clob");
    }
  }
}
