package io.shardwright.lookup.model;

import static io.shardwright.lookup.model.Op.COMMIT;
import static io.shardwright.lookup.model.Op.ROLLBACK;
import static io.shardwright.lookup.model.Op.ROLLBACK_TO_SAVEPOINT;
import static io.shardwright.lookup.model.Op.SAVEPOINT;
import static io.shardwright.lookup.model.Op.delete;
import static io.shardwright.lookup.model.Op.insert;
import static io.shardwright.lookup.model.Op.swap;
import static io.shardwright.lookup.model.Op.update;
import static io.shardwright.lookup.model.World.A;
import static io.shardwright.lookup.model.World.B;
import static io.shardwright.lookup.model.World.C;
import static io.shardwright.lookup.model.World.X;
import static io.shardwright.lookup.model.World.Y;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All interleavings of the protocol of docs/decisions/lookup-index.md in small worlds, crashes and
 * lost sessions of the writers at each step and timeouts of claims included. In each state: a
 * committed row has a candidate, no two rows have one value, a look-up's answer was right at some
 * moment, slot 0 is taken where there are candidates, and when all is quiet the sweeper leaves the
 * candidates of the rows alone. The mutations print the shortest trace to what they break.
 */
class UniqueIndexModelTest {
  /**
   * Far above what the largest world has: a model that grew is found by this and not by waiting.
   */
  private static final int STATES_MAX = 50_000;

  private static final List<Op> INSERT_A = List.of(insert(A, X), COMMIT);
  private static final List<Op> INSERT_B = List.of(insert(B, X), COMMIT);
  private static final List<Op> INSERT_C = List.of(insert(C, X), COMMIT);
  private static final List<Op> INSERT_B_ROLLED_BACK = List.of(insert(B, X), ROLLBACK);
  private static final List<Op> DELETE_A = List.of(delete(A), COMMIT);
  private static final List<Op> A_AWAY_AND_BACK = List.of(update(A, 0), update(A, X), COMMIT);
  private static final List<Op> A_AWAY_THEN_BACK =
      List.of(update(A, 0), COMMIT, update(A, X), COMMIT);
  private static final List<Op> A_TO_B = List.of(delete(A), insert(B, X), COMMIT);
  private static final List<Op> B_TO_A = List.of(delete(B), insert(A, X), COMMIT);
  private static final List<Op> C_TO_A = List.of(delete(C), insert(A, X), COMMIT);
  private static final List<Op> A_THEN_A_TO_B =
      List.of(insert(A, X), COMMIT, delete(A), insert(B, X), COMMIT);
  private static final List<Op> A_TO_B_TAKEN_BACK =
      List.of(SAVEPOINT, delete(A), insert(B, X), ROLLBACK_TO_SAVEPOINT, COMMIT);
  private static final List<Op> A_TO_B_BY_SAVEPOINT =
      List.of(delete(A), SAVEPOINT, insert(B, X), ROLLBACK_TO_SAVEPOINT, insert(B, X), COMMIT);
  private static final List<Op> DELETE_TAKEN_BACK_THEN_INSERT =
      List.of(SAVEPOINT, delete(A), ROLLBACK_TO_SAVEPOINT, insert(B, X), COMMIT);
  private static final List<Op> SWAP = List.of(swap(A, B), COMMIT);
  private static final List<Op> SWAP_BY_NULL =
      List.of(update(A, 0), update(B, X), update(A, Y), COMMIT);

  private static final Search RIVALS = all(World.of(0, 0, 0), INSERT_A, INSERT_C);
  private static final Search RIVALS_ON_ONE_SHARD = all(World.of(0, 0, 0), INSERT_A, INSERT_B);
  private static final Search RIVAL_OF_DELETE = all(World.of(X, 0, 0), DELETE_A, INSERT_C);
  private static final Search INSERT_AFTER_DELETE = all(World.of(X, 0, 0), DELETE_A, INSERT_A);
  private static final Search RIVAL_OF_ROLLBACK =
      all(World.of(0, 0, 0), INSERT_B_ROLLED_BACK, INSERT_B);
  private static final Search RIVAL_OF_MOVE = all(World.of(X, 0, 0), A_TO_B, INSERT_C);
  private static final Search RIVAL_OF_SAVEPOINT =
      all(World.of(X, 0, 0), A_TO_B_TAKEN_BACK, INSERT_C);
  private static final Search RIVAL_OF_INSERT_AND_MOVE =
      all(World.of(0, 0, 0), A_THEN_A_TO_B, INSERT_C);
  private static final Search MOVE_OVER_SHARDS = all(World.of(0, 0, X), C_TO_A, INSERT_B);

  private static Search all(World start, List<Op> one, List<Op> other) {
    return new Search(start.withWriters(2), List.of(one, other), true, true, true, STATES_MAX);
  }

  private static Search lone(World start, List<Op> script) {
    return new Search(start.withWriters(1), List.of(script), false, false, false, STATES_MAX);
  }

  /** Without a reader, and with three writers. */
  private static Search three(World start, List<Op> one, List<Op> other, List<Op> third) {
    return new Search(
        start.withWriters(3), List.of(one, other, third), true, false, true, STATES_MAX);
  }

  static Stream<Search> worlds() {
    List<Search> worlds =
        new ArrayList<>(
            List.of(
                RIVALS,
                RIVALS_ON_ONE_SHARD,
                RIVAL_OF_DELETE,
                INSERT_AFTER_DELETE,
                RIVAL_OF_ROLLBACK,
                RIVAL_OF_MOVE,
                RIVAL_OF_SAVEPOINT,
                RIVAL_OF_INSERT_AND_MOVE,
                MOVE_OVER_SHARDS,
                all(World.of(X, 0, 0), A_AWAY_AND_BACK, INSERT_C),
                all(World.of(X, 0, 0), A_AWAY_THEN_BACK, INSERT_C),
                all(World.of(X, 0, 0), A_AWAY_THEN_BACK, DELETE_A),
                all(World.of(X, 0, 0), A_TO_B, B_TO_A),
                all(World.of(X, Y, 0), SWAP, INSERT_C),
                all(World.of(X, Y, 0), SWAP_BY_NULL, List.of(insert(C, Y), COMMIT)),
                all(World.of(X, 0, 0), List.of(delete(A), insert(C, Y), COMMIT), INSERT_B),
                all(World.of(0, 0, 0), List.of(insert(A, X), insert(C, Y), COMMIT), INSERT_C),
                three(World.of(0, 0, 0), INSERT_A, INSERT_B, INSERT_C),
                three(World.of(0, 0, 0), INSERT_A, A_TO_B, INSERT_C),
                three(World.of(X, 0, 0), A_TO_B, INSERT_C, INSERT_C),
                three(World.of(X, 0, 0), A_TO_B, INSERT_C, A_AWAY_AND_BACK)));
    List<List<Op>> scripts =
        List.of(
            INSERT_A,
            INSERT_B,
            INSERT_C,
            DELETE_A,
            A_AWAY_AND_BACK,
            A_TO_B,
            B_TO_A,
            INSERT_B_ROLLED_BACK,
            A_TO_B_TAKEN_BACK,
            A_TO_B_BY_SAVEPOINT);
    for (int one = 0; one < scripts.size(); one++) {
      for (int other = one; other < scripts.size(); other++) {
        for (World start : List.of(World.of(0, 0, 0), World.of(X, 0, 0))) {
          List<List<Op>> both = List.of(scripts.get(one), scripts.get(other));
          worlds.add(new Search(start.withWriters(2), both, true, false, true, STATES_MAX));
        }
      }
    }
    return worlds.stream();
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void anyInterleaving_isRight(Search world) {
    Search.Result result = world.run(Mutation.NONE);

    assertThat(result.violation()).as("%s", result).isNull();
  }

  static Stream<Arguments> loneScripts() {
    World dead = World.of(0, 0, 0).withDeadCandidate(A);
    World deadElsewhere = World.of(0, 0, 0).withDeadCandidate(C);
    return Stream.of(
        Arguments.of(World.of(0, 0, 0), INSERT_B, "B=X"),
        Arguments.of(dead, INSERT_A, "A=X"),
        Arguments.of(dead, INSERT_B, "B=X"),
        Arguments.of(deadElsewhere, INSERT_B, "B=X"),
        Arguments.of(World.of(X, 0, 0), INSERT_B, "A=X"),
        Arguments.of(World.of(X, 0, 0), A_AWAY_AND_BACK, "A=X"),
        Arguments.of(World.of(X, 0, 0), A_TO_B, "B=X"),
        Arguments.of(World.of(X, 0, 0), A_TO_B_TAKEN_BACK, "A=X"),
        Arguments.of(World.of(X, 0, 0), A_TO_B_BY_SAVEPOINT, "B=X"),
        Arguments.of(World.of(X, 0, 0), DELETE_TAKEN_BACK_THEN_INSERT, "A=X"),
        Arguments.of(World.of(X, Y, 0), SWAP, "A=Y B=X"),
        Arguments.of(World.of(X, Y, 0), SWAP_BY_NULL, "A=Y B=X"),
        // Two shards cannot commit as one: refused.
        Arguments.of(World.of(0, 0, X), C_TO_A, "C=X"));
  }

  @ParameterizedTest
  @MethodSource("loneScripts")
  void loneWriter_getsWhatOneDatabaseGives(World start, List<Op> script, String rows) {
    Search.Result result = lone(start, script).run(Mutation.NONE);

    assertThat(result.violation()).as("%s", result).isNull();
    assertThat(result.ends()).containsExactly(rows);
  }

  private record Broken(Search world, String violation) {}

  private static final Map<Mutation, Broken> BROKEN =
      Map.ofEntries(
          broken(Mutation.NO_CLAIM, RIVALS, "A has X and no candidate"),
          broken(Mutation.ENTRY_BEFORE_ROW, RIVALS, "A has X and no candidate"),
          broken(Mutation.TAKE_OVER_AFTER_TIMEOUT, RIVAL_OF_DELETE, "A has X and no candidate"),
          broken(Mutation.CLAIM_WAIT_WITHOUT_END, RIVAL_OF_MOVE, "nothing can go on"),
          broken(Mutation.REMOVAL_WITHOUT_TOKEN, RIVAL_OF_ROLLBACK, "B has X and no candidate"),
          broken(
              Mutation.JUDGE_READS_THE_ROW_WITHOUT_THE_CLAIM, RIVALS, "A has X and no candidate"),
          broken(
              Mutation.JUDGE_TRUSTS_A_LOST_CLAIM, RIVALS_ON_ONE_SHARD, "B has X and no candidate"),
          broken(
              Mutation.READER_DOES_NOT_READ_AGAIN,
              RIVAL_OF_MOVE,
              "the look-up answers none, and at each moment a row had X"),
          broken(
              Mutation.GIVEN_UP_ON_ANOTHER_SHARD_IS_ACCEPTED, MOVE_OVER_SHARDS, "A and C have X"),
          broken(Mutation.REMOVAL_BEFORE_COMMIT, RIVAL_OF_DELETE, "A has X and no candidate"),
          broken(
              Mutation.REMOVAL_AFTER_ROLLBACK_TO_SAVEPOINT,
              RIVAL_OF_SAVEPOINT,
              "A has X and no candidate"),
          broken(
              Mutation.TOKENS_READ_AFTER_COMMIT, INSERT_AFTER_DELETE, "A has X and no candidate"),
          broken(Mutation.REMOVAL_AFTER_UNKNOWN_OUTCOME, RIVALS, "A has X and no candidate"),
          broken(Mutation.SWEEPER_DOES_NOT_WAIT, RIVALS, "A has X and no candidate"),
          broken(Mutation.SLOT_0_IS_NOT_REFILLED, RIVAL_OF_MOVE, "B and C have X"),
          broken(
              Mutation.SLOT_0_IS_NOT_REFILLED_AND_NOT_EXISTS,
              RIVAL_OF_INSERT_AND_MOVE,
              "B and C have X"),
          broken(
              Mutation.CANDIDATES_ARE_LOCKED_AND_READ_BY_ONE_STATEMENT,
              RIVAL_OF_MOVE,
              "B and C have X"));

  private static Map.Entry<Mutation, Broken> broken(
      Mutation mutation, Search world, String violation) {
    return Map.entry(mutation, new Broken(world, violation));
  }

  @ParameterizedTest
  @EnumSource(
      names = {"NONE", "JUDGE_WAITS_FOR_ITS_OWN_CLAIM"},
      mode = EnumSource.Mode.EXCLUDE)
  void mutation_isFound(Mutation mutation) {
    Broken broken = BROKEN.get(mutation);

    Search.Result result = broken.world().run(mutation);

    System.out.println(mutation + ": " + result);
    assertThat(result.violation()).isEqualTo(broken.violation());
  }

  @Test
  void judgeThatWaitsForItsOwnClaim_refusesWhatOneDatabaseAccepts() {
    World dead = World.of(0, 0, 0).withDeadCandidate(A);

    Search.Result result = lone(dead, INSERT_B).run(Mutation.JUDGE_WAITS_FOR_ITS_OWN_CLAIM);

    assertThat(result.ends()).containsExactly("");
  }
}
