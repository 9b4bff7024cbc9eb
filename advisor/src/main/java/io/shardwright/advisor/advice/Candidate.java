package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.schema.SchemaFacts;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A key that a table group could be sharded by: one column, or two that are hashed together. */
public record Candidate(List<KeyColumn> columns) {
  public Candidate {
    columns = List.copyOf(columns);
  }

  public String name() {
    return columns.stream().map(KeyColumn::name).collect(Collectors.joining(", "));
  }

  Carry carriedBy(WorkloadTemplate template, SchemaFacts schema) {
    Carry least = Carry.ONE;
    for (KeyColumn column : columns) {
      Carry carry = column.carriedBy(template, schema);
      least = carry.compareTo(least) < 0 ? carry : least;
    }
    return least;
  }

  /** True when names of columns hold one for each of its own, whatever the table. */
  boolean isAmong(Set<String> names) {
    return columns.stream()
        .allMatch(
            column ->
                names.contains(column.name())
                    || column.columns().values().stream().anyMatch(names::contains));
  }

  /** True when the table has all of its columns, as far as statements or DDL tell. */
  boolean isIn(String table) {
    return columns.stream().allMatch(column -> column.columns().containsKey(table));
  }
}
