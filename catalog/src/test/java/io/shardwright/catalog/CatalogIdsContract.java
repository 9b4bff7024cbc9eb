package io.shardwright.catalog;

import static io.shardwright.catalog.TestingConfiguration.execute;
import static io.shardwright.catalog.TestingConfiguration.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease.Grant;
import io.shardwright.ids.SegmentIds;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.testkit.TestingClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node numbers and sequences of a catalog in a database, on each of them. */
abstract class CatalogIdsContract extends CatalogFixture {
  private static final String SCOPE = "orders";
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final long GRANTED_MILLIS = 50_000;
  private static final BucketId GENE = new BucketId(7);

  private final List<AutoCloseable> closing = new ArrayList<>();

  @BeforeEach
  void installTables() throws SQLException {
    install(configuration);
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : closing) {
      each.close();
    }
  }

  /** A process with clocks of its own, whose way to the catalog can be cut. */
  private final class Holder {
    final TestingClock wall = new TestingClock(START);
    final AtomicLong nanos = new AtomicLong(5);
    final AtomicBoolean cut = new AtomicBoolean();
    final CatalogSession session;

    Holder() {
      session =
          new CatalogSession(
              configuration.catalog().orElseThrow(),
              () -> {
                if (cut.get()) {
                  throw new SQLException("cut", "08001");
                }
                return DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow());
              });
      closing.add(session);
    }

    LeasedNode node(int nodes) {
      return new LeasedNode(session, SCOPE, nodes, clocks());
    }

    LeasedNode.Clocks clocks() {
      return new LeasedNode.Clocks(wall, nanos::get);
    }

    void pass(Duration time) {
      wall.step(time);
      nanos.addAndGet(time.toNanos());
    }

    void cut(boolean now) {
      cut.set(now);
      session.discard();
    }
  }

  private static GeneIdGenerator generator(LeasedNode node, Holder process) {
    return new GeneIdGenerator(GeneIdLayout.forBuckets(1024), 0, node, process.wall);
  }

  /** What another process sees when the catalog's clock has gone on. */
  private void runOut(int node) throws SQLException {
    execute(url, "UPDATE shardwright_node SET lease_until = 1 WHERE node = " + node);
  }

  @Test
  void node_ofSeveralProcesses_differs() {
    Set<Integer> nodes = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Grant grant = new Holder().node(3).current();
      assertThat(nodes.add(grant.node())).isTrue();
      assertThat(grant)
          .isEqualTo(new Grant(grant.node(), 1, 0, START.toEpochMilli() + GRANTED_MILLIS));
    }

    ShardwrightException e = failure(() -> new Holder().node(3));
    assertThat(e.code()).isEqualTo(ErrorCode.NODES_EXHAUSTED);
    assertThat(e)
        .hasMessageContaining("all 3 node numbers of 'orders' are held")
        .hasMessageFindingMatch("is free in (59|60) s");
  }

  @Test
  void node_takenAtOnce_isHeldByOneEach() throws Exception {
    List<Integer> nodes = atOnce(8, () -> new Holder().node(8).current().node());

    assertThat(nodes).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void node_givenBack_isTakenLast() {
    LeasedNode first = new Holder().node(3);
    first.close();
    assertThat(code(first::current)).isEqualTo(ErrorCode.NODE_LEASE_LOST);

    assertThat(new Holder().node(3).current().node()).isEqualTo(1);
    assertThat(new Holder().node(3).current().node()).isEqualTo(2);
    Grant again = new Holder().node(3).current();
    assertThat(again.node()).isZero();
    assertThat(again.epoch()).isEqualTo(2);
    assertThat(again.usedUntilMillis()).isEqualTo(START.toEpochMilli() + GRANTED_MILLIS);
  }

  @Test
  void node_restartedInTheSameMillisecond_goesOnAboveTheLastId() {
    Holder before = new Holder();
    LeasedNode node = before.node(1);
    GeneIdGenerator ids = generator(node, before);
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      last = ids.next(GENE);
    }
    node.close(ids.usedUntilMillis());

    Holder after = new Holder();
    assertThat(generator(after.node(1), after).next(GENE)).isGreaterThan(last);
  }

  @Test
  void renew_whenDue_extendsTheGrantOfTheSameNumber() {
    Holder process = new Holder();
    LeasedNode node = process.node(1);
    Grant first = node.current();
    process.pass(LeasedNode.RENEW_EVERY.minusMillis(1));
    node.renewIfDue();
    assertThat(node.current()).isSameAs(first);

    process.pass(Duration.ofMillis(1));
    node.renewIfDue();

    assertThat(node.current())
        .isEqualTo(
            new Grant(0, 1, 0, first.validUntilMillis() + LeasedNode.RENEW_EVERY.toMillis()));
  }

  @Test
  void renew_afterTheWallClockJumped_isDueAtOnceAndNeverTakesBackTheRecord() throws SQLException {
    Holder process = new Holder();
    LeasedNode node = process.node(1);
    process.wall.step(Duration.ofHours(1));
    node.renewIfDue();
    long far = START.plus(Duration.ofHours(1)).toEpochMilli() + GRANTED_MILLIS;
    assertThat(node.current().validUntilMillis()).isEqualTo(far);

    process.wall.set(START);
    process.nanos.addAndGet(LeasedNode.RENEW_EVERY.toNanos());
    node.renewIfDue();

    assertThat(node.current().validUntilMillis()).isEqualTo(far);
    assertThat(query(url, "SELECT used_until FROM shardwright_node"))
        .containsExactly(Long.toString(far));
  }

  @Test
  void renew_whileTheCatalogIsDown_isRefusedAfterTheMarginAndRecovers() {
    Holder process = new Holder();
    LeasedNode node = process.node(1);
    GeneIdGenerator ids = generator(node, process);
    long last = ids.next(GENE);
    process.cut(true);
    Duration silence = LeasedNode.LEASE.minus(LeasedNode.MARGIN);
    process.pass(silence.minusMillis(1));
    node.renewIfDue();
    last = Math.max(last, ids.next(GENE));

    process.pass(Duration.ofMillis(1));
    node.renewIfDue();
    assertThat(code(() -> ids.next(GENE))).isEqualTo(ErrorCode.NODE_LEASE_LOST);

    process.cut(false);
    process.pass(Duration.ofMinutes(10));
    node.renewIfDue();
    assertThat(node.current().node()).isZero();
    assertThat(node.current().epoch()).as("nobody took it").isEqualTo(1);
    assertThat(ids.next(GENE)).isGreaterThan(last);
  }

  /** The wall clock stood still or went back: the monotonic one ends the lease. */
  @Test
  void current_afterMonotonicTime_isRefusedWhateverTheWallClockSays() {
    Holder process = new Holder();
    LeasedNode node = process.node(1);
    process.nanos.addAndGet(LeasedNode.LEASE.minus(LeasedNode.MARGIN).toNanos());

    ShardwrightException e = failure(node::current);

    assertThat(e.code()).isEqualTo(ErrorCode.NODE_LEASE_LOST);
    assertThat(e).hasMessageContaining("node 0 of 'orders' has not been renewed for 50 s");
  }

  @Test
  void renew_afterAnotherTookTheNumber_takesAnotherOne() throws SQLException {
    Holder sleeper = new Holder();
    LeasedNode asleep = sleeper.node(2);
    GeneIdGenerator ids = generator(asleep, sleeper);
    ids.next(GENE);
    Holder other = new Holder();
    other.node(2);
    runOut(0);
    assertThat(new Holder().node(2).current().node()).isZero();

    sleeper.pass(LeasedNode.LEASE);
    asleep.renewIfDue();
    assertThat(code(asleep::current)).as("both are held").isEqualTo(ErrorCode.NODE_LEASE_LOST);

    runOut(1);
    asleep.renewIfDue();
    assertThat(asleep.current().node()).isEqualTo(1);
    assertThat(asleep.current().epoch()).isEqualTo(2);
  }

  /** A holder that stood still between taking its grant and using it repeats no id. */
  @Test
  void ids_ofAHolderThatDoesNotKnowYet_areNotThoseOfTheNext() throws SQLException {
    Holder sleeper = new Holder();
    GeneIdGenerator late = generator(sleeper.node(1), sleeper);
    runOut(0);
    Holder next = new Holder();
    LeasedNode node = next.node(1);
    GeneIdGenerator ids = generator(node, next);

    assertThat(code(() -> ids.next(GENE))).as("50 s ahead").isEqualTo(ErrorCode.CLOCK_BEHIND);
    next.pass(Duration.ofMillis(GRANTED_MILLIS));
    node.renewIfDue();
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      assertThat(seen.add(late.next(GENE))).isTrue();
      assertThat(seen.add(ids.next(GENE))).isTrue();
    }
  }

  @Test
  void node_withoutItsTable_asksForApply() throws SQLException {
    execute(url, "DROP TABLE shardwright_node");
    assertThat(code(() -> new Holder().node(1))).isEqualTo(ErrorCode.NOT_APPLIED);
  }

  @Test
  void node_ofNewerFormat_isRefused() throws SQLException {
    execute(url, "UPDATE shardwright_meta SET format = 7");
    assertThat(code(() -> new Holder().node(1))).isEqualTo(ErrorCode.CATALOG_FORMAT_UNSUPPORTED);
  }

  /** The thread of {@link CatalogIds} renews, and closing gives the numbers back. */
  @Test
  void catalogIds_renewsInTheBackgroundAndGivesBack() throws Exception {
    Holder process = new Holder();
    String held = "SELECT node, used_until FROM shardwright_node WHERE lease_until > 0";
    try (CatalogIds ids = new CatalogIds(process.session, process.clocks())) {
      LeasedNode node = ids.node("a", 4);
      Grant first = node.current();
      process.pass(LeasedNode.RENEW_EVERY);
      while (node.current().equals(first)) {
        assertThat(query(url, held)).hasSize(1);
      }
      assertThat(query(url, held)).containsExactly("0|" + node.current().validUntilMillis());
    }
    assertThat(query(url, held)).isEmpty();
  }

  @Test
  void sequence_ofManyAtOnce_givesEachBlockOnce() throws Exception {
    List<List<SegmentIds.Block>> taken =
        atOnce(
            6,
            () -> {
              SequenceBlocks blocks = new SequenceBlocks(new Holder().session, "coupons", 1_000);
              List<SegmentIds.Block> mine = new ArrayList<>();
              for (int i = 0; i < 20; i++) {
                mine.add(blocks.take());
              }
              return mine;
            });

    assertThat(taken.stream().flatMap(List::stream).map(SegmentIds.Block::first).sorted().toList())
        .isEqualTo(LongStream.range(0, 120).mapToObj(i -> i * 1_000 + 1).toList());
    assertThat(query(url, "SELECT name, next_value FROM shardwright_sequence"))
        .containsExactly("coupons|120001");
  }

  @Test
  void sequence_afterARestart_losesTheRestOfABlockOnly() {
    SegmentIds before =
        new SegmentIds(
            new SequenceBlocks(new Holder().session, "s", 10),
            Runnable::run,
            Duration.ofSeconds(10));
    assertThat(before.next(3)).isEqualTo(new SegmentIds.Block(1, 3));

    SegmentIds after =
        new SegmentIds(
            new SequenceBlocks(new Holder().session, "s", 10),
            Runnable::run,
            Duration.ofSeconds(10));
    assertThat(after.next()).isEqualTo(11);
  }

  @Test
  void sequence_atItsEnd_isRefused() throws SQLException {
    SequenceBlocks blocks = new SequenceBlocks(new Holder().session, "s", 10);
    blocks.take();
    execute(url, "UPDATE shardwright_sequence SET next_value = " + (Long.MAX_VALUE - 9));

    assertThat(code(blocks::take)).isEqualTo(ErrorCode.ID_CAPACITY_EXHAUSTED);
  }

  private static <T> List<T> atOnce(int threads, Callable<T> work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> done : executor.invokeAll(Collections.nCopies(threads, work))) {
        results.add(done.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  /** Two processes of the operating system, two threads each, fight for two numbers. */
  @Test
  void node_ofTwoRealProcesses_isNeverHeldTwice() throws Exception {
    execute(url, "CREATE TABLE witness (node integer PRIMARY KEY)");
    List<IdProcess> processes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      IdProcess process = IdProcess.start("fight", url, configuration.catalog().orElseThrow());
      closing.add(process);
      processes.add(process);
    }
    List<String> leases = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (IdProcess process : processes) {
      for (String line : process.linesToTheEnd()) {
        (line.startsWith("id ") ? ids : leases).add(line);
      }
    }

    assertThat(leases).hasSize(2 * IdProcess.THREADS * IdProcess.ROUNDS).doesNotHaveDuplicates();
    assertThat(ids)
        .hasSize(2 * IdProcess.THREADS * IdProcess.ROUNDS * IdProcess.IDS)
        .doesNotHaveDuplicates();
  }

  @Test
  void ids_afterKillMinusNine_beginAboveThoseOfTheDead() throws Exception {
    long last = 0;
    try (IdProcess process = IdProcess.start("hold", url, configuration.catalog().orElseThrow())) {
      for (int i = 0; i < IdProcess.IDS; i++) {
        last = Math.max(last, Long.parseLong(process.line().substring(3)));
      }
      process.kill();
    }
    Holder next = new Holder();
    next.wall.set(Instant.now());
    assertThat(code(() -> next.node(1))).isEqualTo(ErrorCode.NODES_EXHAUSTED);

    runOut(0);
    LeasedNode node = next.node(1);
    next.wall.set(Instant.ofEpochMilli(node.current().usedUntilMillis()));
    assertThat(generator(node, next).next(GENE)).isGreaterThan(last);
  }
}
