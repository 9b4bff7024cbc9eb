package io.shardwright.advisor.templates;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the names of columns can mean in one query: its tables, and those of the queries around it.
 */
final class Scope {
  /**
   * A column of a table.
   *
   * @param table empty when several tables may have it
   */
  record Column(Optional<String> table, String name) {}

  /**
   * A table or query of FROM.
   *
   * @param table empty for a query, whose columns are {@code outputs}
   * @param outputs of a query: what its columns stand for; a value of null is an expression
   * @param whole the only table of a query that selects {@code *}; its columns pass through
   */
  record Source(
      String alias, Optional<String> table, Map<String, Column> outputs, Optional<String> whole) {
    static Source table(String alias, String table) {
      return new Source(alias, Optional.of(table), Map.of(), Optional.empty());
    }

    /** Empty when it gives no column of a table under this name. */
    Optional<Column> column(String name) {
      if (table.isPresent() || (whole.isPresent() && !outputs.containsKey(name))) {
        return Optional.of(new Column(table.or(() -> whole), name));
      }
      return Optional.ofNullable(outputs.get(name));
    }

    /** False when it certainly does not. */
    boolean mayHave(String name) {
      return table.isPresent() || whole.isPresent() || outputs.containsKey(name);
    }
  }

  private final Scope around;
  private final List<Source> sources = new ArrayList<>();
  private final Map<String, Source> queries = new HashMap<>();

  Scope(Scope around) {
    this.around = around;
  }

  void add(Source source) {
    sources.add(source);
  }

  List<Source> sources() {
    return sources;
  }

  /** A query of WITH. */
  void define(String name, Source query) {
    queries.put(name, query);
  }

  Optional<Source> defined(String name) {
    Source query = queries.get(name);
    return query != null || around == null ? Optional.ofNullable(query) : around.defined(name);
  }

  /**
   * @param qualifier alias or table; null without
   * @return empty when it is no column of a table
   */
  Optional<Column> column(String qualifier, String name) {
    if (qualifier != null) {
      Optional<Source> source =
          sources.stream().filter(s -> s.alias().equals(qualifier)).findFirst();
      return source.isPresent()
          ? source.get().column(name)
          : around == null
              ? Optional.of(new Column(Optional.empty(), name))
              : around.column(qualifier, name);
    }
    if (sources.stream().anyMatch(s -> s.table().isEmpty() && s.alias().equals(name))) {
      return Optional.empty(); // the rows of a function or query
    }
    List<Source> candidates = sources.stream().filter(s -> s.mayHave(name)).toList();
    if (candidates.isEmpty()) {
      return around == null ? Optional.empty() : around.column(null, name);
    }
    // A query that names the column has it: tables beside it would make it ambiguous.
    Optional<Source> named =
        candidates.stream().filter(s -> s.outputs().containsKey(name)).findFirst();
    if (named.isPresent()) {
      return named.get().column(name);
    }
    return candidates.size() == 1
        ? candidates.get(0).column(name)
        : Optional.of(new Column(Optional.empty(), name));
  }
}
