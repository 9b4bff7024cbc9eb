package io.shardwright.advisor.advice;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.ColumnUse;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One column as several tables name it.
 *
 * @param name the most common of its names
 * @param columns its name by table
 */
public record KeyColumn(String name, Map<String, String> columns) {
  public KeyColumn {
    columns = Collections.unmodifiableMap(new TreeMap<>(columns));
  }

  /** How a statement brings the values of a key. */
  enum Carry {
    NONE,
    LIST,
    ONE
  }

  Carry carriedBy(WorkloadTemplate template, SchemaFacts schema) {
    Carry best = Carry.NONE;
    for (ColumnUse use : template.template().use().columns()) {
      if (isUse(use, template)) {
        boolean one = use.role() == ColumnRole.EQUALITY || use.role() == ColumnRole.INSERT;
        if (one) {
          return Carry.ONE;
        }
        best = use.role() == ColumnRole.IN ? Carry.LIST : best;
      }
    }
    return isWholeInsert(template, schema) ? Carry.ONE : best;
  }

  /** The tables of a statement whose column of this name it fixes by {@code =} or IN. */
  Set<String> fixedIn(WorkloadTemplate template) {
    Set<String> fixed = new TreeSet<>();
    for (ColumnUse use : template.template().use().columns()) {
      if (use.role() == ColumnRole.EQUALITY || use.role() == ColumnRole.IN) {
        tablesOf(use, template).forEach(fixed::add);
      }
    }
    return fixed;
  }

  boolean has(WorkloadTemplate template, ColumnRole role) {
    return template.template().use().columns().stream()
        .anyMatch(use -> use.role() == role && isUse(use, template));
  }

  /** INSERT without a list of columns gives a value to each. */
  private boolean isWholeInsert(WorkloadTemplate template, SchemaFacts schema) {
    if (!template.isInsert() || template.has(ColumnRole.INSERT)) {
      return false;
    }
    return template.template().use().writes().stream()
        .anyMatch(
            table ->
                columns.containsKey(table)
                    && schema.tables().containsKey(table)
                    && schema.tables().get(table).types().containsKey(columns.get(table)));
  }

  private boolean isUse(ColumnUse use, WorkloadTemplate template) {
    return tablesOf(use, template).findAny().isPresent();
  }

  /** Whose column it is that the statement uses, if it is this one. */
  private Stream<String> tablesOf(ColumnUse use, WorkloadTemplate template) {
    return use.table()
        .map(Stream::of)
        .orElseGet(() -> template.tables().stream())
        .filter(table -> use.column().equals(columns.get(table)));
  }
}
