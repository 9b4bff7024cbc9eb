package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardwrightDriverTest extends FourShards {
  private final ShardwrightDriver driver = new ShardwrightDriver();

  @Test
  void connect_byUrl_sharesOneCluster(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("shardwright.yaml"), shards.yaml());
    String url = "jdbc:shardwright:" + file;
    try (Connection first = DriverManager.getConnection(url);
        Connection second = DriverManager.getConnection(url)) {
      TestingShards.update(first, "INSERT INTO samples (k, id) VALUES (1, 1)");
      assertThat(TestingShards.rows(second, "SELECT id FROM samples")).containsExactly("1");
      assertThat(((ShardwrightConnection) first).cluster())
          .isSameAs(((ShardwrightConnection) second).cluster());
      assertThat(first.getMetaData().getURL()).isEqualTo(url);
    }
    try (Connection third = DriverManager.getConnection(url)) {
      assertThat(TestingShards.rows(third, "SELECT id FROM samples")).containsExactly("1");
    }
  }

  @Test
  void foreignUrls_areNotOurs() throws SQLException {
    assertThat(driver.acceptsURL("jdbc:postgresql://localhost/x")).isFalse();
    assertThat(driver.connect("jdbc:postgresql://localhost/x", new Properties())).isNull();
    assertThat(driver.acceptsURL(null)).isFalse();
    assertThat(driver.acceptsURL("jdbc:shardwright:x.yaml")).isTrue();
    assertThat(ServiceLoader.load(Driver.class))
        .hasAtLeastOneElementOfType(ShardwrightDriver.class);
  }

  @Test
  void badFileOrUser_isSaid(@TempDir Path directory) throws Exception {
    assertRefused(
        ErrorCode.CONFIGURATION_UNREADABLE,
        () -> DriverManager.getConnection("jdbc:shardwright:" + directory.resolve("none.yaml")));
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:shardwright:"))
        .hasMessageContaining("SW212");
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:shardwright:x.yaml", "me", "pw"))
        .hasMessageContaining("shardwright.yaml");
    Path bad = Files.writeString(directory.resolve("bad.yaml"), "version: 1\n");
    assertRefused(
        ErrorCode.CONFIGURATION_INVALID,
        () -> DriverManager.getConnection("jdbc:shardwright:" + bad));
  }

  @Test
  void closedDataSource_givesNoConnections() throws SQLException {
    ShardwrightDataSource source = Shardwright.open(shards.configuration());
    Connection connection = source.getConnection();
    source.close();
    source.close();
    assertRefused(ErrorCode.CONNECTION_CLOSED, source::getConnection);
    assertRefused(
        ErrorCode.CONNECTION_CLOSED,
        () -> TestingShards.rows(connection, "SELECT id FROM samples WHERE k = 1"));
    connection.close();
  }
}
