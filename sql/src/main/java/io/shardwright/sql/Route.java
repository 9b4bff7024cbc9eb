package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.ShardId;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One execution of a statement, decided: what is sent where and how the answers become one.
 *
 * @param target which shards
 * @param statements one per shard, in shard name order; empty unless target is SHARDS
 * @param anyShardStatement what to send unless target is SHARDS
 * @param merge how to combine; with one statement it still holds, as pass-through
 * @param map that decided, empty when none did
 * @param reason why these shards: for traces, explain and listeners
 * @param list what a list index had to do with it
 */
public record Route(
    Target target,
    List<ShardStatement> statements,
    ShardStatementText anyShardStatement,
    Merge merge,
    Optional<BucketMap> map,
    String reason,
    Optional<ListUse> list) {

  /** Without a list index. */
  public Route(
      Target target,
      List<ShardStatement> statements,
      ShardStatementText anyShardStatement,
      Merge merge,
      Optional<BucketMap> map,
      String reason) {
    this(target, statements, anyShardStatement, merge, map, reason, Optional.empty());
  }

  /** Of the bucket map used, empty when none was. */
  public OptionalLong mapVersion() {
    return map.isPresent() ? OptionalLong.of(map.get().version()) : OptionalLong.empty();
  }

  /** The shards that it names, those of its parts too, in name order. */
  public SortedSet<ShardId> shards() {
    SortedSet<ShardId> shards = new TreeSet<>();
    statements.forEach(statement -> shards.add(statement.shard()));
    if (merge instanceof Merge.Gathered gathered) {
      gathered.parts().forEach(part -> shards.addAll(part.route().shards()));
    }
    return shards;
  }

  /** The same with another reason. */
  Route because(String why) {
    return new Route(target, statements, anyShardStatement, merge, map, why, list);
  }

  /** The same by a list index. */
  Route by(ListUse use, String why) {
    return new Route(target, statements, anyShardStatement, merge, map, why, Optional.of(use));
  }

  /** The list indexes that it asks or that named its rows, those of its parts too. */
  public Set<String> lists() {
    if (list.isEmpty() && !(merge instanceof Merge.Gathered)) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>();
    list.ifPresent(use -> names.add(use.index()));
    if (merge instanceof Merge.Gathered gathered) {
      gathered.parts().forEach(part -> names.addAll(part.route().lists()));
    }
    return names;
  }

  /** True when it reads entries of a list index, which no transaction of the caller's has. */
  public boolean readsEntries() {
    return list.filter(use -> use.path() == ListUse.Path.COVERED).isPresent();
  }

  static Route gathered(Merge.Gathered merge, String reason) {
    return new Route(
        Target.GATHERED, List.of(), ShardStatementText.NONE, merge, Optional.empty(), reason);
  }

  /** Where a statement goes. */
  public enum Target {
    /** The shards named in {@code statements}. */
    SHARDS,
    /** Any one shard: reference tables or no table. Inside a transaction the pinned one. */
    ANY_SHARD,
    /**
     * The first shard in name order that can be reached, inside transactions too: a question about
     * the schema, whose object ids must fit those of the last answer.
     */
    FIRST_SHARD,
    /** Every shard alike: a write to a reference table, or DDL. */
    EVERY_SHARD,
    /** What the parts of {@link Merge.Gathered} say, then any one shard. */
    GATHERED
  }

  /**
   * What one shard gets.
   *
   * @param buckets those concerned on this shard, ascending; empty for a scatter
   */
  public record ShardStatement(ShardId shard, List<BucketId> buckets, ShardStatementText text) {}

  /** A statement text and what fills each of its {@code ?}, in order. */
  public record ShardStatementText(String sql, List<Argument> arguments) {
    static final ShardStatementText NONE = new ShardStatementText("", List.of());

    /** The same text for a row of another bucket: every number of ours is a bucket. */
    ShardStatementText withBucket(BucketId bucket) {
      return new ShardStatementText(sql, new OfBucket(arguments, bucket));
    }
  }

  /** Replaces while it is read: it is made for every statement and read once. */
  private static final class OfBucket extends AbstractList<Argument> implements RandomAccess {
    private final List<Argument> arguments;
    private final BucketId bucket;

    OfBucket(List<Argument> arguments, BucketId bucket) {
      this.arguments = arguments;
      this.bucket = bucket;
    }

    @Override
    public Argument get(int index) {
      Argument argument = arguments.get(index);
      if (argument instanceof Argument.Int64) {
        return new Argument.Int64(bucket.value());
      }
      return argument instanceof Argument.IssuedId id
          ? new Argument.IssuedId(id.row(), bucket, id.column())
          : argument;
    }

    @Override
    public int size() {
      return arguments.size();
    }
  }

  /**
   * The column of ids that an INSERT leaves to the driver.
   *
   * @param everyRow false when rows of the statement may be skipped, or change others, so that
   *     their ids are not stored
   */
  public record IssuedColumn(
      String group, String table, String column, GeneIdLayout layout, boolean everyRow) {}

  /** The same with other texts for its shards. */
  public Route with(List<ShardStatement> others) {
    return new Route(target, others, anyShardStatement, merge, map, reason, list);
  }

  /** What fills one {@code ?} of a shard's statement. */
  public sealed interface Argument {
    /** The caller's parameter, 0-based, bound with the caller's own setter. */
    record Parameter(int index) implements Argument {}

    /** Part of a primary key that an index gave, as the database's driver takes it. */
    record Given(Object value) implements Argument {}

    /** A number of ours: a bucket or a limit. */
    record Int64(long value) implements Argument {}

    /**
     * A new id of this bucket for a row of an INSERT, which the driver issues when it is sent.
     *
     * @param row of the statement, from 0
     */
    record IssuedId(int row, BucketId bucket, IssuedColumn column) implements Argument {}

    /**
     * All values of a column (1-based) of the shards' rows, as an array; in a last statement only.
     */
    record Collected(int column) implements Argument {}

    /**
     * All rows of the shards as one JSON text ({@link JsonRows}), where the database has no arrays;
     * it fills the {@code ?} of {@link Merge.Piece.Rows}.
     */
    record CollectedRows() implements Argument {}
  }
}
