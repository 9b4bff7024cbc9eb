package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.OpenLoop.Request;
import io.shardwright.cli.loadtest.OpenLoop.Traffic;
import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/** The traffic of the scenarios on shards that are all well. */
final class Scenarios {
  static final int PAGE = 50;

  private static final int PAGE_OF_BUYER = 20;
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final double HOT_SHARE = 0.3;
  private static final double WRITE_SHARE = 0.2;
  private static final int RUSH_FACTOR = 5;
  private static final int BURST = 100;
  private static final int HEAD_KEYS = 10;
  private static final int HEAD_FACTOR = 20;

  private final Stand stand;
  private final OwnSchema schema;
  private final Orders orders;
  private final int perSecond;

  Scenarios(Stand stand, OwnSchema schema, Orders orders, int perSecond) {
    this.stand = stand;
    this.schema = schema;
    this.orders = orders;
    this.perSecond = perSecond;
  }

  private interface Next {
    List<Request> of(SplittableRandom random, double progress);
  }

  private static Traffic traffic(DoubleUnaryOperator rate, Next next) {
    return new Traffic() {
      @Override
      public List<Request> next(SplittableRandom random, double progress) {
        return next.of(random, progress);
      }

      @Override
      public double perSecond(double progress) {
        return rate.applyAsDouble(progress);
      }
    };
  }

  /**
   * @param writes of the scenario
   */
  Traffic of(Measurement measurement, Writes writes) {
    return switch (measurement.scenario()) {
      case MISSING_KEY -> missingKey(measurement);
      case CROSS_SHARD_SORT -> crossShardSort(measurement);
      case HOT_BUYER -> hotBuyer(measurement, writes);
      case MONTH_BOUNDARY -> monthBoundary(measurement, writes);
      case BURST -> burst(measurement);
      case HEAD_KEYS -> headKeys(measurement);
      case SLOW_SHARD, SHARD_DOWN, DEEP_PAGING ->
          throw new IllegalArgumentException(measurement.scenario() + " has a flow of its own");
    };
  }

  private Request ask(Series series, PageQuery query) {
    return new Request(series, QueryCall.of(stand, schema.token(), query, orders));
  }

  /** Everybody's newest orders of some day. */
  static PageQuery ofADay(SplittableRandom random) {
    Instant from = Orders.between(Orders.FROM, Orders.TO.minus(WINDOW), random);
    return PageQuery.of(Table.ORDERS, from, from.plus(WINDOW), PAGE);
  }

  private static PageQuery ofBuyer(long buyer) {
    return PageQuery.of(Table.ORDERS, Orders.FROM, Orders.TO, PAGE_OF_BUYER).ofBuyer(buyer);
  }

  /** As often as it has orders. */
  private long someBuyer(SplittableRandom random) {
    List<Item> all = orders.rows(Table.ORDERS);
    return all.get(random.nextInt(all.size())).buyerId();
  }

  private long someBuyer(SplittableRandom random, Set<Long> except) {
    long buyer = someBuyer(random);
    while (except.contains(buyer)) {
      buyer = someBuyer(random);
    }
    return buyer;
  }

  private Traffic missingKey(Measurement measurement) {
    Series with = measurement.series("with the key");
    Series without = measurement.series("without the key");
    return traffic(
        progress -> perSecond,
        (random, progress) ->
            List.of(
                random.nextBoolean()
                    ? ask(with, ofBuyer(someBuyer(random)))
                    : ask(without, ofADay(random).withNumber(random.nextInt(5)))));
  }

  private Traffic crossShardSort(Measurement measurement) {
    Series time = measurement.series("by time, which an index has");
    Series money = measurement.series("by amount, sorted by the shards");
    return traffic(
        progress -> perSecond,
        (random, progress) ->
            List.of(
                random.nextBoolean()
                    ? ask(time, ofADay(random))
                    : ask(money, ofADay(random).sortedByMoney())));
  }

  private Traffic hotBuyer(Measurement measurement, Writes writes) {
    Series hotReads = measurement.series("hot buyer: reads");
    Series hotWrites = measurement.series("hot buyer: writes");
    Series reads = measurement.series("others: reads");
    Series written = measurement.series("others: writes");
    long hot = orders.buyers().get(0);
    return traffic(
        progress -> perSecond,
        (random, progress) -> {
          boolean isHot = random.nextDouble() < HOT_SHARE;
          long buyer = isHot ? hot : someBuyer(random, Set.of(hot));
          return List.of(
              random.nextDouble() < WRITE_SHARE
                  ? new Request(isHot ? hotWrites : written, writes.order(buyer, random))
                  : ask(isHot ? hotReads : reads, ofBuyer(buyer)));
        });
  }

  /** The middle third of the time is the rush. */
  private Traffic monthBoundary(Measurement measurement, Writes writes) {
    Series across = measurement.series("across the turn");
    Series before = measurement.series("up to the turn");
    Series after = measurement.series("from the turn on");
    Series elsewhere = measurement.series("the turn in another time zone");
    Series written = measurement.series("writes");
    Instant turn = Orders.TURN;
    ZoneOffset east = ZoneOffset.ofHours(8);
    Instant eastern = turn.minus(8, ChronoUnit.HOURS);
    return traffic(
        progress -> perSecond * (progress > 1 / 3.0 && progress < 2 / 3.0 ? RUSH_FACTOR : 1),
        (random, progress) -> {
          Duration around = Duration.of(1L << random.nextInt(1, 31), ChronoUnit.MICROS);
          int kind = random.nextInt(10);
          if (kind < 4) {
            return List.of(ask(across, range(turn.minus(around), turn.plus(around))));
          } else if (kind < 5) {
            return List.of(ask(before, range(turn.minus(around), turn)));
          } else if (kind < 6) {
            return List.of(ask(after, range(turn, turn.plus(around))));
          } else if (kind < 8) {
            Instant from = eastern.minus(Duration.ofHours(4));
            return List.of(ask(elsewhere, range(from, eastern.plus(Duration.ofHours(4))).in(east)));
          }
          return List.of(new Request(written, writes.order(someBuyer(random), random)));
        });
  }

  private static PageQuery range(Instant from, Instant to) {
    return PageQuery.of(Table.ORDERS, from, to, PAGE);
  }

  /**
   * Once a second, of a role that few of are admitted; beside it goes steady traffic of another.
   */
  private Traffic burst(Measurement measurement) {
    Series beside = measurement.series("another role meanwhile");
    Series burst = measurement.series("burst");
    double seconds = measurement.planned().toNanos() / 1e9;
    return traffic(
        progress -> perSecond,
        new Next() {
          private int bursts;

          @Override
          public List<Request> of(SplittableRandom random, double progress) {
            List<Request> requests = new ArrayList<>();
            if (progress * seconds >= bursts) {
              bursts++;
              for (int i = 0; i < BURST; i++) {
                PageQuery query = ofADay(random);
                requests.add(
                    new Request(burst, QueryCall.of(stand, schema.narrowToken(), query, orders)));
              }
            }
            requests.add(ask(beside, ofBuyer(someBuyer(random))));
            return requests;
          }
        });
  }

  private Traffic headKeys(Measurement measurement) {
    Series headBefore = measurement.series("head keys before");
    Series headThen = measurement.series("head keys, 20 times as often");
    Series othersBefore = measurement.series("others before");
    Series othersThen = measurement.series("others meanwhile");
    List<Long> head = orders.buyers().subList(0, Math.min(HEAD_KEYS, orders.buyers().size() / 2));
    Set<Long> heads = new HashSet<>(head);
    List<Item> all = orders.rows(Table.ORDERS);
    double share =
        all.stream().filter(order -> heads.contains(order.buyerId())).count() / (double) all.size();
    double more = HEAD_FACTOR * share;
    measurement.note("share of the head keys before", share * 100, "%");
    measurement.note("share of the head keys then", more / (1 - share + more) * 100, "%");
    return traffic(
        progress -> perSecond * (progress < 0.5 ? 1 : 1 - share + more),
        (random, progress) -> {
          boolean then = progress >= 0.5;
          boolean isHead = random.nextDouble() < (then ? more / (1 - share + more) : share);
          long buyer = isHead ? head.get(random.nextInt(head.size())) : someBuyer(random, heads);
          Series series =
              isHead ? (then ? headThen : headBefore) : (then ? othersThen : othersBefore);
          return List.of(ask(series, ofBuyer(buyer)));
        });
  }
}
