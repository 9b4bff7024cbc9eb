package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import io.shardwright.sql.SqlTokens.Token;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A statement without a route key, as far as the policy asks: may it go to several shards?
 *
 * @param lookup the columns of a unique key that it fixes: it looks for single rows
 * @param bound what in its form bounds the result, LIMIT aside
 */
record Scatter(
    Plan.Kind kind, String group, Optional<String> lookup, Optional<String> bound, Hints hints) {
  private static final Set<String> AGGREGATES =
      Set.of(
          "count",
          "sum",
          "min",
          "max",
          "avg",
          "bool_and",
          "bool_or",
          "every",
          "bit_and",
          "bit_or",
          "bit_xor",
          "string_agg",
          "array_agg",
          "json_agg",
          "jsonb_agg",
          "json_object_agg",
          "jsonb_object_agg",
          "xmlagg",
          "stddev",
          "stddev_pop",
          "stddev_samp",
          "variance",
          "var_pop",
          "var_samp",
          "corr",
          "covar_pop",
          "covar_samp",
          "mode",
          "percentile_cont",
          "percentile_disc",
          "group_concat",
          "std",
          "any_value");

  static Scatter of(Plan.Kind kind, String group, SqlTokens tokens, BlockReader.Blocks blocks) {
    return new Scatter(
        kind,
        group,
        lookup(blocks),
        blocks.top().filter(top -> kind == Plan.Kind.SELECT).flatMap(top -> bound(tokens, top)),
        tokens.hints());
  }

  /** The same as far as another group is concerned. */
  Scatter in(String other) {
    return new Scatter(kind, other, lookup, bound, hints);
  }

  /** Equality on all columns of a unique key but bucket_id. */
  private static Optional<String> lookup(BlockReader.Blocks blocks) {
    for (Block block : blocks.all()) {
      for (Source source : block.sources) {
        for (List<String> unique :
            source.isSharded() ? source.table.get().uniques() : List.<List<String>>of()) {
          List<String> columns = unique.stream().filter(c -> !c.equals("bucket_id")).toList();
          if (!columns.isEmpty()
              && columns.stream().allMatch(c -> isLookup(source.facts.domain(source.column(c))))) {
            return Optional.of(String.join(", ", columns));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isLookup(Optional<Facts.Domain> domain) {
    return domain.stream()
        .flatMap(values -> values.values().stream())
        .anyMatch(slot -> !(slot instanceof Slot.Between));
  }

  /** What keeps the answer small whatever the rows: they are not shown one by one. */
  static Optional<String> bound(SqlTokens tokens, Block top) {
    if (top.clauses.find("GROUP").isPresent()) {
      return Optional.of("GROUP BY");
    }
    Range list = top.clauses.head().range();
    if (tokens.isAt(list.from(), "DISTINCT")) {
      return Optional.of("DISTINCT");
    }
    for (int i = list.from(); i < list.to(); i++) {
      boolean subquery =
          tokens.isSymbolAt(i, "(") && (tokens.isAt(i + 1, "SELECT") || tokens.isAt(i + 1, "WITH"));
      if (subquery) {
        i = tokens.closing(i);
      } else if (isAggregate(tokens, i)) {
        return Optional.of("an aggregate");
      }
    }
    return Optional.empty();
  }

  private static boolean isAggregate(SqlTokens tokens, int index) {
    Token name = tokens.get(index);
    if (!name.isName()
        || !tokens.isSymbolAt(index + 1, "(")
        || !AGGREGATES.contains(tokens.name(index).toLowerCase(Locale.ROOT))) {
      return false;
    }
    int behind = tokens.closing(index + 1) + 1;
    if (tokens.isAt(behind, "FILTER") && tokens.isSymbolAt(behind + 1, "(")) {
      behind = tokens.closing(behind + 1) + 1;
    }
    return !tokens.isAt(behind, "OVER");
  }

  /**
   * Lets the statement pass or refuses it.
   *
   * @param limited true when LIMIT or FETCH has a number in this execution
   * @param tables names, for the message
   * @param reason why it goes to every shard
   * @return the policy and why it passes, for the reason of the route
   * @throws ShardwrightException SW205
   */
  String admit(RouteContext context, boolean limited, String tables, String reason) {
    boolean read = kind == Plan.Kind.SELECT;
    ScatterRule rule =
        hints
            .scatter()
            .map(policy -> new ScatterRule(policy, "hint"))
            .orElseGet(() -> read ? context.reads(group) : context.writes(group));
    if (rule.policy() == ScatterPolicy.ALLOW) {
      return word(rule);
    }
    Optional<String> bounded = read ? bounded(context, limited) : Optional.empty();
    if (rule.policy() == ScatterPolicy.BOUNDED && bounded.isPresent() && lookup.isEmpty()) {
      return word(rule) + ", bounded by " + bounded.get();
    }
    throw new ShardwrightException(
        ErrorCode.ROUTE_KEY_MISSING,
        kind
            + " on "
            + tables
            + " would go to every shard ("
            + reason
            + "), and "
            + why(rule)
            + "; nothing was sent; "
            + instead(rule));
  }

  private Optional<String> bounded(RouteContext context, boolean limited) {
    if (limited) {
      return Optional.of("LIMIT");
    }
    return bound
        .or(() -> hints.maxRows().isPresent() ? Optional.of("the hint max_rows") : Optional.empty())
        .or(context::bound);
  }

  private static String word(ScatterRule rule) {
    return "policy " + name(rule) + " (" + rule.source() + ")";
  }

  private static String name(ScatterRule rule) {
    return rule.policy().name().toLowerCase(Locale.ROOT);
  }

  private String why(ScatterRule rule) {
    String policy = "the policy " + name(rule) + " (" + rule.source() + ")";
    if (rule.policy() == ScatterPolicy.REFUSE || kind != Plan.Kind.SELECT) {
      return policy + " forbids that";
    }
    return lookup.isPresent()
        ? policy + " forbids to look for single rows (by " + lookup.get() + ") on all of them"
        : policy + " wants its rows to be bounded";
  }

  private String instead(ScatterRule rule) {
    boolean limit =
        rule.policy() == ScatterPolicy.BOUNDED && kind == Plan.Kind.SELECT && lookup.isEmpty();
    return "add the key or a gene id to the WHERE clause"
        + (limit ? ", or LIMIT, setMaxRows, or setFetchSize to stream the rows" : "")
        + ", or permit this statement with the comment /* shardwright: scatter=allow */";
  }
}
