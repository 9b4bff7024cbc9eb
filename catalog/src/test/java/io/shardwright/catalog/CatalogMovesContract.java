package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.catalog.CatalogMoves.Held;
import io.shardwright.catalog.CatalogMoves.Stage;
import io.shardwright.catalog.CatalogMoves.StageTimes;
import io.shardwright.catalog.CatalogMoves.Took;
import io.shardwright.catalog.Move.Counters;
import io.shardwright.catalog.Move.Intent;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moves on record. */
abstract class CatalogMovesContract extends CatalogFixture {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration OVER = Duration.ZERO;
  private static final BucketSet SOME = BucketSet.parse("2-5");

  private CatalogMoves moves;
  private CatalogMoves other;
  private Catalog catalog;

  @BeforeEach
  void openMoves() throws SQLException {
    install(configuration);
    catalog = open();
    moves = new CatalogMoves(configuration);
    other = new CatalogMoves(configuration);
  }

  @AfterEach
  void closeMoves() {
    moves.close();
    other.close();
  }

  private Move create(BucketSet buckets) {
    return moves.create("g", buckets, S1, Options.DEFAULT).get(0);
  }

  @Test
  void create_bucketsOfBothShards_movesThoseOfTheOther() {
    Options options = new Options(500, false, Optional.of(Duration.ofHours(3)));
    List<Move> created = moves.create("g", BucketSet.parse("6-9"), S1, options);

    assertThat(created).hasSize(1);
    Move move = created.get(0);
    assertThat(move.buckets()).hasToString("6-7");
    assertThat(move.source()).isEqualTo(S0);
    assertThat(move.target()).isEqualTo(S1);
    assertThat(move.options()).isEqualTo(options);
    assertThat(move.state()).isEqualTo(MoveState.PLANNED);
    assertThat(move.wish()).isEqualTo(Wish.RUN);
    assertThat(move.worker()).isEmpty();
    assertThat(move.intent()).isEmpty();
    assertThat(move.createdAt()).isBeforeOrEqualTo(move.changedAt());
    assertThat(moves.all()).containsExactly(move);
    assertThat(moves.create("g", BucketSet.parse("9-15"), S1, options)).isEmpty();
    assertThat(catalog.load().announced()).isEmpty();
  }

  @Test
  void create_bucketsOfAMoveOrOfNone_areRefused() {
    Move move = create(SOME);

    assertThat(failure(() -> create(BucketSet.parse("5-6"))))
        .hasMessageContaining("buckets 5 of group g are in move " + move.id());
    assertThat(code(() -> create(BucketSet.parse("16")))).isEqualTo(ErrorCode.COMMAND_INVALID);
    assertThat(code(() -> create(BucketSet.EMPTY))).isEqualTo(ErrorCode.COMMAND_INVALID);
    assertThat(failure(() -> moves.create("x", SOME, S1, Options.DEFAULT)))
        .hasMessageContaining("'x'");
    assertThat(create(BucketSet.parse("6")).id()).isEqualTo(move.id() + 1);
  }

  @Test
  void advance_toAnnounced_isSeenByDrivers() {
    Move move = create(SOME);
    Held held = moves.take(move.id(), "w", LONG).orElseThrow();
    CatalogState before = catalog.load();

    OptionalLong announced = moves.advance(held, MoveState.COPYING);

    assertThat(announced).hasValue(before.version() + 1);
    CatalogState state = catalog.loadIfNewer(before).orElseThrow();
    assertThat(state.announced()).isEqualTo(Map.of("g", SOME));
    assertThat(moves.advance(held, MoveState.CATCHING_UP)).isEmpty();
    assertThat(moves.advance(held, MoveState.CANCELLING)).isEmpty();
    assertThat(moves.advance(held, MoveState.CANCELLED)).isPresent();
    assertThat(catalog.load().announced()).isEmpty();
    assertThat(moves.take(move.id(), "w", LONG)).isEmpty();
  }

  @Test
  void take_whatAnotherHas_isRefusedUntilItsLeaseEnds() {
    Move move = create(SOME);
    Held held = moves.take(move.id(), "first", LONG).orElseThrow();

    assertThat(other.take(move.id(), "second", LONG)).isEmpty();
    assertThat(moves.find(move.id()).worker()).contains("first");
    moves.keep(held, OVER);
    Held taken = other.take(move.id(), "second", LONG).orElseThrow();

    assertThat(taken.epoch()).isEqualTo(held.epoch() + 1);
    assertThat(code(() -> moves.keep(held, LONG))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(code(() -> moves.advance(held, MoveState.COPYING)))
        .isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(code(() -> moves.count(held, Counters.NONE))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(code(() -> moves.note(held, "x"))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(code(() -> moves.intend(held, SOME))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(code(() -> moves.endIntent(held))).isEqualTo(ErrorCode.CATALOG_CONFLICT);
    moves.release(held);
    assertThat(other.find(move.id()).worker()).contains("second");
    other.release(taken);
    assertThat(moves.take(move.id(), "first", LONG)).isPresent();
  }

  @Test
  void publish_ofTheIntent_givesTheBucketsTheirOwnerOnce() {
    Move move = create(SOME);
    Held held = moves.take(move.id(), "w", LONG).orElseThrow();
    BucketSet batch = BucketSet.parse("2-3");
    Intent intent = moves.intend(held, batch);
    assertThat(moves.find(move.id()).intent()).contains(intent);

    long version = moves.publish(held, intent, batch, S1);

    assertThat(version).isEqualTo(2);
    assertThat(moves.publish(held, intent, batch, S1)).isEqualTo(2);
    assertThat(moves.giveUp(held, intent)).hasValue(2);
    assertThat(moves.find(move.id()).intent()).contains(intent);
    moves.endIntent(held);
    assertThat(moves.find(move.id()).intent()).isEmpty();
    BucketMap map = catalog.load().maps().get("g");
    assertThat(map.version()).isEqualTo(2);
    assertThat(map.shardOf(new BucketId(3))).isEqualTo(S1);
    assertThat(map.shardOf(new BucketId(4))).isEqualTo(S0);
  }

  @Test
  void publish_ofAnEndedOrTakenIntent_publishesNothing() {
    Move move = create(SOME);
    Held held = moves.take(move.id(), "w", LONG).orElseThrow();
    Intent ended = moves.intend(held, SOME);
    assertThat(moves.giveUp(held, ended)).isEmpty();
    assertThat(code(() -> moves.publish(held, ended, SOME, S1)))
        .isEqualTo(ErrorCode.CATALOG_CONFLICT);

    Intent intent = moves.intend(held, SOME);
    moves.keep(held, OVER);
    Held taken = other.take(move.id(), "x", LONG).orElseThrow();
    assertThat(code(() -> moves.publish(held, intent, SOME, S1)))
        .isEqualTo(ErrorCode.CATALOG_CONFLICT);
    assertThat(catalog.load().maps().get("g").version()).isEqualTo(1);
    assertThat(other.publish(taken, intent, SOME, S1)).isEqualTo(2);
  }

  @Test
  void publish_whenTheAnswerIsLost_isRepeated() {
    Move move = create(SOME);
    LosingConnections lost = new LosingConnections(configuration, Connection::commit);
    try (CatalogMoves losing = new CatalogMoves(configuration, lost::open)) {
      Held held = moves.take(move.id(), "w", LONG).orElseThrow();
      Intent intent = moves.intend(held, SOME);
      assertThatThrownBy(() -> losing.publish(held, intent, SOME, S1)).hasMessageContaining("lost");
      assertThat(moves.publish(held, intent, SOME, S1)).isEqualTo(2);
      assertThat(catalog.load().maps().get("g").version()).isEqualTo(2);
    }
  }

  @Test
  void wish_isTakenWhereTheStateAllowsIt() {
    Move move = create(SOME);
    long id = move.id();
    Held held = moves.take(id, "w", LONG).orElseThrow();
    assertThat(moves.wish(id, Wish.PAUSE).wish()).isEqualTo(Wish.PAUSE);
    assertThat(moves.keep(held, LONG).wish()).isEqualTo(Wish.PAUSE);
    assertThat(failure(() -> moves.wish(id, Wish.ROLL_BACK))).hasMessageContaining("cancel it");
    assertThat(failure(() -> moves.wish(id, Wish.CLEAN_UP))).hasMessageContaining("switched");
    assertThat(moves.wish(id, Wish.CANCEL).wish()).isEqualTo(Wish.CANCEL);
    assertThat(code(() -> moves.wish(id, Wish.RUN))).isEqualTo(ErrorCode.COMMAND_INVALID);

    moves.advance(held, MoveState.SWITCHED);
    assertThat(failure(() -> moves.wish(id, Wish.CANCEL))).hasMessageContaining("roll it back");
    assertThat(moves.wish(id, Wish.ROLL_BACK).wish()).isEqualTo(Wish.ROLL_BACK);
    moves.advance(held, MoveState.DONE);
    assertThat(code(() -> moves.wish(id, Wish.ROLL_BACK))).isEqualTo(ErrorCode.COMMAND_INVALID);
    assertThat(failure(() -> moves.wish(99, Wish.RUN))).hasMessageContaining("no move 99");
  }

  /** The token on shards: who took a bucket later has the greater one. */
  @Test
  void take_ofALaterMove_hasAGreaterEpoch() {
    Move first = create(SOME);
    Held held = moves.take(first.id(), "w", OVER).orElseThrow();
    Held again = moves.take(first.id(), "w", LONG).orElseThrow();
    Held later = other.take(create(BucketSet.parse("7")).id(), "w", LONG).orElseThrow();

    assertThat(again.epoch()).isGreaterThan(held.epoch());
    assertThat(later.epoch()).isGreaterThan(again.epoch());
  }

  @Test
  void countersAndNote_areKept() {
    Move move = create(SOME);
    Held held = moves.take(move.id(), "w", LONG).orElseThrow();
    Counters counters = new Counters(1, 2, 3, 4, 5);
    moves.count(held, counters);
    moves.note(held, "x".repeat(3_000));
    moves.paused(held, Duration.ofMillis(3));
    moves.paused(held, Duration.ofNanos(4_000));

    assertThat(moves.find(move.id()).counters()).isEqualTo(counters);
    assertThat(moves.find(move.id()).note()).hasSize(2_000);
    assertThat(moves.find(move.id()).pauses())
        .containsExactly(Duration.ofMillis(3), Duration.ofNanos(4_000));
    moves.advance(held, MoveState.COPYING);
    assertThat(moves.find(move.id()).note()).isEmpty();
  }

  @Test
  void catalogOfAnOlderFormat_isRefused() throws SQLException {
    try (Connection connection = DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow());
        PreparedStatement update =
            connection.prepareStatement("UPDATE shardwright_meta SET format = 3")) {
      update.executeUpdate();
      assertThat(code(moves::all)).isEqualTo(ErrorCode.NOT_APPLIED);
      assertThat(catalog.load().announced()).isEmpty();
      install(configuration);
      assertThat(moves.all()).isEmpty();
      try (PreparedStatement select =
              connection.prepareStatement("SELECT format FROM shardwright_meta");
          ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(CatalogInstaller.FORMAT);
      }
    }
  }

  @Test
  void took_addsUp_andTellsTheRate_ofMovesWithoutABound() {
    assertThat(moves.copiedPerSecond()).isEmpty();
    Held held = moves.take(create(SOME).id(), "w", Duration.ofMinutes(1)).orElseThrow();

    moves.took(held, List.of(new Took(Stage.COPY, 9_999, Duration.ofSeconds(2))));
    assertThat(moves.copiedPerSecond()).isEmpty();
    moves.took(held, List.of(new Took(Stage.COPY, 20_001, Duration.ofSeconds(1))));
    assertThat(moves.copiedPerSecond()).hasValue(10_000);

    Options bounded = new Options(100, true, Optional.empty());
    Move slow = moves.create("g", BucketSet.parse("7"), S1, bounded).get(0);
    Held other = moves.take(slow.id(), "w", Duration.ofMinutes(1)).orElseThrow();
    moves.took(other, List.of(new Took(Stage.COPY, 50_000, Duration.ofHours(1))));
    assertThat(moves.copiedPerSecond()).hasValue(10_000);

    moves.took(held, List.of(new Took(Stage.PUBLISH, 0, Duration.ofMillis(3))));
    moves.took(held, List.of(new Took(Stage.CLOSE, 0, Duration.ofMillis(2))));
    Duration most = Duration.ofSeconds(2);
    assertThat(moves.stages(held.id()))
        .containsExactly(
            new StageTimes(Stage.COPY, 2, 30_000, Duration.ofSeconds(3), most),
            new StageTimes(Stage.CLOSE, 1, 0, Duration.ofMillis(2), Duration.ofMillis(2)),
            new StageTimes(Stage.PUBLISH, 1, 0, Duration.ofMillis(3), Duration.ofMillis(3)));
    assertThat(moves.stages(99)).isEmpty();
  }

  @Test
  void create_againstAZone_isRefused_andTheFirstMapKeepsToIt() throws SQLException {
    String other = newDatabase();
    String labelled =
        GROUPS.replace(
            "buckets: 16,", "buckets: 16, zones: [{buckets: '0-3,9', require: {region: eu}}],");
    Configuration zoned =
        TestingConfiguration.ofShards(
            other,
            "  s0: {url: \"jdbc:postgresql://h0/d\", user: u, labels: {region: us}}\n"
                + "  s1: {url: \"jdbc:postgresql://h1/d\", user: u, labels: {region: eu}}\n",
            labelled);
    install(zoned);
    BucketMap map = open(zoned).load().maps().get("g");

    assertThat(map.bucketsOf(S0).toString()).isEqualTo("[4, 5, 6, 7]");
    try (CatalogMoves moves = new CatalogMoves(zoned)) {
      assertThat(failure(() -> moves.create("g", BucketSet.parse("9-10"), S0, Options.DEFAULT)))
          .hasMessageStartingWith(
              "SW603: bucket 9 of group g may not be on shard s0, whose labels are {region: us}:"
                  + " groups.g.zones says that buckets 0-3,9 require {region: eu}; choose");
      assertThat(moves.all()).isEmpty();
      assertThat(moves.create("g", BucketSet.parse("10-11"), S0, Options.DEFAULT)).hasSize(1);
    }
  }

  /** Nobody can write the buckets meanwhile, and a catalog may be a millisecond away. */
  @Test
  void publish_manyRanges_takesEightStatements() {
    Move move = create(BucketSet.parse("0,2,4,6"));
    Held held = moves.take(move.id(), "w", LONG).orElseThrow();
    Intent intent = moves.intend(held, move.buckets());
    List<String> statements = new ArrayList<>();
    try (CatalogMoves counted =
        new CatalogMoves(
            configuration,
            () ->
                CountedStatements.of(
                    DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow()), statements))) {
      counted.publish(held, intent, move.buckets(), S1);
    }

    assertThat(statements)
        .as("lock of the move, of the group; published before? map; its version, ranges; state")
        .hasSize(8);
    assertThat(catalog.load().maps().get("g").shardOf(new BucketId(4))).isEqualTo(S1);
    assertThat(moves.map("g").version()).isEqualTo(2);
  }
}
