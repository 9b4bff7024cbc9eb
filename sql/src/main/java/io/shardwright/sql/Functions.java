package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.Select;

/**
 * What is known about functions of the database. A function that is not listed may be an aggregate
 * of the user's, which must not be taken for a value of one row.
 */
final class Functions {
  /** Aggregates whose partial results combine. */
  static final Set<String> MERGEABLE = Set.of("count", "sum", "min", "max", "avg");

  private static final Set<String> SCALAR =
      Set.of(
          "abs",
          "ceil",
          "ceiling",
          "floor",
          "round",
          "trunc",
          "mod",
          "power",
          "sqrt",
          "sign",
          "exp",
          "ln",
          "log",
          "length",
          "char_length",
          "octet_length",
          "lower",
          "upper",
          "initcap",
          "trim",
          "ltrim",
          "rtrim",
          "btrim",
          "left",
          "right",
          "lpad",
          "rpad",
          "substring",
          "substr",
          "replace",
          "translate",
          "position",
          "strpos",
          "split_part",
          "concat",
          "concat_ws",
          "reverse",
          "repeat",
          "md5",
          "sha256",
          "encode",
          "decode",
          "coalesce",
          "nullif",
          "greatest",
          "least",
          "date_trunc",
          "date_part",
          "age",
          "now",
          "to_char",
          "to_date",
          "to_timestamp",
          "to_number",
          "make_date",
          "make_interval",
          "extract",
          "jsonb_extract_path_text",
          "json_extract_path_text",
          "jsonb_typeof",
          "json_typeof",
          "jsonb_array_length",
          "array_length",
          "cardinality",
          "regexp_replace",
          "regexp_match",
          "starts_with",
          "format",
          "hashtext",
          "width_bucket",
          "ascii",
          "chr",
          "to_hex");

  /**
   * Functions with a memory of their own on each shard, so that shards would give equal answers
   * twice.
   */
  private static final Set<String> STATEFUL =
      Set.of(
          "nextval",
          "currval",
          "lastval",
          "setval",
          "set_config",
          "pg_notify",
          "txid_current",
          "pg_current_xact_id",
          "pg_advisory_lock",
          "pg_advisory_xact_lock",
          "pg_try_advisory_lock",
          "pg_try_advisory_xact_lock",
          "pg_advisory_unlock",
          "pg_advisory_unlock_all");

  private Functions() {}

  static String name(Function function) {
    return function.getName().toLowerCase(Locale.ROOT);
  }

  static boolean isScalar(String name) {
    return SCALAR.contains(name);
  }

  /** The first word of the text that calls a stateful function; empty when there is none. */
  static String statefulCall(SqlTokens tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      String word = tokens.get(i).text().toLowerCase(Locale.ROOT);
      if (tokens.get(i).isName() && tokens.isSymbolAt(i + 1, "(") && STATEFUL.contains(word)) {
        return word;
      }
    }
    return "";
  }

  /**
   * Function calls in an expression, outside subqueries; window calls come as their plain names.
   */
  record Calls(List<Function> functions, boolean window) {
    static Calls in(Expression expression) {
      List<Function> functions = new ArrayList<>();
      boolean[] window = new boolean[1];
      expression.accept(
          new ExpressionVisitorAdapter<Void>() {
            @Override
            public <S> Void visit(Function function, S context) {
              functions.add(function);
              return super.visit(function, context);
            }

            @Override
            public <S> Void visit(AnalyticExpression analytic, S context) {
              window[0] = true;
              return null;
            }

            @Override
            public <S> Void visit(ParenthesedSelect select, S context) {
              return null;
            }

            @Override
            public <S> Void visit(Select select, S context) {
              return null;
            }
          },
          null);
      return new Calls(functions, window[0]);
    }
  }
}
