package io.shardwright.advisor.advice;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The values of one candidate as the log tells them, by table. Not thread-safe. */
final class KeyMeasure {
  /** Distinct values of one table that are told apart; about 60 bytes each. */
  private static final int DISTINCT_MAX = 100_000;

  /** Inserts that must all differ before a column is taken for one-to-one. */
  private static final int ONE_TO_ONE_MIN = 100;

  private final Candidate candidate;
  private final Map<String, KeySpread> inserted = new HashMap<>();
  private final Map<String, KeySpread> asked = new HashMap<>();
  private long transactions;
  private long local;

  KeyMeasure(Candidate candidate) {
    this.candidate = candidate;
  }

  Candidate candidate() {
    return candidate;
  }

  void inserted(String table, List<String> key, long times) {
    inserted.computeIfAbsent(table, t -> new KeySpread(DISTINCT_MAX)).add(key, times);
  }

  void asked(String table, List<String> key, long times) {
    asked.computeIfAbsent(table, t -> new KeySpread(DISTINCT_MAX)).add(key, times);
  }

  /** A transaction of two or more statements on the group. */
  void transaction(boolean isLocal) {
    transactions++;
    local += isLocal ? 1 : 0;
  }

  long transactions() {
    return transactions;
  }

  long local() {
    return local;
  }

  /** By table, of those that were inserted into; of the group. */
  Map<String, KeySpread> insertedInto(Set<String> tables) {
    return of(inserted, tables);
  }

  /** By table, of those that were asked; of the group. */
  Map<String, KeySpread> askedOf(Set<String> tables) {
    return of(asked, tables);
  }

  private static Map<String, KeySpread> of(Map<String, KeySpread> spreads, Set<String> tables) {
    Map<String, KeySpread> found = new TreeMap<>(spreads);
    found.keySet().retainAll(tables);
    return found;
  }

  Optional<KeySpread> mostInserted(Set<String> tables) {
    return most(insertedInto(tables));
  }

  Optional<KeySpread> mostAsked(Set<String> tables) {
    return most(askedOf(tables));
  }

  private static Optional<KeySpread> most(Map<String, KeySpread> spreads) {
    return spreads.values().stream().max(Comparator.comparingLong(KeySpread::values));
  }

  /** Tables whose inserted rows all had different values, so many that it is no chance. */
  Set<String> oneToOneTables() {
    return inserted.entrySet().stream()
        .filter(e -> e.getValue().values() >= ONE_TO_ONE_MIN && e.getValue().isOneToOne())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
