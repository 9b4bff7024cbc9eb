package io.shardwright.advisor.advice;

import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.StatementKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What becomes of the rows of one table.
 *
 * @param inserts executions, as {@code updates} and {@code deletes}
 * @param retention days after which its rows may go; empty: nobody said
 */
public record Lifecycle(
    String table, long inserts, long updates, long deletes, Optional<Integer> retention) {
  static List<Lifecycle> of(
      Collection<String> tables, List<WorkloadTemplate> templates, Map<String, Integer> retention) {
    List<Lifecycle> list = new ArrayList<>();
    for (String table : new TreeSet<>(tables)) {
      long[] counts = new long[3];
      for (WorkloadTemplate template : templates) {
        if (template.template().use().writes().contains(table)) {
          StatementKind kind = template.template().use().kind();
          boolean changes = kind == StatementKind.UPDATE || template.has(ColumnRole.UPDATE_SET);
          int place = changes ? 1 : kind == StatementKind.INSERT ? 0 : 2;
          counts[place] += template.template().executions();
        }
      }
      list.add(
          new Lifecycle(
              table, counts[0], counts[1], counts[2], Optional.ofNullable(retention.get(table))));
    }
    return list;
  }

  /** Rows are only added. */
  public boolean appends() {
    return inserts > 0 && updates == 0 && deletes == 0;
  }

  /** In a few words. */
  public String written() {
    String rows =
        appends()
            ? "only grows"
            : inserts + updates + deletes == 0
                ? "is not written"
                : String.format(
                    Locale.ROOT,
                    "%,d inserts, %,d updates, %,d deletes",
                    inserts,
                    updates,
                    deletes);
    return table + ": " + rows + retention.map(days -> ", kept " + days + " days").orElse("");
  }

  /** Why tables of one group should not be kept alike; empty when nothing speaks against it. */
  static List<String> mismatches(List<Lifecycle> group) {
    List<String> notes = new ArrayList<>();
    List<String> growing = group.stream().filter(Lifecycle::appends).map(Lifecycle::table).toList();
    List<String> changing =
        group.stream().filter(l -> l.updates() > 0).map(Lifecycle::table).toList();
    if (!growing.isEmpty() && !changing.isEmpty()) {
      notes.add(
          growing
              + " only grow while rows of "
              + changing
              + " change: they may share the key, but archive the former by time");
    }
    List<Lifecycle> kept = group.stream().filter(l -> l.retention().isPresent()).toList();
    if (kept.stream().map(l -> l.retention().orElseThrow()).distinct().count() > 1
        || (!kept.isEmpty() && kept.size() < group.size())) {
      notes.add(
          "rows are kept for different times: "
              + group.stream()
                  .map(
                      l ->
                          l.table()
                              + " "
                              + l.retention().map(days -> days + " days").orElse("(not told)"))
                  .toList()
              + ": what goes first must not be joined afterwards");
    }
    return notes;
  }
}
