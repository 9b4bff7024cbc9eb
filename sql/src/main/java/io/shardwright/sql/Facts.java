package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import io.shardwright.sql.Slot.Bound;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the conditions of a query block say about columns: which are equal to each other, and which
 * can only have listed values. Union-find over columns with one value list per class. A fact that
 * is missing here only makes the route wider, never wrong. Not thread-safe; lives while a statement
 * is analysed.
 */
final class Facts {

  /** A column of one occurrence of a table in the statement. */
  record ColumnRef(Source source, String column) {
    Optional<KeyType> keyType() {
      return source.table.flatMap(t -> t.column(column)).flatMap(Schema.Column::keyType);
    }
  }

  /**
   * The values that a column can have.
   *
   * @param list where they stand when they are an IN list of a condition that every row must meet
   */
  record Domain(List<Slot> values, Optional<InList> list) {
    /** A slot that stands for several values counts as many. */
    private static final int SEVERAL = 1_000;

    static Domain of(Slot slot) {
      return new Domain(List.of(slot), Optional.empty());
    }

    /** How many values there may be. */
    int weight() {
      return values.size() == 1 && values.get(0).isSeveral() ? SEVERAL : values.size();
    }
  }

  /**
   * An IN list in the text.
   *
   * @param column that has its values
   * @param elements places of the elements, in order; the list spans from the first to the last
   * @param firstParameter number of the first element's parameter where each element is a {@code ?}
   *     and nothing else; empty for other lists
   */
  record InList(ColumnRef column, List<Place> elements, OptionalInt firstParameter) {
    static InList of(SqlTokens tokens, ColumnRef column, List<Place> elements) {
      boolean plain =
          elements.stream()
              .allMatch(element -> tokens.text(element.from(), element.to()).equals("?"));
      int first = tokens.parametersBefore(elements.get(0).from());
      return new InList(column, elements, plain ? OptionalInt.of(first) : OptionalInt.empty());
    }

    /** What shards get of it is filled up to few lengths, where that makes texts alike. */
    <T> List<T> filled(List<T> values) {
      return firstParameter.isPresent() ? Padding.filled(values) : values;
    }

    /** One element as it is written. */
    void render(Rendering out, int element) {
      if (firstParameter.isPresent()) {
        out.parameterHere(firstParameter.getAsInt() + element);
      } else {
        out.copy(elements.get(element).from(), elements.get(element).to());
      }
    }
  }

  /** From the first character to the one after the last. */
  record Place(int from, int to) {}

  private final Map<ColumnRef, ColumnRef> parents = new HashMap<>();
  private final Map<ColumnRef, Domain> domains = new HashMap<>();

  /** Ends of ranges that wait for the other end; few statements have any. */
  private Map<ColumnRef, Bound> lows = Map.of();

  private Map<ColumnRef, Bound> highs = Map.of();

  Facts copy() {
    Facts copy = new Facts();
    copy.parents.putAll(parents);
    copy.domains.putAll(domains);
    copy.lows = lows;
    copy.highs = highs;
    return copy;
  }

  /**
   * Both columns have one value. Only where equality in the database is equality of the values that
   * are hashed: columns of one key type (text of a non-deterministic collation and char(n) have
   * none).
   */
  void equate(ColumnRef left, ColumnRef right) {
    Optional<KeyType> type = left.keyType();
    if (type.isEmpty() || !type.equals(right.keyType())) {
      return;
    }
    ColumnRef leftRoot = root(left);
    ColumnRef rightRoot = root(right);
    if (!leftRoot.equals(rightRoot)) {
      Domain rightDomain = domains.remove(rightRoot);
      Optional<Bound> low = Optional.ofNullable(lows.get(rightRoot));
      Optional<Bound> high = Optional.ofNullable(highs.get(rightRoot));
      parents.put(rightRoot, leftRoot);
      if (rightDomain != null) {
        restrict(leftRoot, rightDomain);
      }
      low.ifPresent(bound -> atLeast(leftRoot, bound));
      high.ifPresent(bound -> atMost(leftRoot, bound));
    }
  }

  /** The column has one of these values; of several restrictions the shortest is kept. */
  void restrict(ColumnRef column, Domain domain) {
    domains.merge(root(column), domain, (old, now) -> old.weight() <= now.weight() ? old : now);
  }

  /** The column has no value below this one. */
  void atLeast(ColumnRef column, Bound low) {
    lows = with(lows, root(column), low);
    restrictToRange(root(column));
  }

  /** The column has no value above this one. */
  void atMost(ColumnRef column, Bound high) {
    highs = with(highs, root(column), high);
    restrictToRange(root(column));
  }

  private static Map<ColumnRef, Bound> with(
      Map<ColumnRef, Bound> bounds, ColumnRef column, Bound bound) {
    Map<ColumnRef, Bound> more = new HashMap<>(bounds);
    more.put(column, bound);
    return more;
  }

  private void restrictToRange(ColumnRef column) {
    Bound low = lows.get(column);
    Bound high = highs.get(column);
    if (low != null && high != null) {
      restrict(column, Domain.of(new Slot.Between(low, high)));
    }
  }

  /** How many columns are known to equal another one. */
  int equations() {
    return parents.size();
  }

  boolean same(ColumnRef left, ColumnRef right) {
    return root(left).equals(root(right));
  }

  Optional<Domain> domain(ColumnRef column) {
    return Optional.ofNullable(domains.get(root(column)));
  }

  /** The one column that anything is said about, when it only has values. */
  Optional<ColumnRef> onlyRestricted() {
    return parents.isEmpty() && domains.size() == 1
        ? Optional.of(domains.keySet().iterator().next())
        : Optional.empty();
  }

  private ColumnRef root(ColumnRef column) {
    ColumnRef at = column;
    ColumnRef parent = parents.get(at);
    while (parent != null) {
      at = parent;
      parent = parents.get(at);
    }
    return at;
  }
}
