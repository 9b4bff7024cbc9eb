package io.shardwright.advisor.advice;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.TableFacts;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.ColumnUse;
import io.shardwright.advisor.templates.StatementKind;
import io.shardwright.advisor.templates.Template;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One template in its workload.
 *
 * @param weight executions times the weight of the class
 * @param share of all executions on tables
 * @param cost in the unit of the workload, see {@link Workload#costUnit}
 * @param declared true when the class was told by people
 */
public record WorkloadTemplate(
    Template template,
    WorkloadClass workloadClass,
    boolean declared,
    double weight,
    double share,
    double cost) {
  private static final long SCANNED_ROWS_MIN = 10_000;
  private static final long SCANNED_TO_FOUND_MIN = 1_000;

  /** Read or written. */
  public Set<String> tables() {
    Set<String> tables = new LinkedHashSet<>(template.use().writes());
    tables.addAll(template.use().reads());
    return tables;
  }

  public boolean isWrite() {
    return template.use().kind().isWrite();
  }

  boolean isInsert() {
    return template.use().kind() == StatementKind.INSERT;
  }

  boolean has(ColumnRole role) {
    return template.use().columns().stream().anyMatch(use -> use.role() == role);
  }

  /** Groups, or asks for one figure about all rows. */
  boolean aggregates() {
    return has(ColumnRole.GROUP)
        || template.text().matches("(?s)SELECT (count|COUNT|sum|SUM|avg|AVG|min|MIN|max|MAX)\\(.*");
  }

  boolean isLimited() {
    return template.text().matches("(?s).*\\b(LIMIT|FETCH)\\b.*");
  }

  /**
   * A read that looks at far more rows than it returns: as the log counted them, else by having no
   * condition that an index of the schema serves.
   */
  boolean scans(SchemaFacts schema) {
    if (isInsert() || tables().isEmpty()) {
      return false;
    }
    if (template.rowsExamined() > 0) {
      long examined = template.rowsExamined() / template.executions();
      long found = Math.max(1, template.rowsSent() + template.rowsAffected());
      return examined >= SCANNED_ROWS_MIN
          && template.rowsExamined() / found >= SCANNED_TO_FOUND_MIN;
    }
    boolean narrows =
        has(ColumnRole.EQUALITY)
            || has(ColumnRole.IN)
            || has(ColumnRole.RANGE)
            || has(ColumnRole.JOIN);
    return !narrows ? !isLimited() : !hasIndex(schema);
  }

  private boolean hasIndex(SchemaFacts schema) {
    for (String name : tables()) {
      TableFacts table = schema.tables().get(name);
      if (table == null) {
        return true;
      }
      boolean serves =
          table.indexes().stream()
              .anyMatch(columns -> !columns.isEmpty() && narrowsBy(name, columns.get(0)));
      if (serves) {
        return true;
      }
    }
    return false;
  }

  private boolean narrowsBy(String table, String column) {
    return template.use().columns().stream().anyMatch(use -> isNarrow(use, table, column));
  }

  private static boolean isNarrow(ColumnUse use, String table, String column) {
    boolean role =
        switch (use.role()) {
          case EQUALITY, IN, RANGE, JOIN -> true;
          case ORDER, GROUP, INSERT, UPDATE_SET, FILTER -> false;
        };
    return role && use.column().equals(column) && use.table().orElse(table).equals(table);
  }
}
