package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Orders that a scenario writes, each with its lines in one transaction of the driver. They are
 * after the time that is asked for, so that the answers stay those that are known, and counted and
 * added up at the end. Thread-safe.
 */
final class Writes {
  private static final Instant FROM = Instant.parse("2026-06-01T00:00:00Z");
  private static final long IDS = 1_000_000_000;

  private final Stand stand;
  private final Rows rows;
  private final long firstId;
  private final Instant from;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong ordersAcknowledged = new AtomicLong();
  private final AtomicLong linesAcknowledged = new AtomicLong();
  private final AtomicLong moneyAcknowledged = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  Writes(Stand stand, Rows rows, Scenario scenario) {
    this.stand = stand;
    this.rows = rows;
    this.firstId = scenario.number() * IDS;
    this.from = FROM.plus(Duration.ofDays(scenario.number()));
  }

  /** An order with as many lines as chance has it. */
  Call order(long buyer, SplittableRandom random) {
    long number = written.getAndIncrement();
    int lineCount = Orders.lineCount(random);
    Item order =
        Orders.order(
            firstId + number, buyer, lineCount, from.plusMillis(number % 86_400_000), random);
    return () -> {
      try {
        write(order, lineCount);
      } catch (SQLException e) {
        failed.incrementAndGet();
        String code = e.getSQLState() == null ? "failed" : "SQLSTATE " + e.getSQLState();
        return () -> Outcome.error(code, List.of(stand.shardOf(buyer)));
      }
      ordersAcknowledged.incrementAndGet();
      linesAcknowledged.addAndGet(lineCount);
      moneyAcknowledged.addAndGet(order.money());
      return () ->
          new Outcome(
              Outcome.OK,
              List.of(stand.shardOf(buyer)),
              Map.of(stand.shardOf(buyer), 1 + lineCount),
              false,
              Optional.empty());
    };
  }

  private void write(Item order, int lineCount) throws SQLException {
    try (Connection connection = stand.source().getConnection()) {
      connection.setAutoCommit(false);
      try {
        rows.insert(connection, Table.ORDERS, List.of(order));
        rows.insert(connection, Table.LINES, Orders.lines(order, lineCount));
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  /** That exactly what was acknowledged is there; of what failed, each is there or not. */
  void check(Measurement measurement) throws SQLException {
    compare(measurement, Table.ORDERS, ordersAcknowledged.get());
    compare(measurement, Table.LINES, linesAcknowledged.get());
  }

  private void compare(Measurement measurement, Table table, long acknowledged)
      throws SQLException {
    String sql =
        "SELECT count(*), coalesce(sum("
            + table.money()
            + "), 0) FROM "
            + table.word()
            + " WHERE order_id >= ? AND order_id < ?";
    try (Connection connection = stand.source().getConnection();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, firstId);
      select.setLong(2, firstId + IDS);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long count = row.getLong(1);
        long money = row.getLong(2);
        boolean same = count == acknowledged && money == moneyAcknowledged.get();
        boolean may = failed.get() > 0 && count >= acknowledged;
        measurement.add(
            same || may
                ? new Outcome(Outcome.OK, List.of(), Map.of(), true, Optional.empty())
                : Outcome.wrong(
                    Outcome.OK,
                    count
                        + " rows with "
                        + money
                        + " cents of "
                        + table.word()
                        + " are there, and "
                        + acknowledged
                        + " with "
                        + moneyAcknowledged.get()
                        + " were acknowledged"));
      }
    }
  }
}
