package io.shardwright.schema;

import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import java.util.List;
import java.util.Optional;

/**
 * Something that is wrong, or that a person should know.
 *
 * @param shards where, in name order; empty when it is not about shards
 * @param message what is the case
 * @param action what to do about it
 */
public record Finding(
    ErrorCode code, List<ShardId> shards, Optional<String> table, String message, String action) {
  public Finding {
    shards = List.copyOf(shards);
  }

  @Override
  public String toString() {
    String where = shards.isEmpty() ? "" : " (" + (shards.size() == 1 ? "shard" : "shards");
    for (ShardId shard : shards) {
      where += " " + shard;
    }
    return code.code() + ": " + message + (where.isEmpty() ? "" : where + ")") + "; " + action;
  }
}
