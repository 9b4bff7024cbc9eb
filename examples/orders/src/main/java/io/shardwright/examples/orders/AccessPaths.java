package io.shardwright.examples.orders;

import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.StatementListener;
import io.shardwright.driver.StatementTrace;
import io.shardwright.examples.orders.OrderQueries.Cursor;
import io.shardwright.examples.orders.OrderQueries.Summary;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Runs each way to the data many times on one thread and measures it: the time of the call as the
 * application sees it, connection and transaction included; the shards as the driver reports them.
 */
final class AccessPaths {
  private static final long SEED = 2011;
  private static final int PAGE = 20;
  private static final int HOUR_PAGE = 10;
  private static final int SAMPLES_PER_WINDOW = 200;
  private static final int WINDOWS = 12;
  private static final Instant DATA_START = Instant.parse("2010-12-01T00:00:00Z");
  private static final Instant DATA_END = Instant.parse("2011-12-10T00:00:00Z");
  private static final String REFUSED = "DELETE FROM orders WHERE status = 'cancelled'";

  private final ShardwrightDataSource database;
  private final OrderService service;
  private final OrderQueries queries;
  private final Random random = new Random(SEED);
  private final List<DemoReport.Path> results = new ArrayList<>();
  private final List<Summary> samples = new ArrayList<>();

  AccessPaths(ShardwrightDataSource database, OrderService service, OrderQueries queries) {
    this.database = database;
    this.service = service;
    this.queries = queries;
  }

  /** One call; returns the rows that it read or wrote. */
  private interface Call {
    int run(int number) throws SQLException;
  }

  List<DemoReport.Path> run() throws SQLException {
    samples.addAll(samples(queries));
    measure("create order (all its tables)", 400, this::create);
    measure("create again with the same client key", 400, this::createAgain);
    measure("buyer's list, a page of " + PAGE, 1_000, this::buyersPage);
    measure("order with its items by order id alone", 1_000, this::byId);
    measure("an hour of all buyers, 3 pages of " + HOUR_PAGE, 200, this::hour);
    measure("totals by status", 20, number -> queries.totalsByStatus().size());
    return results;
  }

  /** Stored orders, spread over the time of the data. */
  static List<Summary> samples(OrderQueries queries) throws SQLException {
    List<Summary> samples = new ArrayList<>();
    long seconds = ChronoUnit.SECONDS.between(DATA_START, DATA_END) / WINDOWS;
    for (int i = 0; i < WINDOWS; i++) {
      Instant from = DATA_START.plusSeconds(i * seconds);
      samples.addAll(
          queries.placedBetween(
              from, from.plusSeconds(seconds), Optional.empty(), SAMPLES_PER_WINDOW));
    }
    return samples;
  }

  private Summary sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  private int create(int number) throws SQLException {
    return service.create(order(number)).created() ? 1 : 0;
  }

  private int createAgain(int number) throws SQLException {
    return service.create(order(number)).created() ? 1 : 0;
  }

  /** Of a buyer that depends on the number alone. */
  private NewOrder order(int number) {
    return order(samples.get(number * 31 % samples.size()), "demo-" + number, number);
  }

  /** The buyer of an earlier order buys again, 1 to 5 lines. */
  static NewOrder order(Summary earlier, String clientKey, int number) {
    OrderService.OrderKey key = earlier.key();
    List<NewOrder.Line> lines = new ArrayList<>();
    for (int i = 0; i < 1 + number % 5; i++) {
      lines.add(
          new NewOrder.Line("22423", "REGENCY CAKESTAND 3 TIER", 1 + i, new BigDecimal("12.75")));
    }
    return new NewOrder(
        new NewOrder.Buyer(key.tenantId(), key.buyerId(), "Customer " + key.buyerId()),
        1,
        clientKey,
        new NewOrder.Address(
            (int) key.tenantId(), RetailOrders.Countries.NAMES.get((int) key.tenantId() - 1)),
        lines,
        List.of(
            new NewOrder.StatusEvent(
                OrderStatus.PLACED, earlier.createdAt().plusSeconds(number % 60), "order")),
        Optional.empty());
  }

  private int buyersPage(int number) throws SQLException {
    Summary order = sample();
    // Every second call is the page after an order.
    Optional<Cursor> after = number % 2 == 0 ? Optional.empty() : Optional.of(order.cursor());
    return queries.ofBuyer(order.key().tenantId(), order.key().buyerId(), after, PAGE).size();
  }

  private int byId(int number) throws SQLException {
    return 1 + queries.byId(sample().key().orderId()).orElseThrow().items().size();
  }

  private int hour(int number) throws SQLException {
    Instant from = sample().createdAt().truncatedTo(ChronoUnit.HOURS);
    Instant to = from.plus(1, ChronoUnit.HOURS);
    int rows = 0;
    Optional<Cursor> after = Optional.empty();
    for (int page = 0; page < 3; page++) {
      List<Summary> orders = queries.placedBetween(from, to, after, HOUR_PAGE);
      rows += orders.size();
      if (orders.size() < HOUR_PAGE) {
        break;
      }
      after = Optional.of(orders.get(orders.size() - 1).cursor());
    }
    return rows;
  }

  private void measure(String name, int calls, Call call) throws SQLException {
    int warmUp = Math.max(1, calls / 10);
    // Creating is measured too with numbers of its own, so the warm-up takes those after them.
    for (int i = 0; i < warmUp; i++) {
      call.run(calls + i);
    }
    Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    long rows = 0;
    database.addListener(listener);
    try {
      for (int i = 0; i < calls; i++) {
        long start = System.nanoTime();
        rows += call.run(i);
        nanos.recordValue(Math.min(System.nanoTime() - start, nanos.getHighestTrackableValue()));
      }
    } finally {
      database.removeListener(listener);
    }
    results.add(
        new DemoReport.Path(
            name,
            calls,
            traces.size(),
            traces.stream().mapToInt(t -> t.shards().size()).min().orElse(0),
            traces.stream().mapToInt(t -> t.shards().size()).max().orElse(0),
            rows,
            TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(50)),
            TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(99)),
            traces.isEmpty() ? "" : traces.get(0).reason()));
  }

  /** A write without route key, which would have to go to every shard. */
  DemoReport.Refusal refused() throws SQLException {
    List<StatementTrace> traces = new ArrayList<>();
    StatementListener listener = traces::add;
    database.addListener(listener);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(REFUSED);
      return new DemoReport.Refusal(REFUSED, "", "it was executed", shards(traces));
    } catch (SQLException e) {
      String message = e.getMessage();
      String code = message.substring(0, Math.max(0, message.indexOf(':')));
      return new DemoReport.Refusal(REFUSED, code, message, shards(traces));
    } finally {
      database.removeListener(listener);
    }
  }

  private static int shards(List<StatementTrace> traces) {
    return traces.stream().mapToInt(StatementTrace::physicalStatements).sum();
  }
}
