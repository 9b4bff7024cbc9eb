package io.shardwright.advisor.schema;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of tables, from DDL, from a database, or from both. Names are as statements write
 * them: with a qualifier but for PostgreSQL's public. Immutable.
 *
 * @param statistics of tables that a database told of
 * @param statementsLeft of DDL on tables: those that were not understood as a whole
 * @param firstLeft the first of these, without literals
 */
public record SchemaFacts(
    Map<String, TableFacts> tables,
    Map<String, TableStatistics> statistics,
    long statementsLeft,
    Optional<String> firstLeft) {
  public SchemaFacts {
    tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    statistics = Collections.unmodifiableMap(new LinkedHashMap<>(statistics));
  }

  /** For a schema of which nothing is known. */
  public static SchemaFacts empty() {
    return new SchemaFacts(Map.of(), Map.of(), 0, Optional.empty());
  }

  /** With the tables of {@code other} that are not in this one. */
  public SchemaFacts and(SchemaFacts other) {
    Map<String, TableFacts> both = new LinkedHashMap<>(tables);
    other.tables.forEach(both::putIfAbsent);
    Map<String, TableStatistics> figures = new LinkedHashMap<>(statistics);
    other.statistics.forEach(figures::putIfAbsent);
    return new SchemaFacts(
        both, figures, statementsLeft + other.statementsLeft, firstLeft.or(other::firstLeft));
  }

  /** All tables with their indexes, as far as the database told; one of two names counts once. */
  public OptionalLong bytes() {
    return bytes(statistics.keySet().stream().filter(name -> !name.contains(".")).toList());
  }

  /**
   * The rows of tables with their indexes, as far as the database told of them.
   *
   * @return empty when it told of none
   */
  public OptionalLong bytes(Collection<String> names) {
    return names.stream()
        .filter(statistics::containsKey)
        .mapToLong(name -> statistics.get(name).bytes())
        .reduce(Long::sum);
  }
}
