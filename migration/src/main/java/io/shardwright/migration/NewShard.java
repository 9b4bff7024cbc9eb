package io.shardwright.migration;

import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A shard that is to be added: Shardwright's own objects, the tables, and the rows of reference
 * tables, where they are missing. It gets no bucket. What is there already stays, so it is prepared
 * again after a failure.
 */
public final class NewShard {
  private NewShard() {}

  /** Runs the schema changes that other shards have had. */
  public interface SchemaChanges {
    /**
     * {@code ShardwrightDataSource.resumeDdl}.
     *
     * @return how many there were
     */
    int run(Configuration configuration) throws SQLException;
  }

  /**
   * What was done.
   *
   * @param schemaChanges how many were run there; empty: none were asked for, or needed
   * @param filledFrom whose rows the reference tables got, if they lacked some
   * @param rows of reference tables that were copied
   * @param applied what there is to be solved before the shard is added to the file
   */
  public record Prepared(
      OptionalInt schemaChanges,
      Optional<ShardId> filledFrom,
      Map<String, Long> rows,
      ApplyReport applied) {
    public Prepared {
      rows = new TreeMap<>(rows);
    }

    /** The shard may be used. */
    public boolean ok() {
      return applied.ok();
    }
  }

  /**
   * Prepares the shard, under its own login; processes that are running do not hear of it.
   *
   * @param configuration that has it already
   * @param changes empty: its tables have to be there
   * @throws io.shardwright.errors.ShardwrightException SW401 or SW403 when a shard cannot be used
   */
  public static Prepared prepare(
      Configuration configuration, ShardId shard, Optional<SchemaChanges> changes)
      throws SQLException {
    ApplyReport applied = Apply.run(configuration, Apply.Options.DEFAULT);
    OptionalInt run = OptionalInt.empty();
    if (changes.isPresent() && !applied.ok()) {
      run = OptionalInt.of(changes.get().run(configuration));
      applied = Apply.run(configuration, Apply.Options.DEFAULT);
    }
    Optional<ShardId> from = other(configuration.shardIds(), shard);
    if (from.isEmpty() || !isReferenceDriftOnly(applied)) {
      return new Prepared(run, Optional.empty(), Map.of(), applied);
    }
    Map<String, Long> rows = new ReferenceTables(configuration).copy(from.get(), shard);
    return new Prepared(run, from, rows, Apply.run(configuration, Apply.Options.DEFAULT));
  }

  private static boolean isReferenceDriftOnly(ApplyReport report) {
    return !report.ok()
        && report.problems().stream()
            .allMatch(problem -> problem.code() == ErrorCode.REFERENCE_DRIFT);
  }

  private static Optional<ShardId> other(List<ShardId> shards, ShardId shard) {
    return shards.stream().filter(other -> !other.equals(shard)).findFirst();
  }
}
