package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.LandingPath.Way;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.StatementKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A way to rows without the key, and what it costs.
 *
 * @param landing gene, lookup index or covering index
 * @param served executions of the log that take it
 * @param maintaining executions that change its entries: rows added, deleted, or the column set; 0
 *     for a gene, which is part of the id
 */
public record IndexCost(Way way, Landing landing, long served, long maintaining) {
  static List<IndexCost> of(KeyScore score) {
    Map<Way, Landing> ways = new LinkedHashMap<>();
    for (LandingPath path : score.paths()) {
      path.way().ifPresent(way -> ways.putIfAbsent(way, path.landing()));
    }
    List<IndexCost> costs = new ArrayList<>();
    ways.forEach(
        (way, landing) ->
            costs.add(
                new IndexCost(
                    way,
                    landing,
                    score.paths().stream()
                        .filter(path -> path.way().filter(way::equals).isPresent())
                        .mapToLong(path -> path.template().template().executions())
                        .sum(),
                    landing == Landing.GENE ? 0 : maintaining(score, way))));
    return costs;
  }

  private static long maintaining(KeyScore score, Way way) {
    return score.paths().stream()
        .map(LandingPath::template)
        .filter(template -> template.template().use().writes().contains(way.table()))
        .filter(
            template ->
                template.template().use().kind() != StatementKind.UPDATE
                    || template.template().use().columns().stream()
                        .anyMatch(
                            use ->
                                use.role() == ColumnRole.UPDATE_SET
                                    && use.column().equals(way.column())))
        .mapToLong(template -> template.template().executions())
        .sum();
  }

  public String written() {
    String what = way.table() + "." + way.column() + ": " + landing.written();
    return landing == Landing.GENE
        ? String.format(Locale.ROOT, "%s, serves %,d executions, costs no write", what, served)
        : String.format(
            Locale.ROOT, "%s, serves %,d executions, written by %,d", what, served, maintaining);
  }
}
