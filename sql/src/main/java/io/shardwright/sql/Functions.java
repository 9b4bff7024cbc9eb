package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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
          "cast",
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

  /** Words before a parenthesis that are no function names. */
  private static final Set<String> KEYWORDS =
      Set.of(
          "and",
          "or",
          "not",
          "in",
          "exists",
          "any",
          "all",
          "some",
          "case",
          "when",
          "then",
          "else",
          "between",
          "like",
          "ilike",
          "is",
          "distinct",
          "on",
          "select",
          "from",
          "where",
          "as",
          "row",
          "array",
          "values",
          "by",
          "limit",
          "offset",
          "symmetric",
          "set",
          "into",
          "conflict",
          "returning",
          "using",
          "join",
          "union",
          "except",
          "intersect",
          "having",
          "lateral",
          "zone",
          "numeric",
          "decimal",
          "varchar",
          "char",
          "character",
          "varying",
          "timestamp",
          "timestamptz",
          "time",
          "interval",
          "bit",
          "float",
          "bpchar");

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

  /** Functions beside the scalar ones that read no table. */
  private static final Set<String> TABLELESS =
      Set.of(
          "over",
          "filter",
          "within",
          "group",
          "every",
          "bit_and",
          "bit_or",
          "bit_xor",
          "stddev",
          "stddev_pop",
          "stddev_samp",
          "variance",
          "var_pop",
          "var_samp",
          "corr",
          "percentile_cont",
          "percentile_disc",
          "mode",
          "json_object_agg",
          "jsonb_object_agg",
          "ntile",
          "first_value",
          "last_value",
          "nth_value",
          "percent_rank",
          "cume_dist",
          "generate_series",
          "unnest",
          "string_agg",
          "array_agg",
          "bool_and",
          "bool_or",
          "row_number",
          "version",
          "current_database",
          "current_schema",
          "pg_backend_pid",
          "random",
          "gen_random_uuid",
          "clock_timestamp",
          "statement_timestamp",
          "transaction_timestamp",
          "pg_sleep",
          "pg_typeof",
          "array",
          "json_build_object",
          "jsonb_build_object",
          "to_json",
          "to_jsonb",
          "row_to_json",
          "jsonb_agg",
          "json_agg",
          "regexp_split_to_table",
          "rank",
          "dense_rank",
          "lag",
          "lead");

  /** Functions that change the session of a pooled connection for whoever gets it next. */
  private static final Set<String> SESSION =
      Set.of(
          "set_config",
          "pg_advisory_lock",
          "pg_advisory_lock_shared",
          "pg_try_advisory_lock",
          "pg_try_advisory_lock_shared",
          "pg_advisory_unlock",
          "pg_advisory_unlock_shared",
          "pg_advisory_unlock_all");

  /** Functions about the schema and the user, which are alike on every shard. */
  private static final Set<String> OF_SCHEMA =
      Set.of(
          "array_lower",
          "array_position",
          "array_to_string",
          "array_upper",
          "_pg_expandarray",
          "col_description",
          "current_schemas",
          "format_type",
          "generate_subscripts",
          "has_column_privilege",
          "has_schema_privilege",
          "has_sequence_privilege",
          "has_table_privilege",
          "obj_description",
          "pg_get_constraintdef",
          "pg_get_expr",
          "pg_get_function_arguments",
          "pg_get_function_identity_arguments",
          "pg_get_function_result",
          "pg_get_functiondef",
          "pg_get_indexdef",
          "pg_get_partkeydef",
          "pg_get_ruledef",
          "pg_get_serial_sequence",
          "pg_get_triggerdef",
          "pg_get_userbyid",
          "pg_get_viewdef",
          "pg_function_is_visible",
          "pg_table_is_visible",
          "pg_type_is_visible",
          "quote_ident",
          "quote_literal",
          "to_regclass",
          "to_regtype");

  /** Words before a parenthesis that go on with the call before them. */
  private static final Set<String> CALL_CLAUSES = Set.of("over", "filter", "group");

  private Functions() {}

  /** True for functions that are known to read no table. */
  static boolean isTableless(String name) {
    return SCALAR.contains(name) || MERGEABLE.contains(name) || TABLELESS.contains(name);
  }

  static boolean isScalar(String name) {
    return SCALAR.contains(name);
  }

  /** Refuses functions that leave something behind in a pooled connection. */
  static void requireNoSession(SqlTokens tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (isCall(tokens, i) && SESSION.contains(nameAt(tokens, i))) {
        throw BlockReader.unsupported(
            "the function "
                + nameAt(tokens, i)
                + ", which changes the session of a pooled connection,");
      }
    }
  }

  /** The first stateful function that the text calls; empty when there is none. */
  static String statefulCall(SqlTokens tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (isCall(tokens, i) && STATEFUL.contains(nameAt(tokens, i))) {
        return nameAt(tokens, i);
      }
    }
    return "";
  }

  /**
   * The first function that the text calls and that might read tables itself, as a user's function
   * can; empty when there is none. Stateful ones are told by {@link #statefulCall}.
   */
  static String callOfUnknown(SqlTokens tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (isCall(tokens, i)) {
        String name = nameAt(tokens, i);
        if (!isTableless(name)
            && !OF_SCHEMA.contains(name)
            && !STATEFUL.contains(name)
            && !CALL_CLAUSES.contains(name)) {
          return name;
        }
      }
    }
    return "";
  }

  /** Names, in lower case, of the functions called in a range, outside its subqueries. */
  static List<String> calls(SqlTokens tokens, Range range) {
    List<String> calls = new ArrayList<>();
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.isSymbolAt(i, "(")
          && (tokens.isAt(i + 1, "SELECT") || tokens.isAt(i + 1, "WITH"))) {
        i = tokens.closing(i);
      } else if (isCall(tokens, i)) {
        calls.add(nameAt(tokens, i));
      }
    }
    return calls;
  }

  private static boolean isCall(SqlTokens tokens, int index) {
    return tokens.get(index).isName()
        && tokens.isSymbolAt(index + 1, "(")
        && (tokens.get(index).kind() == SqlTokens.Kind.QUOTED
            || !KEYWORDS.contains(nameAt(tokens, index)));
  }

  private static String nameAt(SqlTokens tokens, int index) {
    return Schema.fold(tokens.get(index).text()).toLowerCase(Locale.ROOT);
  }
}
