package io.shardwright.bench.compare;

import static io.shardwright.bench.compare.Side.ONE_SERVER;
import static io.shardwright.bench.compare.Side.RAW;
import static io.shardwright.bench.compare.Side.SHARDINGSPHERE;
import static io.shardwright.bench.compare.Side.SHARDWRIGHT;
import static io.shardwright.bench.compare.Side.SLOWEST_SHARD;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All workloads, by name, in the order of the report. */
final class Workloads {
  /** Shards without a server. */
  static final String STUB = "stub";

  /** Eight shards, each 1 ms away. */
  static final String FAR = "far";

  /** Eight shards with a catalog and a table with a lookup index. */
  static final String LOOKUP = "lookup";

  static final String SKEWED = "skewed-8";

  static final Instant FIRST_ORDER = Instant.parse("2026-01-01T00:00:00Z");
  static final int PAGE = 20;

  private static final int FETCH_SIZE = 1_000;
  private static final String EIGHT = "8";
  private static final List<Side> SHARDED = List.of(RAW, SHARDWRIGHT, SHARDINGSPHERE);
  private static final List<Side> ALL = List.of(RAW, SHARDWRIGHT, SHARDINGSPHERE, ONE_SERVER);
  private static final List<Side> WITH_SLOWEST =
      List.of(RAW, SHARDWRIGHT, SHARDINGSPHERE, ONE_SERVER, SLOWEST_SHARD);

  private static final String NEWEST =
      "SELECT order_id, status, total_amount, created_at FROM orders"
          + " ORDER BY created_at DESC, order_id DESC LIMIT ";
  private static final String ALL_ROWS =
      "SELECT order_id, status, total_amount, created_at FROM orders";

  private final Map<String, Workload> byName = new LinkedHashMap<>();

  private Workloads() {
    addPoints();
    addWrites();
    addInLists();
    addScatters();
    addLookups();
    addThreads();
    addStubs();
  }

  static Map<String, Workload> all() {
    return new Workloads().byName;
  }

  private void add(
      String name, String title, String set, List<Side> sides, Workload.Operation operation) {
    byName.put(name, new Workload(name, title, set, sides, 1, 0, operation));
  }

  private void addThreads(String name, String title, int threads, Workload.Operation operation) {
    byName.put(name, new Workload(name, title, EIGHT, ALL, threads, 0, operation));
  }

  private void addPoints() {
    add("point", "prepared point SELECT", EIGHT, ALL, Operations::point);
    add("literal", "point SELECT with literals, not prepared", EIGHT, ALL, Operations::literal);
  }

  private void addWrites() {
    add("insert", "INSERT of a row", EIGHT, ALL, Operations::insert);
    add(
        "create-order",
        "transaction that creates an order: 5 rows in 4 tables",
        EIGHT,
        ALL,
        Operations::createOrder);
  }

  private void addInLists() {
    for (int keys : new int[] {2, 20, 200, 500}) {
      add("in-" + keys, "IN list of " + keys + " keys", EIGHT, ALL, inList(keys));
    }
  }

  private static Workload.Operation inList(int keys) {
    return (opponent, turn) -> turn.countRows(opponent.readBuyers(turn.buyers(keys)), keys);
  }

  private void addScatters() {
    for (String shards : new String[] {"4", EIGHT, "16"}) {
      for (int rows : new int[] {20, 100}) {
        boolean target = rows == 20 && shards.equals(EIGHT);
        add(
            "top-" + rows + "-of-" + shards,
            "newest " + rows + " of " + shards + " shards",
            shards,
            target ? WITH_SLOWEST : ALL,
            newest(rows));
      }
    }
    add("top-20-far", "newest 20 of 8 shards that are 1 ms away", FAR, WITH_SLOWEST, newest(PAGE));
    add(
        "group-by",
        "GROUP BY status with COUNT and SUM",
        EIGHT,
        ALL,
        reading(
            Read.of(
                "SELECT status, COUNT(*), SUM(total_amount) FROM orders GROUP BY status",
                Read.Merge.SUM_BY_NAME,
                0,
                row -> {
                  row.getString(1);
                  row.getBigDecimal(3);
                }),
            OrderTables.STATUSES.size()));
    add(
        "count",
        "COUNT of all rows",
        EIGHT,
        ALL,
        reading(
            Read.of("SELECT COUNT(*) FROM orders", Read.Merge.SUM, 0, row -> row.getLong(1)), 1));
    add("page-offset", "deep page by OFFSET", EIGHT, ALL, Workloads::pageByOffset);
    add("page-cursor", "the same page by cursor", EIGHT, ALL, Workloads::pageByCursor);
    add(
        "stream",
        "all rows, streamed",
        EIGHT,
        ALL,
        streaming(Read.of(ALL_ROWS, Read.Merge.CONCATENATE, 0, Workloads::readOrder)));
    add(
        "stream-ordered",
        "all rows, streamed, merged by time",
        EIGHT,
        ALL,
        streaming(
            Read.of(
                ALL_ROWS + " ORDER BY created_at, order_id",
                Read.Merge.OLDEST_FIRST,
                0,
                Workloads::readOrder)));
  }

  private static Workload.Operation newest(int rows) {
    return reading(
        Read.of(NEWEST + rows, Read.Merge.NEWEST_FIRST, rows, Workloads::readOrder), rows);
  }

  private static Workload.Operation reading(Read read, int rows) {
    return (opponent, turn) -> turn.countRows(opponent.read(read), rows);
  }

  /** Other sides insert rows meanwhile. */
  private static Workload.Operation streaming(Read read) {
    return (opponent, turn) -> {
      boolean inTransaction = turn.database().streamsInTransactionsOnly();
      long rows = opponent.read(read.fetching(FETCH_SIZE, inTransaction));
      if (rows < turn.scale().rows()) {
        throw new IllegalStateException(rows + " rows instead of " + turn.scale().rows());
      }
      turn.countRows(rows, -1);
    };
  }

  /** By hand, each shard gives all rows up to the end of the page. */
  private static void pageByOffset(Opponent opponent, Turn turn) throws SQLException {
    int from = turn.scale().deepRow();
    boolean byHand = opponent instanceof RawOpponent;
    String page = byHand ? NEWEST + (from + PAGE) : NEWEST + PAGE + " OFFSET " + from;
    int rows = byHand ? from + PAGE : PAGE;
    Read read = Read.of(page, Read.Merge.NEWEST_FIRST, rows, Workloads::readOrder);
    turn.countRows(opponent.read(read), rows);
  }

  private static void pageByCursor(Opponent opponent, Turn turn) throws SQLException {
    int row = turn.scale().rows() - turn.scale().deepRow();
    // A comparison of rows, (a, b) < (?, ?), uses no index on MariaDB.
    Timestamp last = Timestamp.from(FIRST_ORDER.plusSeconds(row));
    Read read =
        Read.of(
            "SELECT order_id, status, total_amount, created_at FROM orders"
                + " WHERE created_at <= ? AND (created_at < ? OR order_id < ?)"
                + " ORDER BY created_at DESC, order_id DESC LIMIT "
                + PAGE,
            Read.Merge.NEWEST_FIRST,
            PAGE,
            Workloads::readOrder,
            last,
            last,
            (long) row);
    turn.countRows(opponent.read(read), PAGE);
  }

  private static void readOrder(ResultSet row) throws SQLException {
    if (row.getLong(1) < 0 || row.getString(2).isEmpty()) {
      throw new SQLException("not an order that was written here");
    }
    BigDecimal total = row.getBigDecimal(3);
    if (total.signum() < 0) {
      throw new SQLException("a negative total: " + total);
    }
  }

  private void addLookups() {
    add(
        "by-unique-index",
        "row by a unique column that is not the key",
        LOOKUP,
        ALL,
        Numbered::readByNumber);
    add("by-gene", "row by an id that carries its bucket", LOOKUP, ALL, Numbered::readById);
  }

  private void addThreads() {
    for (int threads : new int[] {8, 64}) {
      addThreads(
          "point-" + threads, "point SELECT, " + threads + " threads", threads, Operations::point);
    }
    for (int threads : new int[] {1, 8, 64}) {
      addThreads(
          "mix-" + threads,
          "10 reads, 2 updates, 1 delete, 1 insert in a transaction, threads: " + threads,
          threads,
          Operations::mix);
    }
    addThreads(
        SKEWED,
        "transaction that creates an order, buyers as often as in a real shop, 8 threads",
        8,
        Operations::createSkewedOrder);
    byName.put(
        "open-loop",
        new Workload(
            "open-loop",
            "point SELECT, 1,000 begun a second (open loop), 8 threads",
            EIGHT,
            ALL,
            8,
            1_000,
            Operations::point));
  }

  private void addStubs() {
    add("stub-point", "prepared point SELECT", STUB, SHARDED, Operations::point);
    add("stub-literal", "point SELECT with literals", STUB, SHARDED, Operations::literal);
    add("stub-new-text", "text of a shape never seen", STUB, SHARDED, Operations::newText);
    add("stub-insert", "INSERT of a row", STUB, SHARDED, Operations::insert);
    add("stub-create-order", "order in 4 tables", STUB, SHARDED, Operations::createOrder);
    for (int keys : new int[] {2, 20, 200, 500}) {
      add(
          "stub-in-" + keys,
          "IN list of " + keys + " keys",
          STUB,
          SHARDED,
          (opponent, turn) -> turn.countRows(opponent.readBuyers(turn.buyers(keys)), -1));
    }
    add(
        "stub-top-20",
        "newest 20 of 8 shards",
        STUB,
        SHARDED,
        (opponent, turn) ->
            turn.countRows(
                opponent.read(
                    Read.of(NEWEST + PAGE, Read.Merge.NEWEST_FIRST, PAGE, Workloads::readOrder)),
                -1));
  }

  /** All names, also of what is measured in other ways than by turns. */
  static List<String> names() {
    List<String> names = new ArrayList<>(all().keySet());
    names.add(ColdStart.NAME);
    names.add(LeastHeap.NAME);
    return names;
  }

  /** Names of those that match: the name itself, or its beginning before a star. */
  static List<String> matching(String pattern) {
    List<String> names = new ArrayList<>();
    for (String name : names()) {
      if (pattern.endsWith("*")
          ? name.startsWith(pattern.substring(0, pattern.length() - 1))
          : name.equals(pattern)) {
        names.add(name);
      }
    }
    return names;
  }
}
