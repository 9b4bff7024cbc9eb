package io.shardwright.bench.compare;

import io.shardwright.bench.compare.ContestantProcess.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * From opening a side to its first row, in fresh processes in turn. The pools are opened with it;
 * by hand, each of them waits for its first connection.
 */
final class ColdStart {
  static final String NAME = "cold-start";

  private static final String HEAP = "256m";

  private final Stand stand;
  private final Scale scale;

  ColdStart(Stand stand, Scale scale) {
    this.stand = stand;
    this.scale = scale;
  }

  Result measure() throws IOException {
    Workload point = Workloads.all().get("point");
    Map<Side, List<Slot>> turns = new LinkedHashMap<>();
    Map<Side, String> refusals = new LinkedHashMap<>();
    point.sides().forEach(side -> turns.put(side, new ArrayList<>()));
    for (int round = 0; round < scale.processes(); round++) {
      for (Side side : point.sides()) {
        try (ContestantProcess process = new ContestantProcess(stand.setup(side), HEAP)) {
          turns.get(side).add(process.run(point, point.set(), 0, 1));
        } catch (RefusedException e) {
          refusals.put(side, e.getMessage());
        }
      }
    }
    List<Score> scores = new ArrayList<>();
    turns.forEach(
        (side, slots) -> scores.add(new Score(side, slots, null, refusals.getOrDefault(side, ""))));
    return new Result(point, scores);
  }

  static double millis(Slot slot) {
    return (slot.openNanos() + slot.ownNanos()) / 1e6;
  }
}
