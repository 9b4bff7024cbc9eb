package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shard on which statements would mean something else is not used. */
class MariaDbSettingsTest {
  private static final TestingShards shards = TestingShards.open(TestingDatabase.MARIADB, 2);

  @AfterAll
  static void close() {
    shards.close();
  }

  /**
   * @param lines of the shards whose sessions get the setting
   */
  private static ShardwrightDataSource open(String lines, String setting) {
    List<String> yaml =
        shards
            .yaml()
            .lines()
            .map(
                line ->
                    line.matches(" *" + lines + ": .*")
                        ? line.replaceFirst(
                            "(url: \"[^\"]*)\"", "$1?sessionVariables=" + setting + "\"")
                        : line)
            .toList();
    return Shardwright.open(
        ConfigurationReader.parse("test.yaml", String.join("\n", yaml), Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sql_mode='STRICT_TRANS_TABLES,ANSI_QUOTES'",
        "sql_mode='STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'",
        "sql_mode='STRICT_TRANS_TABLES,PIPES_AS_CONCAT'",
        "sql_mode=''",
        "foreign_key_checks=0",
      })
  void setting_inWhichStatementsMeanSomethingElse_isRefusedWhenOpened(String setting) {
    assertThatThrownBy(() -> open("s[01]", setting))
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_INVALID))
        .hasMessageContaining("is not used")
        .hasMessageContaining(setting.substring(0, setting.indexOf('=')));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"time_zone='+05:00'", "div_precision_increment=6", "group_concat_max_len=100"})
  void setting_thatDiffers_isRefusedAtFirstContact(String setting) throws SQLException {
    try (ShardwrightDataSource source = open("s1", setting);
        Connection connection = source.getConnection()) {
      TestingShards.rows(connection, "SELECT t FROM samples WHERE k = ?", shards.keyOn(0, 0));
      TransactionTest.assertRefused(
          ErrorCode.SCHEMA_DRIFT,
          () ->
              TestingShards.rows(
                  connection, "SELECT t FROM samples WHERE k = ?", shards.keyOn(1, 0)));
      assertThatThrownBy(() -> TestingShards.rows(connection, "SELECT t FROM samples"))
          .hasMessageContaining("shard s1")
          .hasMessageContaining("shard s0")
          .hasMessageContaining(setting.substring(0, setting.indexOf('=')));
    }
  }

  @Test
  void settings_thatAreAlike_areNotAskedForAgain() throws SQLException {
    try (ShardwrightDataSource source = open("s[01]", "time_zone='+05:00'");
        Connection connection = source.getConnection()) {
      assertThat(TestingShards.rows(connection, "SELECT t FROM samples")).isEmpty();
    }
  }
}
