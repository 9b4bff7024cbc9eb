package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.Set;

/** DDL goes to every shard as it is; what would put rows or session state on a shard is refused. */
final class DdlStatement {
  private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "TABLE", "VALUES", "EXECUTE");

  private DdlStatement() {}

  static Plan plan(SqlTokens tokens) {
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
    return new FixedPlan(Plan.Kind.DDL, tokens, Route.Target.EVERY_SHARD, false, "DDL");
  }

  private static ShardwrightException refused(String why) {
    return new ShardwrightException(ErrorCode.DDL_UNSUPPORTED, why);
  }
}
