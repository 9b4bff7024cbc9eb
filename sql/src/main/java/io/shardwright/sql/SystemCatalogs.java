package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads of information_schema and pg_catalog. The schema is the same on every shard, so one shard
 * answers questions about it for all. What differs from shard to shard is refused: statistics,
 * activity, sizes and the values of sequences; the estimates in pg_class are answered as unknown.
 * Object ids differ too; they fit each other because outside transactions the first shard answers
 * every such question.
 */
final class SystemCatalogs {
  /** Relations of pg_catalog that describe the schema. */
  private static final Set<String> RELATIONS =
      Set.of(
          "pg_aggregate",
          "pg_am",
          "pg_amop",
          "pg_amproc",
          "pg_attrdef",
          "pg_attribute",
          "pg_cast",
          "pg_class",
          "pg_collation",
          "pg_constraint",
          "pg_conversion",
          "pg_depend",
          "pg_description",
          "pg_enum",
          "pg_event_trigger",
          "pg_extension",
          "pg_index",
          "pg_indexes",
          "pg_inherits",
          "pg_language",
          "pg_matviews",
          "pg_namespace",
          "pg_opclass",
          "pg_operator",
          "pg_opfamily",
          "pg_partitioned_table",
          "pg_policies",
          "pg_policy",
          "pg_proc",
          "pg_range",
          "pg_rewrite",
          "pg_roles",
          "pg_rules",
          "pg_sequence",
          "pg_tables",
          "pg_trigger",
          "pg_type",
          "pg_user",
          "pg_views");

  /**
   * Estimates in pg_class, and what PostgreSQL has there for a table that was never analysed. Tools
   * read them beside the schema; a shard's own would be taken for those of the whole table.
   */
  private static final Map<String, String> UNKNOWN_ESTIMATES =
      Map.of(
          "reltuples", "(-1)::real",
          "relpages", "0",
          "relallvisible", "0",
          "relallfrozen", "0");

  /** Columns of pg_class that tell about the files of one shard. */
  private static final Set<String> PHYSICAL_COLUMNS =
      Set.of("relfilenode", "relfrozenxid", "relminmxid");

  /**
   * Settings that say how the database understands and writes text, or what it is; with SHOW.
   * {@code apply} compares those that a server can have differently.
   */
  private static final Set<String> SETTINGS =
      Set.of(
          "search_path",
          "server_version",
          "server_version_num",
          "server_encoding",
          "client_encoding",
          "standard_conforming_strings",
          "timezone",
          "datestyle",
          "intervalstyle",
          "integer_datetimes",
          "max_identifier_length",
          "lc_collate",
          "lc_ctype",
          "transaction_isolation");

  private SystemCatalogs() {}

  /**
   * Whether a table name means one of these relations.
   *
   * @param qualifier folded, empty when there is none
   * @param name folded
   */
  static boolean has(String qualifier, String name) {
    return qualifier.equals("information_schema")
        || ((qualifier.isEmpty() || qualifier.equals("pg_catalog")) && RELATIONS.contains(name));
  }

  /** The plan of a SELECT from these relations and from nothing sharded. */
  static Plan plan(SqlTokens tokens) {
    requireSchemaQuestion(tokens);
    return new FixedPlan(tokens, unknownEstimates(tokens), "the schema, alike on every shard");
  }

  private static List<Edit> unknownEstimates(SqlTokens tokens) {
    List<Edit> edits = new ArrayList<>();
    for (int i = 1; i < tokens.size(); i++) {
      String name = tokens.get(i).isName() ? tokens.name(i) : "";
      String unknown = UNKNOWN_ESTIMATES.get(name);
      if (unknown != null && !tokens.isAt(i - 1, "AS")) {
        int first = i;
        while (tokens.isSymbolAt(first - 1, ".")) {
          first -= 2;
        }
        boolean item =
            (tokens.isAt(first - 1, "SELECT") || tokens.isSymbolAt(first - 1, ","))
                && (tokens.isSymbolAt(i + 1, ",") || tokens.isAt(i + 1, "FROM"));
        edits.add(
            new Edit.Replace(
                tokens.get(first).start(),
                tokens.get(i).end(),
                item ? unknown + " AS " + name : unknown));
      }
    }
    return edits;
  }

  /**
   * Refuses what one shard would answer for itself alone.
   *
   * @throws io.shardwright.errors.ShardwrightException SW202
   */
  private static void requireSchemaQuestion(SqlTokens tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).isName()) {
        String name = tokens.name(i);
        if (PHYSICAL_COLUMNS.contains(name)) {
          throw BlockReader.unsupported(name + ", which is each shard's own,");
        }
        if (name.equals("pg_class") && selectsAll(tokens)) {
          throw BlockReader.unsupported(
              "* beside pg_class, whose numbers of rows and pages are each shard's own,");
        }
      }
    }
  }

  private static boolean selectsAll(SqlTokens tokens) {
    for (int i = 1; i < tokens.size(); i++) {
      boolean behindItem =
          tokens.isAt(i - 1, "SELECT")
              || tokens.isAt(i - 1, "DISTINCT")
              || tokens.isSymbolAt(i - 1, ",")
              || tokens.isSymbolAt(i - 1, ".");
      if (tokens.isSymbolAt(i, "*") && behindItem) {
        return true;
      }
    }
    return false;
  }

  /** The databases of the shards may have other names; one of them is the logical one's. */
  static boolean asksForTheDatabase(SqlTokens tokens, BlockReader.Blocks blocks) {
    boolean tables =
        blocks.all().stream()
            .flatMap(block -> block.sources.stream())
            .anyMatch(source -> source.table.isPresent());
    boolean asks = false;
    for (int i = 0; i < tokens.size(); i++) {
      asks |= tokens.isAt(i, "CURRENT_DATABASE") || tokens.isAt(i, "CURRENT_CATALOG");
    }
    return asks && !tables;
  }

  /** SHOW of a setting that is the same everywhere. */
  static Plan show(SqlTokens tokens) {
    String name = tokens.size() == 2 ? tokens.name(1) : "";
    boolean isolation =
        tokens.size() == 4
            && tokens.isAt(1, "TRANSACTION")
            && tokens.isAt(2, "ISOLATION")
            && tokens.isAt(3, "LEVEL");
    if (!isolation && !SETTINGS.contains(name.toLowerCase(Locale.ROOT))) {
      throw BlockReader.unsupported(
          "SHOW of a setting that may differ from shard to shard or from session to session");
    }
    return new FixedPlan(tokens, List.of(), "a setting of every shard");
  }
}
