package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ApplyReport;
import io.shardwright.schema.Finding;
import io.shardwright.schema.PlacementCheck;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Keys with buckets of their own: from the first row on, moved alone, declared while traffic runs.
 */
abstract class GiantsContract extends MoveFixture {
  private static final String FIRST = "- {key: [7], buckets: \"64-66\"}\n";
  private static final String SECOND = "- {key: [7, 12], buckets: 67}\n";
  private static final String THIRD = "- {key: [9], buckets: \"68-69\"}\n";
  private static final BucketSet OF_SEVEN = BucketSet.parse("64-66");

  @Override
  String groups() {
    return groups(FIRST + SECOND);
  }

  private static String groups(String directory) {
    return "groups:\n  orders:\n    key: [buyer_id, order_id]\n    buckets: "
        + BUCKETS
        + "\n"
        + (directory.isEmpty() ? "" : "    directory:\n" + directory.indent(6))
        + "    tables: {orders: , items: }\n"
        + "  codes:\n    key: [code]\n    buckets: 8\n"
        + "    directory: [{key: [\"o'neil\"], buckets: 8}]\n"
        + "    tables: {codes: }\n";
  }

  @Override
  String tables() {
    return server()
            .tables()
            .replace("(bucket_id, buyer_id, order_no)", "(bucket_id, buyer_id, order_id, order_no)")
        + ";CREATE TABLE codes (bucket_id int NOT NULL, code varchar(20)"
        + server().exact()
        + " NOT NULL, PRIMARY KEY (bucket_id, code))";
  }

  /** The same shards with another directory of orders. */
  private Configuration with(String directory) {
    return ConfigurationReader.parse(
        "test.yaml", yaml.substring(0, yaml.indexOf("groups:")) + groups(directory), Map.of());
  }

  private static List<String> problems(ApplyReport report) {
    return report.problems().stream().map(Finding::message).toList();
  }

  /** Some orders of each buyer, a line each. */
  private static void fill(ShardwrightDataSource database, int firstBuyer, int lastBuyer)
      throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement order =
            connection.prepareStatement(
                "INSERT INTO orders (buyer_id, order_id, order_no, amount) VALUES (?, ?, ?, 1)");
        PreparedStatement item =
            connection.prepareStatement(
                "INSERT INTO items (buyer_id, order_id, line, amount) VALUES (?, ?, 1, 1)")) {
      for (int buyer = firstBuyer; buyer <= lastBuyer; buyer++) {
        for (int id = 1; id <= 20; id++) {
          order.setInt(1, buyer);
          order.setInt(2, id);
          order.setString(3, "N" + id);
          order.executeUpdate();
          item.setInt(1, buyer);
          item.setInt(2, id);
          item.executeUpdate();
        }
      }
    }
  }

  private static List<String> ask(ShardwrightDataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> answers = new ArrayList<>();
      while (row.next()) {
        answers.add(row.getString(1));
      }
      return answers;
    }
  }

  private List<String> everywhere(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    for (ShardId shard : shards()) {
      rows.addAll(rows(shard, sql));
    }
    rows.sort(null);
    return rows;
  }

  private void assertPlaced() {
    assertThat(
            PlacementCheck.run(configuration, catalog.load(), PlacementCheck.Options.DEFAULT)
                .violations())
        .isEmpty();
  }

  @Test
  void giant_hasItsOwnBuckets_whichMoveAlone() throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      fill(database, 1, 12);
      assertThat(everywhere("SELECT DISTINCT bucket_id FROM orders WHERE buyer_id = 7"))
          .containsExactly("64", "65", "66", "67");
      assertThat(everywhere("SELECT order_id FROM items WHERE bucket_id = 67"))
          .containsExactly("12");
      assertThat(everywhere("SELECT DISTINCT buyer_id FROM orders WHERE bucket_id >= 64"))
          .containsOnly("7");
      assertPlaced();
      ask(database, "SELECT code FROM codes WHERE code = 'o''neil'");

      for (ShardId target : shards()) {
        BucketSet elsewhere = OF_SEVEN.minus(BucketSet.of(map().bucketsOf(target)));
        for (var move : moves.create("orders", elsewhere, target, Options.DEFAULT)) {
          assertThat(run(move)).isEqualTo(MoveState.SWITCHED);
          assertThat(ask(database, "SELECT count(*) FROM orders")).containsExactly("240");
          assertThat(ask(database, "SELECT amount FROM items WHERE buyer_id = 7 AND order_id = 3"))
              .hasSize(1);
          moves.wish(move.id(), Wish.CLEAN_UP);
          assertThat(run(move)).isEqualTo(MoveState.DONE);
        }
        assertThat(rows(target, "SELECT buyer_id FROM orders WHERE bucket_id IN (64, 65, 66)"))
            .hasSize(19);
        assertPlaced();
      }
    }
  }

  @Test
  void textKey_isOfTheDirectoryByItsValue() throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(configuration);
        Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO codes (code) VALUES (?)")) {
      for (String code : List.of("o'neil", "O'Neil", "oneil")) {
        insert.setString(1, code);
        insert.executeUpdate();
      }
      assertThat(everywhere("SELECT code FROM codes WHERE bucket_id = 8"))
          .containsExactly("o'neil");
      assertThat(ask(database, "SELECT bucket_id FROM codes WHERE code = 'o''neil'"))
          .containsExactly("8");
      assertThatThrownBy(
              () -> execute(S0, "INSERT INTO codes (bucket_id, code) VALUES (0, 'o''neil')"))
          .hasMessageContaining("shardwright_dir_8_codes");
    }
  }

  @Test
  void entry_isAdded_whileProcessesWriteByTheOldDirectory() throws SQLException {
    try (ShardwrightDataSource old = Shardwright.open(configuration);
        Connection connection = old.getConnection();
        PreparedStatement read =
            connection.prepareStatement(
                "SELECT bucket_id FROM orders WHERE buyer_id = ? AND order_id = ?")) {
      fill(old, 1, 8);
      assertThat(bucket(read, 9, 1)).isEmpty();
      configuration = with(FIRST + SECOND + THIRD);

      ApplyReport report = apply();

      assertThat(problems(report)).isEmpty();
      assertThat(report.created()).contains("catalog: group orders: the entry of buckets 68-69");
      assertThat(map().buckets()).isEqualTo(70);
      fill(old, 9, 10);
      assertThat(everywhere("SELECT DISTINCT bucket_id FROM orders WHERE buyer_id = 9"))
          .containsExactly("68", "69");
      assertThat(bucket(read, 9, 1)).hasSize(1).isSubsetOf("68", "69");
      assertThat(ask(old, "SELECT count(*) FROM orders")).containsExactly("200");
      assertPlaced();
      assertThat(problems(apply())).isEmpty();
      // A file that was not changed yet goes on.
      configuration = with(FIRST + SECOND);
      assertThat(apply().warnings())
          .extracting(Finding::message)
          .contains(
              "group orders: the entry of buckets 68-69 of its directory is in the catalog and not"
                  + " in the file");
      try (ShardwrightDataSource late = Shardwright.open(with(FIRST + SECOND))) {
        assertThat(ask(late, "SELECT bucket_id FROM orders WHERE buyer_id = 9 AND order_id = 1"))
            .isSubsetOf("68", "69");
      }
    }
  }

  private static List<String> bucket(PreparedStatement read, int buyer, int order)
      throws SQLException {
    read.setInt(1, buyer);
    read.setInt(2, order);
    try (ResultSet row = read.executeQuery()) {
      return row.next() ? List.of(row.getString(1)) : List.of();
    }
  }

  @Test
  void entry_ofAKeyThatHasRows_isRefused_andNothingIsLeftOfIt() throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      fill(database, 9, 9);
    }
    Configuration before = configuration;
    configuration = with(FIRST + SECOND + THIRD);

    assertThat(String.join("\n", problems(apply())))
        .contains("orders has rows of a key whose buckets 68-69 the directory reserves");

    assertThat(map().buckets()).isEqualTo(68);
    try (ShardwrightDataSource database = Shardwright.open(before);
        Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      // Nothing of the entry is left on the shards, so its key is written as ever.
      statement.executeUpdate(
          "INSERT INTO orders (buyer_id, order_id, order_no, amount) VALUES (9, 99, 'N99', 1)");
    }
    assertThatThrownBy(() -> Shardwright.open(configuration).close())
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("SW104")
        .hasMessageContaining("the entry of buckets 68-69");
    configuration = before;
    assertThat(problems(apply())).isEmpty();
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      assertThat(ask(database, "SELECT count(*) FROM orders WHERE buyer_id = 9"))
          .containsExactly("21");
      fill(database, 10, 11);
    }
  }

  @Test
  void longerEntry_takesOnlyKeysWithoutRows() throws SQLException {
    try (ShardwrightDataSource database = Shardwright.open(configuration)) {
      fill(database, 7, 7);
    }
    configuration = with(FIRST + SECOND + "- {key: [7, 99], buckets: 68}\n");
    assertThat(problems(apply())).isEmpty();
    configuration =
        with(FIRST + SECOND + "- {key: [7, 99], buckets: 68}\n- {key: [7, 3], buckets: 69}\n");

    assertThat(String.join("\n", problems(apply()))).contains("buckets 69");

    assertThat(map().buckets()).isEqualTo(69);
  }

  @Test
  void entry_doesNotChange() {
    configuration = with("- {key: [8], buckets: \"64-66\"}\n" + SECOND);

    assertThat(String.join("\n", problems(apply())))
        .contains("the entry of buckets 64-66 of its directory is another one in the file");
    Configuration changed = configuration;
    assertThatThrownBy(() -> Catalog.open(changed).load()).hasMessageContaining("SW416");
  }

  @Test
  void directory_doesNotGrow_whileBucketsMove() throws SQLException {
    var move = move(BucketSet.of(List.of(new BucketId(5))), S2);
    configuration = with(FIRST + SECOND + THIRD);

    assertThat(String.join("\n", problems(apply()))).contains("move " + move.id());

    moves.wish(move.id(), Wish.CANCEL);
    assertThat(run(move)).isEqualTo(MoveState.CANCELLED);
    assertThat(problems(apply())).isEmpty();
    assertThat(map().buckets()).isEqualTo(70);
  }
}
