package io.shardwright.migration.model;

import static io.shardwright.migration.model.Scenario.autocommit;
import static io.shardwright.migration.model.Scenario.snapshot;
import static io.shardwright.migration.model.Scenario.transaction;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.migration.model.Scenario.Client;
import io.shardwright.migration.model.Scenario.Faults;
import io.shardwright.migration.model.Scenario.Reads;
import io.shardwright.testkit.StateSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All interleavings of the protocol of docs/decisions/moves.md in small worlds: writers on any
 * shard, workers that stop, die and wake at each step, readers with live and lapsed leases, lost
 * answers of the catalog, restarts and fail-over of shards. In each state: at most one shard is
 * open, the owner has every acknowledged write, no write is acknowledged while the bucket is
 * closed, rows on two shards are announced, a read handed out has the row once and as new as when
 * it began; and each state leads to a move that is complete or undone, without whatever is stopped.
 * The mutations print the shortest trace to what they break.
 *
 * <p>{@code -Dshardwright.model=large} adds larger worlds, with some five million states.
 */
class MoveModelTest {
  /** Far above what the largest world has: a model that grew is found by this. */
  private static final int STATES_MAX = 1_000_000;

  private static final int STATES_MAX_LARGE = 2_000_000;

  private static final List<Integer> TO_B = List.of(1);
  private static final List<Integer> TO_B_AND_BACK = List.of(1, 0);
  private static final List<Integer> TO_B_TO_C = List.of(1, 2);

  private static final Scenario COPY =
      writes("copy", 2, TO_B, List.of(autocommit(2)), 1, Faults.NONE);
  private static final Scenario CLIENTS =
      writes(
          "transactions and snapshots, restarts",
          2,
          TO_B,
          List.of(transaction(1), snapshot(1)),
          1,
          Faults.NONE.withRestarts());
  private static final Scenario TAKE_OVER =
      writes("take-over", 2, TO_B, List.of(autocommit(2)), 2, Faults.NONE);
  private static final Scenario CANCEL =
      writes(
          "cancel, restarts",
          1,
          TO_B,
          List.of(autocommit(2)),
          2,
          Faults.NONE.withCancel().withRestarts());
  private static final Scenario LOST_ANSWERS =
      writes(
          "lost answers, other moves",
          1,
          TO_B,
          List.of(autocommit(1)),
          2,
          Faults.NONE.withUnknown().withOthers());
  private static final Scenario ROLLBACK =
      writes("rollback", 1, TO_B, List.of(autocommit(2)), 2, Faults.NONE.withRollback());
  private static final Scenario THERE_AND_BACK =
      writes("there and back", 1, TO_B_AND_BACK, List.of(autocommit(1)), 2, Faults.NONE);
  private static final Scenario ON_TO_C =
      writes("on to C", 1, TO_B_TO_C, List.of(autocommit(1)), 2, Faults.NONE);
  private static final Scenario FAIL_OVER =
      writes("fail-over", 1, TO_B, List.of(autocommit(2)), 1, Faults.NONE.withFailOver());
  private static final Scenario POINT = reads("point read", Reads.POINT, TO_B, Faults.NONE);
  private static final Scenario SCATTER =
      reads("scatter, cancel", Reads.SCATTER, TO_B, Faults.NONE.withCancel());
  private static final Scenario POINT_BACK =
      reads("point read, there and back", Reads.POINT, TO_B_AND_BACK, Faults.NONE);
  private static final Scenario POINT_ROLLBACK =
      reads("point read, rollback", Reads.POINT, TO_B, Faults.NONE.withRollback());
  private static final Scenario SCATTER_BACK =
      reads("scatter, there and back", Reads.SCATTER, TO_B_AND_BACK, Faults.NONE);
  private static final Scenario POINT_FAIL_OVER =
      reads("point read, fail-over of A", Reads.POINT, TO_B, Faults.NONE.withFailOverOfA());

  private static Scenario writes(
      String name,
      int rows,
      List<Integer> targets,
      List<Client> clients,
      int leases,
      Faults faults) {
    return new Scenario(name, shards(targets), targets, rows, clients, leases, List.of(), faults);
  }

  private static Scenario reads(String name, Reads reads, List<Integer> targets, Faults faults) {
    return new Scenario(
        name, shards(targets), targets, 1, List.of(autocommit(1)), 1, List.of(reads), faults);
  }

  private static int shards(List<Integer> targets) {
    return targets.stream().mapToInt(target -> target).max().orElseThrow() + 1;
  }

  static Stream<Scenario> worlds() {
    List<Scenario> worlds =
        new ArrayList<>(
            List.of(
                COPY,
                CLIENTS,
                TAKE_OVER,
                CANCEL,
                LOST_ANSWERS,
                ROLLBACK,
                THERE_AND_BACK,
                ON_TO_C,
                FAIL_OVER,
                POINT,
                SCATTER,
                POINT_BACK,
                POINT_ROLLBACK,
                SCATTER_BACK,
                POINT_FAIL_OVER));
    if (isLarge()) {
      worlds.addAll(largeWorlds());
    }
    return worlds.stream();
  }

  private static boolean isLarge() {
    return "large".equals(System.getProperty("shardwright.model"));
  }

  private static List<Scenario> largeWorlds() {
    List<Client> two = List.of(autocommit(1), snapshot(1));
    Faults lost = Faults.NONE.withUnknown();
    return List.of(
        writes("take-over twice", 1, TO_B, two, 3, Faults.NONE.withCancel().withRestarts()),
        writes("lost answers, all", 1, TO_B, two, 2, lost.withOthers().withCancel()),
        writes("rollback, lost answers", 1, TO_B, List.of(autocommit(2)), 2, lost.withRollback()),
        writes("there and back, twice each", 1, TO_B_AND_BACK, two, 2, Faults.NONE),
        writes(
            "fail-over and take-over",
            1,
            TO_B,
            List.of(autocommit(2)),
            2,
            Faults.NONE.withFailOver()),
        reads("point read, fail-over", Reads.POINT, TO_B, Faults.NONE.withFailOver()),
        reads("scatter, fail-over", Reads.SCATTER, TO_B, Faults.NONE.withFailOver()),
        reads("scatter, on to C", Reads.SCATTER, TO_B_TO_C, Faults.NONE),
        reads("point read, all", Reads.POINT, TO_B_AND_BACK, lost.withRollback().withCancel()));
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void anyInterleaving_isRight(Scenario world) {
    StateSearch.Result result =
        AllSteps.search(world, Mutation.NONE, isLarge() ? STATES_MAX_LARGE : STATES_MAX);

    System.out.println(world + ": " + result.states() + " states");
    assertThat(result.violation()).as("%s", result).isNull();
  }

  private record Broken(Scenario world, String violation) {}

  private static final String LOST = "the owner has lost an acknowledged write";
  private static final String STUCK = "it can never end any more";
  private static final String WRITTEN_WHILE_CLOSED =
      "a write is acknowledged while the bucket is closed";
  private static final String OLD = "a read hands out an old row as current";
  private static final String TWICE = "a read counts a row twice";
  private static final String MISSED = "a read misses a row";

  private static final Map<Mutation, Broken> BROKEN =
      Map.ofEntries(
          broken(Mutation.FENCE_READ_IN_OLD_SNAPSHOT, CLIENTS, LOST),
          broken(Mutation.CAPTURE_WITHOUT_BARRIER, COPY, LOST),
          broken(
              Mutation.CAPTURE_ENDS_WITHOUT_BARRIER,
              COPY,
              "the move has ended and B has something left"),
          broken(Mutation.CLOSE_WITHOUT_BARRIER, COPY, WRITTEN_WHILE_CLOSED),
          broken(Mutation.CLOSE_IN_ANOTHER_SESSION, CLIENTS, WRITTEN_WHILE_CLOSED),
          broken(Mutation.WRITERS_IGNORE_INCARNATION, FAIL_OVER, LOST),
          broken(Mutation.COPY_WITHOUT_NOTES, COPY, LOST),
          broken(Mutation.NOTES_DELETED_BEFORE_APPLIED, CANCEL, LOST),
          broken(Mutation.NOTES_DELETED_UNSEEN, COPY, LOST),
          broken(Mutation.APPLY_WITHOUT_TOKEN, TAKE_OVER, LOST),
          broken(Mutation.LAST_PASS_BEFORE_CLOSE, COPY, LOST),
          broken(Mutation.LAST_SNAPSHOT_BEFORE_CLOSE, COPY, LOST),
          broken(Mutation.CLEANING_WITHOUT_TOKEN, THERE_AND_BACK, LOST),
          broken(Mutation.COMMIT_WITHOUT_EPOCH, LOST_ANSWERS, LOST),
          broken(Mutation.COMMIT_WITHOUT_INTENT, LOST_ANSWERS, LOST),
          broken(Mutation.INTENT_WITHOUT_ATTEMPT, LOST_ANSWERS, LOST),
          broken(Mutation.ABORT_NOT_RECORDED, LOST_ANSWERS, LOST),
          broken(Mutation.ABORT_AFTER_PUBLISHING, LOST_ANSWERS, LOST),
          broken(Mutation.UNKNOWN_OUTCOME_IS_FAILURE, LOST_ANSWERS, LOST),
          broken(Mutation.DECIDES_BY_VERSION, LOST_ANSWERS, LOST),
          broken(Mutation.OPEN_BEFORE_AWAY, POINT, OLD),
          broken(Mutation.AWAY_NOT_WRITTEN, POINT, OLD),
          broken(Mutation.NO_TOKEN_CHECKS, TAKE_OVER, LOST),
          broken(Mutation.TAKE_OVER_WITHOUT_TOKENS, TAKE_OVER, LOST),
          broken(Mutation.TAKE_OVER_LEAVES_SESSIONS, TAKE_OVER, STUCK),
          broken(Mutation.EPOCHS_OF_EACH_MOVE_BEGIN_AT_1, THERE_AND_BACK, LOST),
          broken(Mutation.CANCEL_LEAVES_CLOSED, CANCEL, "the move has ended and A is CLOSED"),
          broken(Mutation.COMMIT_WITHOUT_REPLICAS, FAIL_OVER, LOST),
          broken(Mutation.MOVER_IGNORES_INCARNATION, FAIL_OVER, LOST),
          broken(Mutation.FAIL_OVER_KEEPS_COPY, FAIL_OVER, LOST),
          broken(Mutation.ANNOUNCE_WITHOUT_WAIT, SCATTER, TWICE),
          broken(
              Mutation.ANNOUNCE_AFTER_FIRST_COPY,
              SCATTER,
              "rows are on two shards and not announced"),
          broken(Mutation.CHECK_BEFORE_ANSWER, POINT, MISSED),
          broken(Mutation.CHECK_WITHOUT_EPOCH, POINT_BACK, MISSED),
          broken(Mutation.INCOMING_ACCEPTED_BY_OLD_MAPS, POINT_ROLLBACK, OLD),
          broken(Mutation.READS_IGNORE_INCARNATION, POINT_FAIL_OVER, OLD),
          broken(Mutation.PLAN_OUTLIVES_ITS_STATE, POINT, MISSED),
          broken(Mutation.LEASE_NOT_CHECKED_AFTER_ANSWER, POINT, MISSED),
          broken(Mutation.SCATTER_WITHOUT_FILTER, SCATTER, TWICE),
          broken(Mutation.SCATTER_WITHOUT_CHECK, SCATTER_BACK, OLD),
          broken(Mutation.LAPSED_SCATTER_ASKS_FIRST, SCATTER, TWICE),
          broken(Mutation.LAPSED_SCATTER_ASKS_TWICE, SCATTER, TWICE));

  private static Map.Entry<Mutation, Broken> broken(
      Mutation mutation, Scenario world, String violation) {
    return Map.entry(mutation, new Broken(world, violation));
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void mutation_isFound(Mutation mutation) {
    Broken broken = BROKEN.get(mutation);

    StateSearch.Result result = AllSteps.search(broken.world(), mutation, STATES_MAX);

    System.out.println(mutation + " in " + broken.world() + ": " + result);
    assertThat(result.violation()).isEqualTo(broken.violation());
  }
}
