package io.shardwright.config;

import io.shardwright.config.Configuration.Index;
import io.shardwright.config.Configuration.Reconcile;
import io.shardwright.routing.BucketFunction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The lookup indexes of one group. */
final class IndexMapping {
  static final String INDEXES = "write indexes: {by_order_no: {columns: [order_no], unique: true}}";

  private static final List<String> RECONCILE_KEYS = List.of("every", "rows_per_second");
  private static final Duration EVERY_MAX = Duration.ofDays(365);
  private static final int ROWS_PER_SECOND_MAX = 100_000_000;
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

  /** {@code group.index} is the name of the index's bucket map in the catalog. */
  private static final int MAX_PLACEMENT_CHARS = 63;

  private final String group;
  private final YamlMap map;
  private final boolean catalog;
  private final UnaryOperator<String> folded;

  /**
   * @param map of the group
   * @param folded names of columns as the database compares them
   */
  IndexMapping(String group, YamlMap map, boolean catalog, UnaryOperator<String> folded) {
    this.group = group;
    this.map = map;
    this.catalog = catalog;
    this.folded = folded;
  }

  /**
   * @param buckets of the group; empty when they are missing or wrong
   */
  Map<String, Index> read(Set<String> tables, OptionalInt buckets) {
    Map<String, Index> indexes = new LinkedHashMap<>();
    Optional<YamlMap> entries = map.has("indexes") ? map.map("indexes") : Optional.empty();
    if (entries.isEmpty()) {
      return indexes;
    }
    if (!catalog) {
      entries
          .get()
          .problem(
              "needs a catalog, which holds the states of lookup indexes",
              "add catalog: {url: ..., user: ...}");
    }
    for (String name : entries.get().names()) {
      checkName(entries.get(), name);
      entries
          .get()
          .map(name)
          .ifPresent(entry -> indexes.put(name, index(name, entry, tables, buckets)));
    }
    return indexes;
  }

  private void checkName(YamlMap entries, String name) {
    if (!NAME.matcher(name).matches()) {
      entries.problem(
          name,
          "is not an index name",
          "use a lower-case letter, then lower-case letters, digits or _");
    } else if (name.startsWith("shardwright_")) {
      entries.problem(name, "is a reserved name", "use another one");
    } else if (group.length() + 1 + name.length() > MAX_PLACEMENT_CHARS) {
      entries.problem(
          name,
          "has with its group's name " + (group.length() + 1 + name.length()) + " characters",
          "use at most " + MAX_PLACEMENT_CHARS + " for both and a dot between them");
    }
  }

  private Index index(String name, YamlMap entry, Set<String> tables, OptionalInt buckets) {
    Optional<String> table = entry.text("table");
    table
        .filter(t -> !tables.contains(t))
        .ifPresent(
            t ->
                entry.problem(
                    "table",
                    "is " + entry.shown("table") + ", which is no table of group " + group,
                    "use one of " + tables + ", or leave it out if only one has the columns"));
    List<String> columns = columns(entry);
    IndexKind kind = new IndexKindMapping(entry, columns, folded).read(buckets);
    return new Index(name, table, columns, kind, reconcile(entry));
  }

  private static Reconcile reconcile(YamlMap entry) {
    Optional<YamlMap> map =
        entry.has("reconcile") ? entry.map("reconcile") : Optional.<YamlMap>empty();
    if (map.isEmpty()) {
      return Reconcile.DEFAULT;
    }
    map.get().allow(RECONCILE_KEYS);
    return new Reconcile(
        map.get().duration("every", Duration.ZERO, EVERY_MAX).orElse(Reconcile.DEFAULT.every()),
        map.get()
            .integer("rows_per_second", 1, ROWS_PER_SECOND_MAX)
            .orElse(Reconcile.DEFAULT.rowsPerSecond()));
  }

  private List<String> columns(YamlMap entry) {
    if (!entry.has("columns")) {
      entry.problem("columns", "is missing", "write columns: [column]");
      return List.of();
    }
    Optional<List<YamlMap.Text>> texts = entry.texts("columns");
    if (texts.isPresent() && texts.get().isEmpty()) {
      entry.problem("columns", "has no column", "write columns: [column]");
    }
    List<String> columns = new ArrayList<>();
    for (YamlMap.Text text : texts.orElse(List.of())) {
      String column = folded.apply(text.value());
      if (GroupMapping.checkName(entry, text, "column") && columns.contains(column)) {
        entry.problem(text, "column " + column + " is there twice", "name it once");
      }
      columns.add(column);
    }
    if (columns.size() > BucketFunction.MAX_COLUMNS) {
      entry.problem(
          "columns",
          "has " + columns.size() + " columns",
          "use at most " + BucketFunction.MAX_COLUMNS);
    }
    return columns;
  }
}
