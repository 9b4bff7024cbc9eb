package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
 * @param laggingIndexes {@code group.index} of each list index that chose the rows or answered, and
 *     may have lacked what was committed before the statement; with freshness own-writes there are
 *     none
 */
public record Completeness(
    List<ShardId> expected, Map<ShardId, String> missing, Set<String> laggingIndexes) {
  public Completeness {
    expected = List.copyOf(expected);
    missing = Collections.unmodifiableMap(new TreeMap<>(missing));
    laggingIndexes = Collections.unmodifiableSet(new TreeSet<>(laggingIndexes));
  }

  Completeness(List<ShardId> expected, Map<ShardId, String> missing) {
    this(expected, missing, Set.of());
  }

  Completeness by(Set<String> lagging) {
    return lagging.isEmpty() ? this : new Completeness(expected, missing, lagging);
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
