package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.driver.ScatterLimits.ShardGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/driver.md, run. */
class DocumentedUseTest extends FourShards {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  private Path file() throws IOException {
    return Files.writeString(directory.resolve("shardwright.yaml"), shards.yaml());
  }

  @Test
  void dataSource_isOpenedFromTheFile() throws Exception {
    Path file = file();
    try (ShardwrightDataSource source = Shardwright.open(file)) {
      insert(source, 4, "first");
      assertThat(texts(source, 4)).containsExactly("first");
    }
  }

  @Test
  void routeKey_ofTheConnection_isItsUsersOwn() throws SQLException {
    insert(shards.source(), 4, "mine");
    long key = 4;
    try (Connection connection = shards.connect()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.setRouteKey("samples", key);
      assertThat(TestingShards.rows(connection, "SELECT t FROM samples")).containsExactly("mine");
    }
  }

  private static void insert(DataSource source, long key, String text) throws SQLException {
    try (Connection connection = source.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO samples (k, id, t) VALUES (?, 1, ?)")) {
      insert.setLong(1, key);
      insert.setString(2, text);
      insert.executeUpdate();
    }
  }

  private static List<String> texts(DataSource source, long key) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = source.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT t FROM samples WHERE k = ?")) {
      select.setLong(1, key);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          texts.add(rows.getString("t"));
        }
      }
    }
    return texts;
  }

  @Test
  void url_opensTheSame() throws Exception {
    Path file = file();
    try (Connection connection = DriverManager.getConnection("jdbc:shardwright:" + file)) {
      assertThat(connection.isValid(1)).isTrue();
    }
  }

  @Test
  void unknownOutcome_isCaughtByItsType() throws SQLException {
    DataSource source = shards.source();
    long orderKey = 7;
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      TestingShards.update(connection, "INSERT INTO samples (k, id) VALUES (?, 1)", orderKey);
      connection.commit();
    } catch (UnknownOutcomeException e) {
      // Applied as a whole or not at all: look before repeating.
      assertThat(texts(source, orderKey)).isNotNull();
    }
    assertThat(texts(source, orderKey)).hasSize(1);
  }

  @Test
  void listener_seesEveryStatement() throws SQLException {
    ShardwrightDataSource source = shards.source();
    List<String> seen = new ArrayList<>();
    StatementListener listener =
        trace -> seen.add(trace.shards() + " because of " + trace.reason());
    source.addListener(listener);
    texts(source, 4);
    source.removeListener(listener);
    assertThat(seen).hasSize(1);
  }

  @Test
  void completeness_isKnownToResults() throws SQLException {
    List<String> seen = new ArrayList<>();
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "/* shardwright: partial=allow */ SELECT t FROM samples LIMIT 9")) {
      Completeness completeness = rows.unwrap(Completeness.class);
      if (!completeness.isComplete()) {
        seen.add(completeness.missing().keySet() + " are missing");
      }
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void scatterWithin_boundsTheWait() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.scatterWithin(new ScatterLimits(Duration.ofMillis(200), 1, ShardGate.OPEN));
      session.scatterWithin(new ScatterLimits(Duration.ofMinutes(1), 1, ShardGate.OPEN));
      try (ResultSet rows = statement.executeQuery("SELECT t FROM samples LIMIT 9")) {
        assertThat(rows.unwrap(Completeness.class).elapsed()).hasSize(4);
      }
    }
  }

  @Test
  void tokenOfAWrite_isAwaitedElsewhere() throws SQLException {
    ShardwrightDataSource source = shards.source();
    try (Connection connection = source.getConnection()) {
      TestingShards.update(connection, "INSERT INTO samples (k, id) VALUES (?, 1)", 8L);
      String token = connection.unwrap(ShardwrightSession.class).writeToken().toString();
      source.awaitWrites(WriteToken.parse(token), Duration.ofMillis(200));
      assertThat(WriteToken.parse(token).servers()).hasSize(1);
    }
  }

  @Test
  void statistics_countStatements() throws SQLException {
    ShardwrightDataSource source = shards.source();
    texts(source, 4);
    StatementStatistics.Shape total = source.statistics().total();
    assertThat(total.physicalStatements()).isGreaterThanOrEqualTo(total.statements());
  }

  @Test
  void everyCodeBlock_isTakenFromHere() throws IOException {
    String here =
        normalised(
            Files.readString(
                Path.of("src/test/java/io/shardwright/driver/DocumentedUseTest.java")));
    Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("../docs/driver.md")));
    int blocks = 0;
    while (block.find()) {
      blocks++;
      assertThat(here).contains(normalised(block.group(1)));
    }
    assertThat(blocks).isGreaterThanOrEqualTo(4);
  }

  private static String normalised(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
