package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.ScatterReason;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the statements of one data source did since it was opened, by shape. Counters are read one
 * after the other while statements go on, so sums may differ by those in flight.
 *
 * @param shapes those with most physical statements first; statements beyond the first {@value
 *     #MAX_SHAPES} shapes are counted as {@value #OTHER}
 */
public record StatementStatistics(List<Shape> shapes) {
  /** Shapes that are counted apart; each takes about 2 KiB. */
  public static final int MAX_SHAPES = 1_000;

  public static final String OTHER = "(other)";

  public StatementStatistics {
    shapes = List.copyOf(shapes);
  }

  /**
   * Statements whose texts differ in values only.
   *
   * @param shape the text with {@code ?} for every literal
   * @param single sent to one shard by route key
   * @param multi sent to several shards, those of several keys
   * @param scatter sent to all shards for want of a key, by reason
   * @param anyShard on reference tables, no table or the schema: one shard, whichever
   * @param everyShard writes to reference tables, and DDL
   * @param lists by {@code group.index} of the list index that answered or named the rows; they are
   *     among {@code single} and {@code multi}
   * @param refused before anything was sent, by code
   * @param failed after that, or for want of a connection; they are among the counts above
   * @param partial answers of some shards for that of all, as the caller allowed
   * @param physicalStatements sent to shards for all of these
   * @param rowsMerged rows that several shards sent for answers that were made of them
   * @param rowsDiscarded those of them that no caller got: skipped by OFFSET, beyond LIMIT, or used
   *     up by a last step
   * @param shardsMax the most shards that one statement was sent to
   */
  public record Shape(
      String shape,
      long single,
      long multi,
      Map<ScatterReason, Long> scatter,
      long anyShard,
      long everyShard,
      Map<String, Long> lists,
      Map<ErrorCode, Long> refused,
      long failed,
      long partial,
      long physicalStatements,
      long rowsMerged,
      long rowsDiscarded,
      int shardsMax) {
    static final Shape NONE =
        new Shape("", 0, 0, Map.of(), 0, 0, Map.of(), Map.of(), 0, 0, 0, 0, 0, 0);

    public Shape {
      scatter = ordered(ScatterReason.class, scatter);
      lists = Collections.unmodifiableMap(new TreeMap<>(lists));
      refused = ordered(ErrorCode.class, refused);
    }

    /** Of all reasons. */
    public long scatters() {
      return scatter.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Logical statements that were routed; those refused are not among them. */
    public long statements() {
      return single + multi + scatters() + anyShard + everyShard;
    }

    private Shape plus(Shape other) {
      return new Shape(
          shape,
          single + other.single,
          multi + other.multi,
          sum(ScatterReason.class, scatter, other.scatter),
          anyShard + other.anyShard,
          everyShard + other.everyShard,
          sum(new TreeMap<>(lists), other.lists),
          sum(ErrorCode.class, refused, other.refused),
          failed + other.failed,
          partial + other.partial,
          physicalStatements + other.physicalStatements,
          rowsMerged + other.rowsMerged,
          rowsDiscarded + other.rowsDiscarded,
          Math.max(shardsMax, other.shardsMax));
    }
  }

  /** All shapes together; its shape is empty. */
  public Shape total() {
    return shapes.stream().reduce(Shape.NONE, Shape::plus);
  }

  private static <K extends Enum<K>> Map<K, Long> ordered(Class<K> type, Map<K, Long> map) {
    Map<K, Long> copy = new EnumMap<>(type);
    copy.putAll(map);
    return Collections.unmodifiableMap(copy);
  }

  private static <K extends Enum<K>> Map<K, Long> sum(
      Class<K> type, Map<K, Long> left, Map<K, Long> right) {
    Map<K, Long> sum = new EnumMap<>(type);
    sum.putAll(left);
    return sum(sum, right);
  }

  private static <K> Map<K, Long> sum(Map<K, Long> sum, Map<K, Long> more) {
    more.forEach((key, count) -> sum.merge(key, count, Long::sum));
    return sum;
  }
}
