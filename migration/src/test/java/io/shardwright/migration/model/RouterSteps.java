package io.shardwright.migration.model;

import io.shardwright.migration.model.Router.At;
import io.shardwright.testkit.StateSearch.Step;
import java.util.List;

/**
 * What a driver process can do next: renew its lease, lapse, and one read of row 0, by its key or
 * from all shards. Between two steps it may stop for any time.
 */
final class RouterSteps {
  private final Mutation mutation;
  private final World world;
  private final int r;
  private final Router router;
  private final boolean scatters;
  private final List<Step<World>> steps;

  RouterSteps(Mutation mutation, World world, int r, List<Step<World>> steps) {
    this.mutation = mutation;
    this.world = world;
    this.r = r;
    this.router = world.routers[r];
    this.scatters = world.scenario.routers().get(r) == Scenario.Reads.SCATTER;
    this.steps = steps;
  }

  private interface Change {
    void apply(World next, Router self);
  }

  private void add(String name, boolean isFault, Change change) {
    World next = world.copy();
    change.apply(next, next.routers[r]);
    steps.add(new Step<>("R" + (r + 1) + " " + name, next, isFault));
  }

  private void step(String name, Change change) {
    add(name, false, change);
  }

  void find() {
    if (router.at == At.ENDED) {
      return;
    }
    lease();
    switch (router.at) {
      case IDLE -> begin();
      case ASK -> ask();
      case ANSWER -> answer();
      case CHECKED_EARLY -> checkEarly();
      case CHECK -> check();
      case ASK_AGAIN -> askAgain();
      case HAND_OUT -> step("hands out", RouterSteps::handOut);
      case ENDED -> throw new IllegalStateException();
    }
  }

  private void lease() {
    if (router.live) {
      add("lapses", true, (next, self) -> self.live = false);
    }
    if (!router.live || router.stateVersion != world.catalog.stateVersion) {
      step(
          "renews its lease",
          (next, self) -> {
            self.live = true;
            self.stateVersion = next.catalog.stateVersion;
            self.mapVersion = next.catalog.mapVersion;
            self.owner = next.catalog.owner;
            self.announced = next.catalog.state.isAnnounced();
          });
    }
  }

  private void begin() {
    step(
        router.live ? "begins to read" : "begins to read, lapsed",
        (next, self) -> {
          self.planState = self.stateVersion;
          self.planVersion = self.mapVersion;
          self.planOwner = self.owner;
          self.planLapsed = !self.live;
          self.filtered = self.live ? self.announced : scatters && !mutation.asks();
          self.floor = next.acknowledged[0];
          self.at = first(self);
        });
  }

  private At first(Router self) {
    if (scatters) {
      return self.planLapsed && mutation.asks() ? At.ASK : At.ANSWER;
    }
    return mutation == Mutation.CHECK_BEFORE_ANSWER ? At.CHECKED_EARLY : At.ANSWER;
  }

  private void ask() {
    for (int s = 0; s < world.shards.length; s++) {
      Shard shard = world.shards[s];
      if ((router.shardsDone & 1 << s) != 0) {
        continue;
      }
      int bit = 1 << s;
      int asked = s;
      if (shard.epoch > router.planVersion || !isTrusted(shard)) {
        step("learns of a newer map", (next, self) -> self.reset(At.IDLE));
        continue;
      }
      step(
          "asks " + World.shardName(s),
          (next, self) -> {
            self.shardsDone |= bit;
            self.tokens[asked] = shard.token;
            self.filtered |= shard.isInMove();
            if (self.shardsDone == all()) {
              self.shardsDone = 0;
              self.at = At.ANSWER;
            }
          });
    }
  }

  private boolean isTrusted(Shard shard) {
    return shard.isReconciled() || mutation == Mutation.READS_IGNORE_INCARNATION;
  }

  private int all() {
    return (1 << world.shards.length) - 1;
  }

  private void answer() {
    for (int s = 0; s < world.shards.length; s++) {
      boolean isAsked = scatters || s == router.planOwner;
      if (isAsked && (router.shardsDone & 1 << s) == 0) {
        answer(s);
      }
    }
  }

  private void answer(int s) {
    if (!isTrusted(world.shards[s])) {
      step("refuses a new server", (next, self) -> self.reset(At.IDLE));
      return;
    }
    boolean leftOut =
        scatters
            && router.filtered
            && s != router.planOwner
            && mutation != Mutation.SCATTER_WITHOUT_FILTER;
    step(
        World.shardName(s) + " answers",
        (next, self) -> {
          self.shardsDone |= 1 << s;
          int value = next.shards[s].rows[0];
          if (!leftOut && value != 0) {
            self.count++;
            self.value = Math.max(self.value, value);
          }
          if (!scatters || self.shardsDone == all()) {
            self.shardsDone = 0;
            self.at = mutation == Mutation.CHECK_BEFORE_ANSWER ? At.HAND_OUT : At.CHECK;
          }
        });
  }

  private void checkEarly() {
    if (isPlain() || isCurrent(router.planOwner)) {
      step("checks before the answer", (next, self) -> self.at = At.ANSWER);
    } else {
      step("begins again", (next, self) -> self.reset(At.IDLE));
    }
  }

  /** Whether nothing that the statement was planned with has ended. */
  private boolean isPlain() {
    boolean live = router.live || mutation == Mutation.LEASE_NOT_CHECKED_AFTER_ANSWER;
    boolean same =
        router.stateVersion == router.planState || mutation == Mutation.PLAN_OUTLIVES_ITS_STATE;
    return !router.filtered && !router.planLapsed && live && same;
  }

  private void check() {
    if (isPlain() || (router.filtered && mutation == Mutation.SCATTER_WITHOUT_CHECK)) {
      step("needs no check and hands out", RouterSteps::handOut);
      return;
    }
    boolean planned = router.filtered || router.planLapsed;
    if ((scatters && !planned) || !isCurrent(router.planOwner)) {
      step("throws the answer away", (next, self) -> self.reset(At.IDLE));
      return;
    }
    boolean asksAgain =
        scatters && !router.filtered && mutation == Mutation.LAPSED_SCATTER_ASKS_TWICE;
    if (asksAgain) {
      step("checks", (next, self) -> self.at = At.ASK_AGAIN);
    } else {
      step("checks and hands out", RouterSteps::handOut);
    }
  }

  /** The fence row after the answer. */
  private boolean isCurrent(int s) {
    Shard shard = world.shards[s];
    boolean epoch = shard.epoch <= router.planVersion || mutation == Mutation.CHECK_WITHOUT_EPOCH;
    return isTrusted(shard)
        && switch (shard.fence) {
          case OPEN, CLOSED -> epoch;
          case INCOMING ->
              shard.epoch < router.planVersion
                  || mutation == Mutation.INCOMING_ACCEPTED_BY_OLD_MAPS;
          case AWAY -> false;
        };
  }

  private void askAgain() {
    for (int s = 0; s < world.shards.length; s++) {
      int bit = 1 << s;
      if ((router.shardsDone & bit) != 0) {
        continue;
      }
      Shard shard = world.shards[s];
      boolean same = shard.token == router.tokens[s];
      if (!same || shard.isInMove() || shard.epoch > router.planVersion || !isTrusted(shard)) {
        step("finds a move and begins again", (next, self) -> self.reset(At.IDLE));
        continue;
      }
      step(
          "asks " + World.shardName(s) + " again",
          (next, self) -> {
            self.shardsDone |= bit;
            if (self.shardsDone == all()) {
              self.at = At.HAND_OUT;
            }
          });
    }
  }

  private static void handOut(World next, Router self) {
    if (self.count == 0) {
      next.wrong = "a read misses a row";
    } else if (self.count > 1) {
      next.wrong = "a read counts a row twice";
    } else if (self.value < self.floor) {
      next.wrong = "a read hands out an old row as current";
    }
    self.reset(At.ENDED);
  }
}
