package io.shardwright.migration.model;

import java.util.List;

/**
 * What there is in a small world, and what may happen in it.
 *
 * @param targets of the moves, one after the other; the bucket is on A at first
 * @param rows of the bucket
 * @param writers one for each
 * @param leasesMax how often the lease of a move may be had, the first time included
 * @param routers one for each
 */
record Scenario(
    String name,
    int shards,
    List<Integer> targets,
    int rows,
    List<Client> writers,
    int leasesMax,
    List<Reads> routers,
    Faults faults) {

  /**
   * @param snapshot taken before the first statement and kept: REPEATABLE READ
   */
  record Client(boolean snapshot, int statements, int commits) {}

  enum Reads {
    POINT,
    SCATTER
  }

  /**
   * @param unknown outcomes of the catalog's commits
   * @param restarts of a shard: locks and open transactions end
   * @param others moves of other buckets publish maps, so often
   * @param failing shards of which one fails over, from A on
   */
  record Faults(
      boolean unknown,
      boolean restarts,
      boolean cancels,
      boolean rollsBack,
      int others,
      int failing) {
    static final Faults NONE = new Faults(false, false, false, false, 0, 0);

    Faults withUnknown() {
      return new Faults(true, restarts, cancels, rollsBack, others, failing);
    }

    Faults withRestarts() {
      return new Faults(unknown, true, cancels, rollsBack, others, failing);
    }

    Faults withCancel() {
      return new Faults(unknown, restarts, true, rollsBack, others, failing);
    }

    Faults withRollback() {
      return new Faults(unknown, restarts, cancels, true, others, failing);
    }

    Faults withOthers() {
      return new Faults(unknown, restarts, cancels, rollsBack, 1, failing);
    }

    Faults withFailOver() {
      return new Faults(unknown, restarts, cancels, rollsBack, others, 2);
    }

    Faults withFailOverOfA() {
      return new Faults(unknown, restarts, cancels, rollsBack, others, 1);
    }
  }

  static Client autocommit(int commits) {
    return new Client(false, 1, commits);
  }

  static Client transaction(int commits) {
    return new Client(false, 2, commits);
  }

  static Client snapshot(int commits) {
    return new Client(true, 1, commits);
  }

  @Override
  public String toString() {
    return name;
  }
}
