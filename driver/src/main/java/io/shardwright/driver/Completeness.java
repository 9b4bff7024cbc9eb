package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Of which shards a result is made: {@code resultSet.unwrap(Completeness.class)}. Shards are
 * missing only where the caller allowed it ({@code partial=allow}); counts and sums lack their rows
 * too.
 *
 * @param expected those that hold rows of the statement
 * @param missing those of them that did not answer, and why
 * @param elapsed of each shard of a read with {@link ScatterLimits}, until it had answered or was
 *     given up; otherwise empty
 * @param retries questions that such a read asked a second time
 * @param mapVersion of the bucket map that routed it; empty for what no map routed, and for a read
 *     of one shard without such limits
 * @param laggingIndexes {@code group.index} of each list index that chose the rows or answered, and
 *     may have lacked what was committed before the statement; with freshness own-writes there are
 *     none
 */
public record Completeness(
    List<ShardId> expected,
    Map<ShardId, String> missing,
    Map<ShardId, Duration> elapsed,
    int retries,
    OptionalLong mapVersion,
    Set<String> laggingIndexes) {
  public Completeness {
    expected = List.copyOf(expected);
    missing = Collections.unmodifiableMap(new TreeMap<>(missing));
    elapsed = Collections.unmodifiableMap(new TreeMap<>(elapsed));
    laggingIndexes = Collections.unmodifiableSet(new TreeSet<>(laggingIndexes));
  }

  Completeness(List<ShardId> expected, Map<ShardId, String> missing) {
    this(expected, missing, Map.of(), 0, OptionalLong.empty(), Set.of());
  }

  Completeness by(Set<String> lagging) {
    return lagging.isEmpty()
        ? this
        : new Completeness(expected, missing, elapsed, retries, mapVersion, lagging);
  }

  /** Whether all shards answered. */
  public boolean isComplete() {
    return missing.isEmpty();
  }

  public List<ShardId> answered() {
    List<ShardId> answered = new ArrayList<>(expected);
    answered.removeAll(missing.keySet());
    return answered;
  }
}
