package io.shardwright.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import io.shardwright.migration.Comparison.Difference;
import io.shardwright.routing.BucketSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows at the target that are not what the source has. */
abstract class VerificationContract extends MoveFixture {
  private static final BucketSet SOME = BucketSet.parse("0-3");

  /** Orders of bucket 1, more than one range of keys. */
  private static final int MANY = 2_100;

  @TempDir private Path directory;

  @Override
  int chunkRows() {
    return 1_000;
  }

  @BeforeEach
  void fill() throws SQLException {
    execute(
        S0,
        "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, amount, note) SELECT 1, 7,"
            + " n.i, CONCAT('M', n.i), 1.50, 'many' FROM ("
            + numbers(MANY)
            + ") n");
    for (int order = 1; order <= 8; order++) {
      insert(order % 4, 10_000 + order, order % 3);
    }
    execute(S0, "UPDATE orders SET note = NULL WHERE order_id = 10001");
    execute(S0, "UPDATE orders SET note = 'it''s \u00e9\n' WHERE order_id = 10003");
  }

  /** A query of one column {@code i}, from 1 on. */
  abstract String numbers(int last);

  private void spoil(String sql) throws SQLException {
    try (Connection mover = mover();
        Statement statement = mover.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The fence lets it write at the target. */
  private Connection mover() throws SQLException {
    return DriverManager.getConnection(
        configuration.shards().get(S1).endpoint().url(),
        MoveServer.MOVER,
        MoveServer.MOVER_PASSWORD);
  }

  /** A move whose rows are copied, and that rests. */
  private Move copied() {
    Move move = move(SOME, S1);
    assertThatThrownBy(
            () ->
                run(
                    move,
                    step -> {
                      if (step.equals("VERIFYING")) {
                        throw new IllegalStateException("stopped here");
                      }
                    }))
        .hasMessage("stopped here");
    moves.wish(move.id(), Wish.PAUSE);
    return move;
  }

  private Comparison verify(Move move) {
    try (Moves some = new Moves(configuration, "operator")) {
      return some.verify(move.id());
    }
  }

  private static List<String> told(Comparison comparison) {
    return comparison.differences().stream().map(Difference::toString).sorted().toList();
  }

  @Test
  void verify_ofEqualSides_findsNothing_andIsOnRecord() {
    Move move = copied();

    Comparison comparison = verify(move);

    assertThat(told(comparison)).isEmpty();
    assertThat(comparison.isEqual()).isTrue();
    assertThat(comparison.verified().rows()).isEqualTo(MANY + 8 + 9);
    try (Moves some = new Moves(configuration, "operator")) {
      Verified verified = some.verified(move.id()).orElseThrow();
      assertThat(verified)
          .usingRecursiveComparison()
          .ignoringFields("at")
          .isEqualTo(comparison.verified());
      assertThat(verified.state()).isEqualTo(MoveState.VERIFYING);
      assertThat(verified.mapVersion()).isEqualTo(1);
    }
  }

  @Test
  void verify_ofRowsThatDiffer_namesThem() throws SQLException {
    Move move = copied();
    spoil("UPDATE orders SET note = 'many ' WHERE order_id = 2050");
    spoil("UPDATE orders SET note = '' WHERE order_id = 10001");
    spoil("DELETE FROM orders WHERE order_id = 77");
    spoil(
        "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, amount) VALUES"
            + " (1, 7, 5000, 'X1', 1), (1, 7, 5001, 'X2', NULL), (1, 6, 1, 'X3', 2)");
    spoil("UPDATE items SET amount = 0.25 WHERE order_id = 10002 AND line = 1");

    assertThat(told(verify(move)))
        .containsExactly(
            "table items, bucket 2, row buyer_id=2, order_id=10002, line=1: different in amount",
            "table orders, bucket 1, row buyer_id=1, order_id=10001: different in note",
            "table orders, bucket 1, row buyer_id=6, order_id=1: extra",
            "table orders, bucket 1, row buyer_id=7, order_id=2050: different in note",
            "table orders, bucket 1, row buyer_id=7, order_id=5000: extra",
            "table orders, bucket 1, row buyer_id=7, order_id=5001: extra",
            "table orders, bucket 1, row buyer_id=7, order_id=77: missing");
    moves.wish(move.id(), Wish.RUN);
    assertThatThrownBy(() -> run(move))
        .hasMessageContaining("SW602")
        .hasMessageContaining("row buyer_id=7, order_id=77: missing")
        .hasMessageContaining("no bucket has changed its owner");
    assertThat(moves.find(move.id()).state()).isEqualTo(MoveState.VERIFYING);
  }

  /** What a sum of checksums of single columns would not see. */
  @Test
  void verify_ofValuesThatChangedPlaces_namesBothRows() throws SQLException {
    execute(S0, "UPDATE orders SET amount = 7, note = 'seven' WHERE order_id = 8");
    Move move = copied();
    spoil("UPDATE orders SET amount = 7 WHERE order_id = 9");
    spoil("UPDATE orders SET amount = 1.50 WHERE order_id = 8");

    assertThat(told(verify(move)))
        .containsExactly(
            "table orders, bucket 1, row buyer_id=7, order_id=8: different in amount",
            "table orders, bucket 1, row buyer_id=7, order_id=9: different in amount");
  }

  @Test
  void verify_ofManyDifferences_countsTheRest() throws SQLException {
    Move move = copied();
    spoil("UPDATE orders SET note = 'other' WHERE bucket_id = 1 AND buyer_id = 7");

    Comparison comparison = verify(move);

    assertThat(comparison.differences()).hasSize(Verification.KEYS_MAX);
    assertThat(comparison.verified().differences()).isEqualTo(MANY);
    assertThat(comparison.told()).endsWith("; and in " + (MANY - 10) + " more");
  }

  @Test
  void repairSql_runAtTheTarget_makesItEqual() throws SQLException, IOException {
    Move move = copied();
    spoil("UPDATE orders SET note = 'many ', amount = NULL WHERE order_id = 2050");
    spoil("UPDATE orders SET note = '' WHERE order_id = 10003");
    spoil("DELETE FROM items WHERE order_id = 10002");
    spoil("DELETE FROM orders WHERE order_id IN (77, 10002)");
    spoil(
        "INSERT INTO orders (bucket_id, buyer_id, order_id, order_no, amount) VALUES"
            + " (1, 7, 5000, 'X1', 1)");
    spoil("INSERT INTO items (bucket_id, buyer_id, order_id, line) VALUES (1, 7, 5000, 1)");
    Path file = directory.resolve("repair.sql");

    try (Moves some = new Moves(configuration, "operator")) {
      Comparison found = some.verify(move.id(), file);
      assertThat(found.verified().differences()).isEqualTo(8);
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThatThrownBy(() -> some.verify(move.id(), file)).hasMessageContaining("there already");
      try (Connection mover = mover();
          Statement statement = mover.createStatement()) {
        for (String sql : statements(Files.readString(file))) {
          statement.execute(sql);
        }
      }
      Path second = directory.resolve("second.sql");
      assertThat(told(some.verify(move.id(), second))).isEmpty();
      assertThat(second).doesNotExist();
      moves.wish(move.id(), Wish.RUN);
      assertThatThrownBy(() -> some.verify(move.id(), second))
          .hasMessageContaining("shardwright move pause " + move.id());
    }
    assertThat(run(move)).isEqualTo(MoveState.SWITCHED);
  }

  /** A line each, but for line ends in texts. */
  private static List<String> statements(String file) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String line : file.split("\n", -1)) {
      statement.append(statement.isEmpty() ? "" : "\n").append(line);
      if (line.startsWith("--")) {
        statement.setLength(0);
      } else if (line.endsWith(";")) {
        statements.addAll(List.of(statement.toString().split("(?<=[0-9'A-Z]);(?= SET )", -1)));
        statement.setLength(0);
      }
    }
    return statements;
  }
}
