package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million rows of four shards in a process whose heap could not hold a third of them. */
abstract class StreamingHeapContract {
  private static final int SHARDS = 4;

  /** Of samples; each shard has a quarter. */
  private static final int BUCKETS = 64;

  private static final int ROWS = 1_000_000;
  private static final int FETCH_SIZE = 1_000;

  @TempDir Path directory;

  abstract TestingDatabase database();

  /** Numbers from 0 on, as a FROM item {@code n (i)}. */
  abstract String numbers(int count);

  abstract String analyze();

  @Test
  void millionRows_streamThroughASmallHeap() throws Exception {
    try (TestingShards shards = TestingShards.open(database(), SHARDS)) {
      for (int shard = 0; shard < SHARDS; shard++) {
        shards.onShard(
            shard,
            "INSERT INTO samples (bucket_id, k, id, t) SELECT "
                + shard * BUCKETS / SHARDS
                + ", 1, i * "
                + SHARDS
                + " + "
                + shard
                + ", repeat('x', 100) FROM "
                + numbers(ROWS / SHARDS));
        shards.onShard(shard, "CREATE INDEX samples_by_id ON samples (id)");
        shards.onShard(shard, analyze());
      }
      Path file = directory.resolve("shardwright.yaml");
      Files.writeString(file, shards.yaml());
      Path output = directory.resolve("output");
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Reader.class.getName(),
                  file.toString())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      int exit = process.waitFor();

      String said = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(exit).as(said).isZero();
      assertThat(said)
          .contains(
              "unordered " + ROWS + " rows", "ordered " + ROWS + " rows", "transaction " + ROWS);
    }
  }

  /** The process with the small heap. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws SQLException {
      try (ShardwrightDataSource source = Shardwright.open(Path.of(arguments[0]));
          Connection connection = source.getConnection()) {
        System.out.println("unordered " + read(connection, "SELECT id, t FROM samples") + " rows");
        System.out.println(
            "ordered "
                + readOrdered(connection, "SELECT id, t FROM samples ORDER BY id")
                + " rows");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        System.out.println("transaction " + read(connection, "SELECT id, t FROM samples"));
        connection.commit();
      }
    }

    private static long read(Connection connection, String sql) throws SQLException {
      long count = 0;
      long sum = 0;
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH_SIZE);
        try (ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            count++;
            sum += rows.getLong(1);
          }
        }
      }
      return sum == (long) ROWS * (ROWS - 1) / 2 ? count : -1;
    }

    private static long readOrdered(Connection connection, String sql) throws SQLException {
      long count = 0;
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH_SIZE);
        try (ResultSet rows = statement.executeQuery(sql)) {
          while (rows.next()) {
            if (rows.getLong(1) != count) {
              return -1;
            }
            count++;
          }
        }
      }
      return count;
    }
  }
}
