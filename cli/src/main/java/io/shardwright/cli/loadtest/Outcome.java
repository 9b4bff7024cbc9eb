package io.shardwright.cli.loadtest;

import io.shardwright.routing.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of one request.
 *
 * @param code {@link #OK}, {@link #PARTIAL}, or the code of the error
 * @param shards that it concerned, whether they answered or not; empty: unknown
 * @param rows that came back, or were written, by the shard that has them
 * @param compared whether what came back was compared with what was loaded
 * @param wrong what was not as it should be
 */
record Outcome(
    String code,
    List<ShardId> shards,
    Map<ShardId, Integer> rows,
    boolean compared,
    Optional<String> wrong) {
  static final String OK = "ok";
  static final String PARTIAL = "partial";

  static Outcome error(String code, List<ShardId> shards) {
    return new Outcome(code, shards, Map.of(), false, Optional.empty());
  }

  static Outcome wrong(String code, String what) {
    return new Outcome(code, List.of(), Map.of(), true, Optional.of(what));
  }

  boolean isAnswer() {
    return code.equals(OK) || code.equals(PARTIAL);
  }
}
