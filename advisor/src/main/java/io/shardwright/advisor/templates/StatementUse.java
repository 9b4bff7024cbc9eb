package io.shardwright.advisor.templates;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one statement touches.
 *
 * @param reads tables, in the order in which they are written
 * @param writes tables whose rows it inserts, changes or deletes
 * @param locks true for SELECT ... FOR UPDATE and its like
 * @param columns without repetition
 */
public record StatementUse(
    StatementKind kind,
    Set<String> reads,
    Set<String> writes,
    boolean locks,
    List<ColumnUse> columns) {
  public StatementUse {
    reads = Collections.unmodifiableSet(new LinkedHashSet<>(reads));
    writes = Collections.unmodifiableSet(new LinkedHashSet<>(writes));
    columns = List.copyOf(columns);
  }
}
