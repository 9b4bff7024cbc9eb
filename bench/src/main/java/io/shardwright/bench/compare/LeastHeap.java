package io.shardwright.bench.compare;

import io.shardwright.bench.compare.ContestantProcess.RefusedException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * In which heap can a fresh process stream all rows in their order? By bisection over a few sizes,
 * since it either can or cannot.
 */
final class LeastHeap {
  static final String NAME = "least-heap";

  static final List<String> SIZES =
      List.of("12m", "16m", "24m", "32m", "48m", "64m", "96m", "128m", "256m");

  private final Stand stand;
  private final List<String> sizes;
  private final List<Side> sides;

  LeastHeap(Stand stand, Scale scale) {
    this.stand = stand;
    this.sizes = scale.isTiny() ? List.of("256m") : SIZES;
    this.sides =
        scale.isTiny()
            ? List.of(Side.RAW, Side.SHARDWRIGHT)
            : Workloads.all().get("stream-ordered").sides();
  }

  /** The least size by side; {@code more} when none of them is enough. */
  Map<Side, String> find() {
    Map<Side, String> heaps = new LinkedHashMap<>();
    for (Side side : sides) {
      int enough = sizes.size();
      int tooSmall = -1;
      while (enough - tooSmall > 1) {
        int middle = (enough + tooSmall) / 2;
        if (streams(side, sizes.get(middle))) {
          enough = middle;
        } else {
          tooSmall = middle;
        }
      }
      heaps.put(side, enough == sizes.size() ? "more" : sizes.get(enough));
    }
    return heaps;
  }

  private boolean streams(Side side, String heap) {
    Workload stream = Workloads.all().get("stream-ordered");
    try (ContestantProcess process = new ContestantProcess(stand.setup(side), heap)) {
      process.run(stream, stream.set(), 0, 1);
      return true;
    } catch (RefusedException | IOException e) {
      // Out of memory, in one of its ways: an error, or a process that is gone.
      return false;
    }
  }
}
