package io.shardwright.examples.orders;

import io.shardwright.examples.orders.OrderQueries.Cursor;
import io.shardwright.examples.orders.OrderQueries.Summary;
import io.shardwright.schema.PlacementReport;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Compares what Shardwright answers with the source files and with what the shards hold when each
 * is asked directly.
 */
final class DemoChecks {
  private static final int PAGE = 7;

  private final DataSource database;
  private final DemoShards shards;
  private final List<DemoReport.Check> checks = new ArrayList<>();

  DemoChecks(DataSource database, DemoShards shards) {
    this.database = database;
    this.shards = shards;
  }

  List<DemoReport.Check> results() {
    return checks;
  }

  /** Before anything but the load has written. */
  void sourceTotals(OrderLoad.Loaded source) throws SQLException {
    same("orders = invoices of the files", source.invoices(), number("COUNT(*)", "orders"));
    same("items = lines of the files", source.lines(), number("COUNT(*)", "order_items"));
    same("refunds = credits of the files", source.refunds(), number("COUNT(*)", "refunds"));
    same("sum of items = sum of the files", source.amount(), number("SUM(amount)", "order_items"));
    same(
        "sum of orders = sum of the files, rounded per invoice",
        BigDecimal.valueOf(source.amountCent(), 2),
        number("SUM(amount_cent)", "orders").movePointLeft(2));
  }

  void placement(PlacementReport report) {
    same("rows on a wrong shard or in a wrong bucket", report.ok(), report.rowsChecked(), report);
  }

  void refusal(DemoReport.Refusal refusal) {
    same(
        "a write without route key is refused, nothing sent",
        "SW205, 0 shards",
        refusal.code() + ", " + refusal.shardsTouched() + " shards");
  }

  /** After the second act, when its traffic has ended. */
  void growth(DemoReport.Growth growth, OrderTraffic traffic, long ordersBefore)
      throws SQLException {
    same(
        "errors that requests saw while buckets moved",
        "0",
        traffic.errors().isEmpty() ? "0" : traffic.errors().size() + ": " + traffic.errors());
    same(
        "orders = those before + those acknowledged while buckets moved",
        ordersBefore + traffic.created(),
        number("COUNT(*)", "orders"));
    same(
        "moved buckets whose rows are equal on both sides",
        growth.buckets() + " of " + growth.buckets(),
        growth.verifiedBuckets() + " of " + growth.buckets());
  }

  long orders() throws SQLException {
    return number("COUNT(*)", "orders").longValueExact();
  }

  /** Pages by cursor of the busiest hour against the shards' own rows. */
  void pages(OrderQueries queries) throws SQLException {
    Instant from = busiestHour();
    Instant to = from.plus(1, ChronoUnit.HOURS);
    List<Long> paged = new ArrayList<>();
    Optional<Cursor> after = Optional.empty();
    do {
      List<Summary> page = queries.placedBetween(from, to, after, PAGE);
      page.forEach(order -> paged.add(order.key().orderId()));
      after =
          page.size() < PAGE ? Optional.empty() : Optional.of(page.get(page.size() - 1).cursor());
    } while (after.isPresent());
    List<Long> scanned = scan(from, to);
    checks.add(
        new DemoReport.Check(
            "pages of the busiest hour, concatenated = full scan of the shards",
            scanned.size() + " orders in order",
            paged.equals(scanned) ? paged.size() + " orders in order" : paged.size() + " others",
            paged.equals(scanned)));
  }

  private Instant busiestHour() throws SQLException {
    List<Object[]> hours = new ArrayList<>();
    for (String shard : shards.names()) {
      hours.addAll(
          rows(
              shard,
              "SELECT date_trunc('hour', created_at), COUNT(*) FROM orders"
                  + " GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1"));
    }
    return hours.stream()
        .max(java.util.Comparator.comparing(row -> (Long) row[1]))
        .map(row -> ((java.sql.Timestamp) row[0]).toInstant())
        .orElseThrow();
  }

  /** All orders of the time, each shard asked on its own, sorted here. */
  private List<Long> scan(Instant from, Instant to) throws SQLException {
    List<Object[]> orders = new ArrayList<>();
    for (String shard : shards.names()) {
      orders.addAll(
          rows(
              shard,
              "SELECT created_at, order_id FROM orders WHERE created_at >= '"
                  + from
                  + "' AND created_at < '"
                  + to
                  + "'"));
    }
    return orders.stream()
        .sorted(
            java.util.Comparator.<Object[], java.sql.Timestamp>comparing(
                    row -> (java.sql.Timestamp) row[0])
                .thenComparing(row -> (Long) row[1])
                .reversed())
        .map(row -> (Long) row[1])
        .toList();
  }

  private List<Object[]> rows(String shard, String sql) throws SQLException {
    List<Object[]> rows = new ArrayList<>();
    try (Connection connection = shards.connect(shard);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(new Object[] {row.getObject(1), row.getObject(2)});
      }
    }
    return rows;
  }

  private BigDecimal number(String what, String table) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + what + " FROM " + table)) {
      row.next();
      BigDecimal number = row.getBigDecimal(1);
      return number == null ? BigDecimal.ZERO : number;
    }
  }

  private void same(String name, long expected, BigDecimal actual) {
    same(name, BigDecimal.valueOf(expected), actual);
  }

  private void same(String name, BigDecimal expected, BigDecimal actual) {
    checks.add(
        new DemoReport.Check(
            name,
            expected.toPlainString(),
            actual.toPlainString(),
            expected.compareTo(actual) == 0));
  }

  private void same(String name, String expected, String actual) {
    checks.add(new DemoReport.Check(name, expected, actual, expected.equals(actual)));
  }

  private void same(String name, boolean ok, long rows, PlacementReport report) {
    String actual =
        ok
            ? "0 of " + rows
            : report.violatingRows() + " " + report.violations() + " " + report.problems();
    checks.add(new DemoReport.Check(name, "0 of " + rows, actual, ok));
  }
}
