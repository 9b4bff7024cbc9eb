package io.shardwright.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What does the fence cost? The same statements on a table with and without it, in turn, one
 * connection beside the driver, each in its own transaction. Medians.
 */
final class FenceCost {
  private static final int ROWS_OF_A_STATEMENT = 200;
  private static final int PAGE_BYTES = 4_096;
  private static final long FIRST = 50_000_000;

  private final MoveShards shards;
  private final int rounds;
  private final Map<String, double[]> micros = new LinkedHashMap<>();

  FenceCost(MoveShards shards, int rounds) {
    this.shards = shards;
    this.rounds = rounds;
  }

  private interface Work {
    void run() throws SQLException, IOException;
  }

  /**
   * Median microseconds by statement and table; {@code flush} is a page appended to a file beside
   * the server's and forced to the disk.
   */
  Map<String, Double> run() throws SQLException, IOException {
    Path file = shards.directory().resolve("bench-flush");
    try (Connection connection = shards.connect(0);
        FileChannel flushed =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int round = -rounds / 4; round < rounds; round++) {
        measure("flush", round, () -> flush(flushed));
        for (String table : new String[] {"bare", "orders"}) {
          long number = FIRST + rounds + round;
          measure("insert " + table, round, () -> insert(connection, table, number));
          measure("update " + table, round, () -> update(connection, table, number));
        }
      }
      for (int round = -1; round < Math.max(5, rounds / 20); round++) {
        for (String table : new String[] {"bare", "orders"}) {
          long number = 2 * FIRST + (long) (round + 1) * ROWS_OF_A_STATEMENT;
          measure("many " + table, round, () -> insertMany(connection, table, number, 1));
          long other = number + FIRST;
          measure("same " + table, round, () -> insertMany(connection, table, other, 0));
        }
      }
    } finally {
      Files.deleteIfExists(file);
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    micros.forEach(
        (what, times) -> {
          double[] taken = Arrays.copyOf(times, what.matches("(many|same).*") ? many() : rounds);
          Arrays.sort(taken);
          medians.put(what, taken[taken.length / 2]);
        });
    return medians;
  }

  private int many() {
    return Math.max(5, rounds / 20);
  }

  static int rowsOfAStatement() {
    return ROWS_OF_A_STATEMENT;
  }

  private static void flush(FileChannel file) throws IOException {
    int unused = file.write(ByteBuffer.allocate(PAGE_BYTES));
    file.force(false);
  }

  private static void insert(Connection connection, String table, long number) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, 7, 'note')")) {
      setKey(insert, 1, number);
      insert.executeUpdate();
    }
  }

  private static void update(Connection connection, String table, long number) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE "
                + table
                + " SET amount = amount + 1"
                + " WHERE bucket_id = ? AND buyer_id = ? AND order_id = ?")) {
      setKey(update, 1, number);
      update.executeUpdate();
    }
  }

  private static void setKey(PreparedStatement statement, int first, long number)
      throws SQLException {
    statement.setInt(first, (int) (number % (MoveShards.BUCKETS / 2)));
    statement.setLong(first + 1, number);
    statement.setLong(first + 2, number);
  }

  /**
   * @param step from one row's bucket to the next one's
   */
  private static void insertMany(Connection connection, String table, long number, int step)
      throws SQLException {
    StringBuilder insert = new StringBuilder("INSERT INTO " + table + " VALUES ");
    for (int i = 0; i < ROWS_OF_A_STATEMENT; i++) {
      long row = number + i;
      insert.append(i == 0 ? "(" : ", (").append(i * step).append(", ").append(row).append(", ");
      insert.append(row).append(", 7, 'note')");
    }
    MoveShards.execute(connection, insert.toString());
  }

  private void measure(String what, int round, Work work) throws SQLException, IOException {
    long start = System.nanoTime();
    work.run();
    long end = System.nanoTime();
    if (round >= 0) {
      micros.computeIfAbsent(what, w -> new double[rounds + 5])[round] = (end - start) / 1e3;
    }
  }
}
