package io.shardwright.cli.loadtest;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * What is loaded, known row by row, so that answers can be compared with it. Two months of orders
 * around the turn of a month, at which there are more; their buyers are skewed. Immutable.
 */
final class Orders {
  static final Instant FROM = Instant.parse("2026-01-03T00:00:00Z");
  static final Instant TURN = Instant.parse("2026-02-01T00:00:00Z");
  static final Instant TO = Instant.parse("2026-03-01T00:00:00Z");

  /** Of lines of one order; their ids are told apart by it. */
  static final int LINES_MAX = 2_000;

  private static final int LINE_IDS = 4_096;
  private static final Duration RUSH = Duration.ofMinutes(10);
  private static final double RUSH_SHARE = 0.1;
  private static final int STATES = 5;
  private static final int ORDERS_PER_BUYER = 5;
  private static final int BUYERS_MIN = 40;

  private static final Comparator<Item> NEWEST_FIRST =
      Comparator.comparingLong(Item::micros).thenComparingLong(Item::id).reversed();

  private final List<Item> orders = new ArrayList<>();
  private final List<Item> lines = new ArrayList<>();
  private final Map<Long, List<Item>> ordersOfBuyer = new HashMap<>();
  private final List<Long> buyers;

  /** The tables, which have columns of the same meaning. */
  enum Table {
    ORDERS("orders", "order_id", "status", "amount_cent"),
    LINES("order_lines", "line_id", "quantity", "price_cent");

    private final String word;
    private final String id;
    private final String number;
    private final String money;

    Table(String word, String id, String number, String money) {
      this.word = word;
      this.id = id;
      this.number = number;
      this.money = money;
    }

    String word() {
      return word;
    }

    String id() {
      return id;
    }

    String number() {
      return number;
    }

    String money() {
      return money;
    }
  }

  /**
   * A row.
   *
   * @param number status of an order, quantity of a line
   * @param money in cents
   * @param micros since 1970
   */
  record Item(long id, long buyerId, int number, long money, long micros) {
    Instant createdAt() {
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Of a line. */
    long orderId() {
      return id / LINE_IDS;
    }
  }

  /**
   * @param rows orders and lines together, about
   */
  Orders(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int buyerCount = Math.max(BUYERS_MIN, rows / 35 / ORDERS_PER_BUYER);
    long id = 0;
    int loaded = 0;
    while (loaded < rows) {
      id++;
      // The product of two: few buyers have many orders, many have few.
      double skewed = random.nextDouble() * random.nextDouble();
      long buyer = 1 + (long) (skewed * buyerCount);
      int count = lineCount(random);
      Item order = order(id, buyer, count, created(id, random), random);
      orders.add(order);
      lines.addAll(lines(order, count));
      loaded += 1 + count;
    }
    orders.sort(NEWEST_FIRST);
    lines.sort(NEWEST_FIRST);
    orders.forEach(
        order ->
            ordersOfBuyer.computeIfAbsent(order.buyerId(), unused -> new ArrayList<>()).add(order));
    List<Long> byCount = new ArrayList<>(ordersOfBuyer.keySet());
    byCount.sort(
        Comparator.comparingInt((Long buyer) -> -ordersOfBuyer.get(buyer).size())
            .thenComparingLong(buyer -> buyer));
    buyers = Collections.unmodifiableList(byCount);
  }

  /** As life is: 70% one line, 20% of 5 to 20, 10% of 200 and more, a few of 2,000. */
  static int lineCount(SplittableRandom random) {
    int kind = random.nextInt(1_000);
    if (kind < 700) {
      return 1;
    }
    if (kind < 900) {
      return random.nextInt(5, 21);
    }
    return kind < 998 ? random.nextInt(200, 401) : LINES_MAX;
  }

  static Item order(long id, long buyer, int lineCount, Instant created, SplittableRandom random) {
    long money = 0;
    for (int i = 0; i < lineCount; i++) {
      money += price(id, i);
    }
    return new Item(
        id,
        buyer,
        random.nextInt(STATES),
        money,
        ChronoUnit.MICROS.between(Instant.EPOCH, created));
  }

  static List<Item> lines(Item order, int count) {
    List<Item> lines = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long id = order.id() * LINE_IDS + i;
      lines.add(new Item(id, order.buyerId(), 1 + i % 9, price(order.id(), i), order.micros() + i));
    }
    return lines;
  }

  private static long price(long order, int line) {
    return 100 + (order * 31 + line * 17L) % 9_900;
  }

  /** The first ones are at the turn of the month to the microsecond. */
  private static Instant created(long id, SplittableRandom random) {
    if (id <= 4) {
      return TURN.plus(id - 3, ChronoUnit.MICROS);
    }
    if (random.nextDouble() < RUSH_SHARE) {
      return between(TURN.minus(RUSH), TURN.plus(RUSH), random);
    }
    return between(FROM, TO, random);
  }

  static Instant between(Instant from, Instant to, SplittableRandom random) {
    return from.plus(random.nextLong(ChronoUnit.MICROS.between(from, to)), ChronoUnit.MICROS);
  }

  /** The newest first. */
  List<Item> rows(Table table) {
    return Collections.unmodifiableList(table == Table.ORDERS ? orders : lines);
  }

  /** Those with most orders first. */
  List<Long> buyers() {
    return buyers;
  }

  /**
   * The right answer to a query, and whether more follows.
   *
   * @param present which buyers' rows count
   */
  Page page(PageQuery query, LongPredicate present) {
    List<Item> all = query.buyer() == 0 ? rows(query.table()) : ofBuyer(query);
    List<Item> found = new ArrayList<>();
    int wanted = query.byMoney() ? Integer.MAX_VALUE : query.limit() + 1;
    for (int i = first(all, query.toMicros()); i < all.size() && found.size() < wanted; i++) {
      Item item = all.get(i);
      if (item.micros() < query.fromMicros()) {
        break;
      }
      if ((query.number() < 0 || item.number() == query.number()) && present.test(item.buyerId())) {
        found.add(item);
      }
    }
    if (query.byMoney()) {
      found.sort(Comparator.comparingLong(Item::money).thenComparingLong(Item::id).reversed());
    }
    boolean more = found.size() > query.limit();
    return new Page(List.copyOf(found.subList(0, Math.min(query.limit(), found.size()))), more);
  }

  private List<Item> ofBuyer(PageQuery query) {
    if (query.table() != Table.ORDERS) {
      throw new IllegalArgumentException("lines of one buyer are not asked for");
    }
    return ordersOfBuyer.getOrDefault(query.buyer(), List.of());
  }

  /** Of the first item before a time. */
  private static int first(List<Item> newestFirst, long micros) {
    int low = 0;
    int high = newestFirst.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (newestFirst.get(middle).micros() >= micros) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * @param truncated whether more rows follow
   */
  record Page(List<Item> items, boolean truncated) {}
}
