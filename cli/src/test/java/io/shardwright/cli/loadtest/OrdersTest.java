package io.shardwright.cli.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Page;
import io.shardwright.cli.loadtest.Orders.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OrdersTest {
  private static final Orders ORDERS = new Orders(20_000, 7);

  @Test
  void lineCounts_areSkewedAsLifeIs() {
    SplittableRandom random = new SplittableRandom(3);
    int[] counts = new int[10_000];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Orders.lineCount(random);
    }
    assertThat(share(counts, 1, 1)).isBetween(0.68, 0.72);
    assertThat(share(counts, 5, 20)).isBetween(0.18, 0.22);
    assertThat(share(counts, 200, 2_000)).isBetween(0.09, 0.11);
    assertThat(share(counts, 2_000, 2_000)).isBetween(0.0005, 0.005);
  }

  private static double share(int[] counts, int from, int to) {
    long found = java.util.Arrays.stream(counts).filter(n -> n >= from && n <= to).count();
    return (double) found / counts.length;
  }

  @Test
  void rows_areThoseOfTheSeed_andAddUp() {
    assertThat(new Orders(20_000, 7).rows(Table.LINES)).isEqualTo(ORDERS.rows(Table.LINES));
    assertThat(new Orders(20_000, 8).rows(Table.LINES)).isNotEqualTo(ORDERS.rows(Table.LINES));
    long orders = ORDERS.rows(Table.ORDERS).stream().mapToLong(Item::money).sum();
    assertThat(ORDERS.rows(Table.LINES).stream().mapToLong(Item::money).sum()).isEqualTo(orders);
    assertThat(ORDERS.rows(Table.LINES).stream().map(Item::id).distinct())
        .hasSameSizeAs(ORDERS.rows(Table.LINES));
  }

  @Test
  void page_isWhatAScanOfAllRowsFinds() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 300; i++) {
      PageQuery query = Scenarios.ofADay(random);
      query = random.nextBoolean() ? query.sortedByMoney() : query;
      query = random.nextBoolean() ? query.withNumber(random.nextInt(5)) : query;
      query =
          random.nextBoolean()
              ? query.ofBuyer(ORDERS.buyers().get(random.nextInt(ORDERS.buyers().size())))
              : query;
      long odd = random.nextInt(2);

      Page page = ORDERS.page(query, buyer -> buyer % 2 == odd);

      List<Item> scanned = scan(query, odd);
      assertThat(page.items())
          .isEqualTo(scanned.subList(0, Math.min(scanned.size(), query.limit())));
      assertThat(page.truncated()).isEqualTo(scanned.size() > query.limit());
    }
  }

  private static List<Item> scan(PageQuery query, long odd) {
    Comparator<Item> order =
        query.byMoney()
            ? Comparator.comparingLong(Item::money)
            : Comparator.comparing(Item::createdAt);
    Stream<Item> found =
        ORDERS.rows(Table.ORDERS).stream()
            .filter(item -> !item.createdAt().isBefore(query.from()))
            .filter(item -> item.createdAt().isBefore(query.to()))
            .filter(item -> query.buyer() == 0 || item.buyerId() == query.buyer())
            .filter(item -> query.number() < 0 || item.number() == query.number())
            .filter(item -> item.buyerId() % 2 == odd);
    return found.sorted(order.thenComparingLong(Item::id).reversed()).toList();
  }

  @Test
  void page_atTheTurnOfTheMonth_isHalfOpenToTheMicrosecond() {
    Duration two = Duration.of(2, ChronoUnit.MICROS);
    assertThat(ids(Orders.TURN.minus(two), Orders.TURN)).contains(1L, 2L).doesNotContain(3L);
    assertThat(ids(Orders.TURN, Orders.TURN.plus(two))).contains(3L, 4L).doesNotContain(2L);
  }

  private static List<Long> ids(Instant from, Instant to) {
    PageQuery query = PageQuery.of(Table.ORDERS, from, to, 50);
    return ORDERS.page(query, buyer -> true).items().stream().map(Item::id).toList();
  }
}
