package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.KeyType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParametersTest extends ParametersContract {
  @Override
  List<Case> ownCases() {
    return List.of(
        new Case("j", (s, i) -> s.setObject(i, "{\"a\": 1}", Types.OTHER)),
        new Case(
            "arr",
            (s, i) ->
                s.setArray(
                    i, s.getConnection().createArrayOf("int4", new Integer[] {1, null, 3}))));
  }

  @Override
  String ownColumns() {
    return ", j, arr";
  }

  @Test
  void valueWithCalendar_isNoRouteKey() throws SQLException {
    Parameters parameters = new Parameters(1);

    parameters.set(1, Setter.TIMESTAMP_CALENDAR, new Timestamp(0), TOKYO);

    assertThatThrownBy(() -> KeyType.TIMESTAMP.canonical(parameters.get(0)))
        .hasMessageContaining("SW302");
  }

  @Test
  void keyThatIsNoNumber_isRefused() {
    assertRefused(
        ErrorCode.ROUTE_KEY_VALUE_INVALID,
        () -> shards.rows("SELECT id FROM samples WHERE k = ?", "abc"));
  }

  @Test
  void xmlAndBlobs_areTheShardsAffair() throws SQLException {
    try (Connection connection = shards.connect()) {
      SQLXML xml = connection.createSQLXML();
      xml.setString("<a/>");
      assertThat(xml.getString()).isEqualTo("<a/>");
      assertThat(connection.createArrayOf("text", new String[] {"a"}).getBaseTypeName())
          .isEqualTo("text");
    }
  }
}
