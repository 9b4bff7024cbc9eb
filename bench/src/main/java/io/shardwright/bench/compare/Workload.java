package io.shardwright.bench.compare;

import java.sql.SQLException;
import java.util.List;

/**
 * One thing that is measured.
 *
 * @param name for the command line and the JSON
 * @param title for the report
 * @param set of shards: {@code 8}, ... or {@code stub}
 * @param sides in the order of the report; the first one is what the others are compared with
 * @param threads that run operations at the same time
 * @param perSecond operations are begun at these moments (open loop); 0: each when the one before
 *     has ended
 */
record Workload(
    String name,
    String title,
    String set,
    List<Side> sides,
    int threads,
    int perSecond,
    Operation operation) {

  /** Is run again and again. */
  interface Operation {
    void run(Opponent opponent, Turn turn) throws SQLException;
  }

  Workload {
    sides = List.copyOf(sides);
  }

  boolean isOnStub() {
    return set.equals(Workloads.STUB);
  }
}
