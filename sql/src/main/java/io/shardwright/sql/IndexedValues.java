package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import io.shardwright.sql.Facts.Domain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The values that conditions give for columns of an index.
 *
 * @param types how the columns are compared
 * @param tuples each at the positions of the columns; their slots may stand for several values
 */
record IndexedValues(List<KeyType> types, List<List<Slot>> tuples) {
  /** More values are a scan of the index. */
  static final int VALUES_MAX = 1_000;

  /** Folding is for the hash only. */
  static List<KeyType> compared(List<KeyType> types) {
    return types.stream().map(t -> t == KeyType.FOLDED_TEXT ? KeyType.TEXT : t).toList();
  }

  /** Empty when some of the columns have no values, or not such that are known here. */
  static Optional<IndexedValues> of(
      Source source, Facts facts, List<String> columns, List<KeyType> types) {
    List<List<Slot>> tuples = List.of(List.of());
    for (int i = 0; i < columns.size(); i++) {
      Optional<Domain> domain = facts.domain(source.column(columns.get(i)));
      KeyType type = types.get(i);
      if (domain.isEmpty()
          || (long) tuples.size() * domain.get().values().size() > VALUES_MAX
          || domain.get().values().stream().anyMatch(slot -> mayChange(slot, type))) {
        return Optional.empty();
      }
      tuples = KeyCondition.product(tuples, domain.get().values());
    }
    return Optional.of(new IndexedValues(types, tuples));
  }

  /** A cast to another type: what is compared then is for the database to say. */
  static boolean mayChange(Slot slot, KeyType type) {
    return slot.cast().filter(cast -> cast != type).isPresent();
  }

  /**
   * The distinct values of an execution, without those that no row can have; empty when they are
   * too many.
   */
  Optional<List<List<Object>>> in(List<?> parameters) {
    Set<List<Object>> values = new LinkedHashSet<>();
    for (List<Slot> tuple : tuples) {
      Optional<List<List<Slot>>> single = expanded(tuple, types, parameters);
      if (single.isEmpty()) {
        return Optional.empty();
      }
      for (List<Slot> slots : single.get()) {
        values(slots, parameters).ifPresent(values::add);
      }
    }
    return values.size() > VALUES_MAX ? Optional.empty() : Optional.of(List.copyOf(values));
  }

  /** Empty when no row can have them. */
  private Optional<List<Object>> values(List<Slot> slots, List<?> parameters) {
    List<Object> values = new ArrayList<>(slots.size());
    for (int i = 0; i < slots.size(); i++) {
      Optional<Object> value = slots.get(i).routeValue(types.get(i), parameters);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return Optional.of(values);
  }

  /** All tuples of single values that a tuple of slots stands for; empty when too many. */
  static Optional<List<List<Slot>>> expanded(
      List<Slot> components, List<KeyType> types, List<?> parameters) {
    List<List<Slot>> tuples = List.of(List.of());
    for (int i = 0; i < components.size(); i++) {
      Optional<List<Slot>> values = components.get(i).expanded(types.get(i), parameters);
      if (values.isEmpty()
          || (long) tuples.size() * values.get().size() > KeyCondition.ALTERNATIVES_MAX) {
        return Optional.empty();
      }
      tuples = KeyCondition.product(tuples, values.get());
    }
    return Optional.of(tuples);
  }
}
