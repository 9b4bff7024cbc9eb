package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.Optional;
import java.util.Set;

/**
 * DDL goes to every shard as it is and is kept in a log that is replayed on shards that lack it.
 * Refused is what would put rows or session state on a shard, what must not be in such a log, and
 * what would change where rows belong.
 */
final class DdlStatement {
  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "TABLE", "VALUES", "EXECUTE");

  private static final Set<String> ROLES = Set.of("ROLE", "USER", "GROUP");

  private final Schema schema;
  private final SqlTokens tokens;

  private DdlStatement(Schema schema, SqlTokens tokens) {
    this.schema = schema;
    this.tokens = tokens;
  }

  /**
   * The plan of a schema change.
   *
   * @throws ShardwrightException SW503
   */
  static Plan plan(Schema schema, SqlTokens tokens) {
    DdlStatement ddl = new DdlStatement(schema, tokens);
    ddl.refuseWhatTheLogMustNotHold();
    ddl.refuseRowsAndSessions();
    schema.dialect().refuseDdl(schema, tokens);
    boolean own = schema.dialect().writesJoins();
    if (!own && tokens.isAt(0, "ALTER") && tokens.isAt(1, "TABLE")) {
      ddl.refuseOtherPlacement();
    }
    return FixedPlan.onEveryShard(Plan.Kind.DDL, tokens, false, "DDL");
  }

  private void refuseWhatTheLogMustNotHold() {
    if (tokens.isAt(0, "TRUNCATE")) {
      throw refused(
          "TRUNCATE would be kept in the log of schema changes, and running it later on a shard that"
              + " lacks it would delete rows written since; run it on each shard with the database's"
              + " own client, or DELETE by route key (a reference table: without)");
    }
    boolean onRole = tokens.isAt(0, "CREATE") || tokens.isAt(0, "ALTER") || tokens.isAt(0, "DROP");
    if (onRole && tokens.size() > 1 && ROLES.contains(tokens.get(1).keyword())) {
      throw refused(
          tokens.get(0).keyword()
              + " "
              + tokens.get(1).keyword()
              + ": roles belong to the server and not to its databases, and the log of schema changes"
              + " would show a password; run it on each server with the database's own client");
    }
  }

  private void refuseRowsAndSessions() {
    boolean create = tokens.isAt(0, "CREATE");
    boolean temporary =
        tokens.isAt(1, "TEMP")
            || tokens.isAt(1, "TEMPORARY")
            || tokens.isAt(2, "TEMP")
            || tokens.isAt(2, "TEMPORARY");
    if (create && temporary) {
      throw refused(
          "a temporary table lives in one physical connection; create a plain table instead");
    }
    for (int i = 1; i + 1 < tokens.size(); i++) {
      if (tokens.isNamed(i, "pg_temp") && tokens.isSymbolAt(i + 1, ".")) {
        throw refused("pg_temp is the schema of one physical connection; name another one");
      }
    }
    boolean table = create && (tokens.isAt(1, "TABLE") || tokens.isAt(2, "TABLE"));
    for (int i = 1; table && i + 1 < tokens.size(); i++) {
      if (tokens.isAt(i, "AS")
          && tokens.get(i).depth() == 0
          && (QUERIES.contains(tokens.get(i + 1).keyword()) || tokens.isSymbolAt(i + 1, "("))) {
        throw refused(
            "CREATE TABLE ... AS would leave each shard with other rows; create the table, then insert");
      }
    }
    if (create && tokens.isAt(1, "MATERIALIZED")) {
      throw refused("a materialized view would hold other rows on each shard");
    }
    if (!tokens.parameters().isEmpty()) {
      throw refused("DDL takes no parameters");
    }
  }

  /** {@code ALTER TABLE [IF EXISTS] [ONLY] name [*] action, action ...}. */
  private void refuseOtherPlacement() {
    int name = behind(behind(2, "IF", "EXISTS"), "ONLY");
    if (tokens.isSymbolAt(name + 1, ".") && tokens.dialect().isHome(tokens.tableName(name))) {
      name += 2;
    }
    Optional<Schema.Table> table =
        name < tokens.size() && tokens.get(name).isName() && !tokens.isSymbolAt(name + 1, ".")
            ? schema.table(tokens.tableName(name))
            : Optional.empty();
    if (table.isEmpty()) {
      return;
    }
    int action = name + 1;
    for (int i = action; i <= tokens.size(); i++) {
      boolean comma = i < tokens.size() && tokens.isSymbolAt(i, ",") && tokens.get(i).depth() == 0;
      if (comma || i == tokens.size()) {
        refuseAction(table.get(), tokens.isSymbolAt(action, "*") ? action + 1 : action);
        action = i + 1;
      }
    }
  }

  private void refuseAction(Schema.Table table, int action) {
    boolean rename = tokens.isAt(action, "RENAME");
    if ((rename && tokens.isAt(action + 1, "TO"))
        || (tokens.isAt(action, "SET") && tokens.isAt(action + 1, "SCHEMA"))) {
      throw refused(
          "table "
              + table.name()
              + " is named in shardwright.yaml and keeps its name and schema for life; create another"
              + " table, name it in the file and copy the rows");
    }
    boolean drop = tokens.isAt(action, "DROP");
    boolean alter = tokens.isAt(action, "ALTER");
    if (!(rename || drop || alter) || tokens.isAt(action + 1, "CONSTRAINT")) {
      return;
    }
    int column = behind(behind(action + 1, "COLUMN"), "IF", "EXISTS");
    if (column < tokens.size() && !(alter && keepsValues(column + 1))) {
      refuseFixed(table, tokens.name(column));
    }
  }

  /** What does not touch type, nullability or value of a column but guards or plans it better. */
  private boolean keepsValues(int at) {
    return tokens.isAt(at, "SET")
        && (tokens.isAt(at + 1, "STATISTICS")
            || (tokens.isAt(at + 1, "NOT") && tokens.isAt(at + 2, "NULL")));
  }

  static void refuseFixed(Schema.Table table, String column) {
    if (table.sharding().filter(sharding -> decidesPlace(sharding, column)).isPresent()) {
      throw refused(
          "column "
              + column
              + " of "
              + table.name()
              + " decides where rows live, so its name and type are fixed for the life of the table;"
              + " add another column, or create a table with the column as wanted and copy the rows");
    }
  }

  private static boolean decidesPlace(Schema.Sharding sharding, String column) {
    return column.equals("bucket_id")
        || sharding.key().contains(column)
        || sharding.id().filter(id -> id.column().equals(column)).isPresent();
  }

  /** The place behind the words where they are there. */
  private int behind(int at, String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!tokens.isAt(at + i, words[i])) {
        return at;
      }
    }
    return at + words.length;
  }

  static ShardwrightException refused(String why) {
    return new ShardwrightException(ErrorCode.DDL_UNSUPPORTED, why);
  }
}
