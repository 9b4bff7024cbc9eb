package io.shardwright.driver;

import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Of which shards a result is made: {@code resultSet.unwrap(Completeness.class)}. Shards are
 * missing only where the caller allowed it ({@code partial=allow}); counts and sums lack their rows
 * too.
 *
 * @param expected those that hold rows of the statement
 * @param missing those of them that did not answer, and why
 */
public record Completeness(List<ShardId> expected, Map<ShardId, String> missing) {
  public Completeness {
    expected = List.copyOf(expected);
    missing = Collections.unmodifiableMap(new TreeMap<>(missing));
  }

  public boolean isComplete() {
    return missing.isEmpty();
  }

  public List<ShardId> answered() {
    List<ShardId> answered = new ArrayList<>(expected);
    answered.removeAll(missing.keySet());
    return answered;
  }
}
