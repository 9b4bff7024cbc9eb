package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads of information_schema and of the like. The schema is the same on every shard, so one shard
 * answers questions about it for all. What differs from shard to shard is refused: statistics,
 * activity, sizes and the values of sequences; the estimates in pg_class are answered as unknown.
 * Object ids differ too; they fit each other because outside transactions the first shard answers
 * every such question.
 */
final class SystemCatalogs {
  private SystemCatalogs() {}

  /**
   * Whether a table name means one of these relations.
   *
   * @param qualifier folded, empty when there is none
   * @param name folded
   */
  static boolean has(Dialect dialect, String qualifier, String name) {
    Catalogs catalogs = dialect.catalogs();
    String schema = qualifier.toLowerCase(Locale.ROOT);
    if (schema.equals("information_schema")) {
      if (!catalogs.qualified().isEmpty()
          && !catalogs.qualified().contains(name.toLowerCase(Locale.ROOT))) {
        throw BlockReader.unsupported(
            "information_schema." + name + ", which each shard would answer for itself,");
      }
      return true;
    }
    return (schema.isEmpty() || catalogs.schemas().contains(schema))
        && catalogs.unqualified().contains(name);
  }

  /** The plan of a SELECT from these relations and from nothing sharded. */
  static Plan plan(SqlTokens tokens) {
    requireSchemaQuestion(tokens);
    return FixedPlan.onFirstShard(
        tokens, unknownEstimates(tokens), "the schema, alike on every shard");
  }

  private static List<Edit> unknownEstimates(SqlTokens tokens) {
    List<Edit> edits = new ArrayList<>();
    for (int i = 1; i < tokens.size(); i++) {
      String name = tokens.get(i).isName() ? tokens.name(i) : "";
      String unknown = tokens.dialect().catalogs().unknown().get(name);
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
        if (tokens.dialect().catalogs().physical().contains(name)) {
          throw BlockReader.unsupported(name + ", which is each shard's own,");
        }
        boolean estimates = tokens.dialect().catalogs().estimating().contains(name);
        if (estimates && !tokens.isSymbolAt(i + 1, ".") && selectsAll(tokens)) {
          throw BlockReader.unsupported(
              "* beside " + name + ", whose numbers of rows are each shard's own,");
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
      boolean named = tokens.get(i).kind() == SqlTokens.Kind.WORD;
      asks |= named && tokens.dialect().catalogs().databaseName().contains(tokens.name(i));
    }
    return asks && !tables;
  }

  /** SHOW of what is the same everywhere. */
  static Plan show(SqlTokens tokens) {
    if (!tokens.dialect().showsAlike(tokens)) {
      throw BlockReader.unsupported(
          "SHOW of what may differ from shard to shard or from session to session");
    }
    return FixedPlan.onFirstShard(tokens, List.of(), "alike on every shard");
  }
}
