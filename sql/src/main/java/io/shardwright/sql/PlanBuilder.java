package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Plan.Kind;
import io.shardwright.sql.QueryPlan.Splitting;
import io.shardwright.sql.QueryPlan.Traits;
import io.shardwright.sql.QueryPlan.WindowSlots;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import net.sf.jsqlparser.expression.AllValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.parser.ASTNodeAccess;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.select.Fetch;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.update.Update;

/** Builds the plan of one statement: by its first word, then by what it touches. */
final class PlanBuilder {
  private static final Set<String> WINDOW_WORDS =
      Set.of("LIMIT", "OFFSET", "FETCH", "ROW", "ROWS", "ONLY", "FOR", "WITH");

  private final Schema schema;
  private final SqlTokens tokens;

  PlanBuilder(Schema schema, String sql) {
    this.schema = schema;
    this.tokens = SqlTokens.of(sql);
  }

  Plan build() {
    int first = 0;
    while (tokens.isSymbolAt(first, "(")) {
      first++;
    }
    return switch (tokens.get(first).keyword()) {
      case "SELECT" -> select((Select) parse());
      case "WITH" -> with();
      case "INSERT" -> InsertPlan.of(schema, tokens);
      case "UPDATE" -> update((Update) parse());
      case "DELETE" -> delete((Delete) parse());
      case "CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE", "REINDEX", "TRUNCATE" ->
          DdlStatement.plan(tokens);
      default -> throw otherStatement(tokens.get(first).text());
    };
  }

  private Plan with() {
    Statement statement = parse();
    if (statement instanceof Select select) {
      return select(select);
    }
    if (statement instanceof Update update) {
      return update(update);
    }
    if (statement instanceof Delete delete) {
      return delete(delete);
    }
    throw BlockReader.unsupported("WITH before this statement");
  }

  private static ShardwrightException otherStatement(String word) {
    String instead =
        switch (word.toUpperCase(Locale.ROOT)) {
          case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "END", "ABORT" ->
              "use setAutoCommit, commit, rollback and setSavepoint of the connection";
          case "SET", "RESET", "SHOW", "DISCARD" ->
              "session settings belong to physical connections; put them into the shards' urls";
          case "EXPLAIN" -> "run: shardwright explain -c FILE \"SQL\", or EXPLAIN on one shard";
          case "COPY", "MERGE", "CALL", "DO", "LOCK", "VALUES", "TABLE" ->
              "write it as SELECT, INSERT, UPDATE or DELETE";
          default -> "SELECT, INSERT, UPDATE, DELETE and DDL are known";
        };
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNSUPPORTED, "a statement that starts with " + word + ": " + instead);
  }

  /**
   * The grammar without backtracking into nested brackets: its cost is linear, that of the other
   * one doubles with each level.
   */
  private Statement parse() {
    CCJSqlParser parser = CCJSqlParserUtil.newParser(tokens.sql()).withAllowComplexParsing(false);
    try {
      return parser.Statement();
    } catch (ParseException | TokenMgrException e) {
      throw unparsable(e);
    } catch (StackOverflowError e) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_TOO_LARGE, "the statement is too deeply nested to be parsed", e);
    }
  }

  private static ShardwrightException unparsable(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    int end = message.indexOf('\n');
    String place = "";
    if (cause instanceof ParseException parse
        && parse.currentToken != null
        && parse.currentToken.next != null) {
      place =
          " at line "
              + parse.currentToken.next.beginLine
              + ", column "
              + parse.currentToken.next.beginColumn;
    }
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNPARSABLE,
        "the statement cannot be parsed"
            + place
            + ": "
            + (end < 0 ? message : message.substring(0, end)),
        cause);
  }

  private Plan select(Select select) {
    BlockReader.Blocks blocks = new BlockReader(schema, tokens).read(select);
    Optional<Placement> placement = Placement.of(blocks);
    if (placement.isEmpty()) {
      requireStateless(blocks.lock());
      return new FixedPlan(
          Kind.SELECT, tokens, Route.Target.ANY_SHARD, true, "only reference tables or no table");
    }
    WindowSlots window = select instanceof PlainSelect plain ? windowOf(plain) : WindowSlots.NONE;
    Traits traits = new Traits(Kind.SELECT, true, blocks.lock(), false, window);
    return query(traits, blocks, placement.get(), root -> splitSelect(select, blocks, root));
  }

  private void requireStateless(boolean locks) {
    String call = Functions.statefulCall(tokens);
    if (!call.isEmpty()) {
      throw BlockReader.unsupported(
          "the function "
              + call
              + " without a sharded table, which each shard answers for itself,");
    }
    if (locks) {
      throw BlockReader.unsupported("a locking clause on tables that exist on every shard");
    }
  }

  private Splitting splitSelect(Select select, BlockReader.Blocks blocks, Source root) {
    if (!(select instanceof PlainSelect plain)) {
      return new Splitting.Impossible(
          ErrorCode.MERGE_UNSUPPORTED,
          SelectMerge.refused("this set operation", "its parts touch several shards").detail());
    }
    String call = Functions.statefulCall(tokens);
    if (!call.isEmpty()) {
      return new Splitting.Impossible(
          ErrorCode.MERGE_UNSUPPORTED,
          SelectMerge.refused("the function " + call, "each shard has its own state").detail());
    }
    SelectMerge.Split split = SelectMerge.of(tokens, plain, blocks.top().orElseThrow(), root);
    return new Splitting.Possible(split.edits(), split.merge());
  }

  private WindowSlots windowOf(PlainSelect select) {
    Optional<Expression> limit = Optional.empty();
    Optional<Expression> offset = Optional.empty();
    if (select.getLimit() != null) {
      limit = Optional.ofNullable(select.getLimit().getRowCount());
      offset = Optional.ofNullable(select.getLimit().getOffset());
    }
    if (select.getOffset() != null) {
      offset = Optional.ofNullable(select.getOffset().getOffset());
    }
    Fetch fetch = select.getFetch();
    if (fetch != null) {
      limit = Optional.of(fetch.getExpression() == null ? new LongValue(1) : fetch.getExpression());
    }
    return new WindowSlots(limit.flatMap(this::windowSlot), offset.flatMap(this::windowSlot));
  }

  private Optional<Slot> windowSlot(Expression expression) {
    if (expression instanceof AllValue) {
      return Optional.empty();
    }
    int first = tokens.indexAt(SqlTokens.startOf((ASTNodeAccess) expression));
    return Optional.of(
        Slot.of(tokens, windowValue(first))
            .orElseThrow(
                () ->
                    BlockReader.unsupported("LIMIT or OFFSET with the expression " + expression)));
  }

  /** A number has a sign at most; a longer expression is not read as its first token. */
  private Range windowValue(int first) {
    int to = first + 1;
    while (to < tokens.size()
        && !WINDOW_WORDS.contains(tokens.get(to).keyword())
        && tokens.get(to).depth() >= tokens.get(first).depth()) {
      to++;
    }
    return new Range(first, to);
  }

  private Plan update(Update update) {
    BlockReader.Blocks blocks = new BlockReader(schema, tokens).read(update);
    if (update.getLimit() != null || update.getOrderByElements() != null) {
      throw BlockReader.unsupported("UPDATE with ORDER BY or LIMIT");
    }
    Schema.Table target = target(update.getTable());
    Clauses.Clause set = blocks.top().orElseThrow().clauses.find("SET").orElseThrow();
    InsertStatement.assignedColumns(tokens, set.range())
        .forEach(column -> requireMutable(target, column));
    return write(Kind.UPDATE, target, blocks);
  }

  private Plan delete(Delete delete) {
    BlockReader.Blocks blocks = new BlockReader(schema, tokens).read(delete);
    if (delete.getLimit() != null || delete.getOrderByElements() != null) {
      throw BlockReader.unsupported("DELETE with ORDER BY or LIMIT");
    }
    return write(Kind.DELETE, target(delete.getTable()), blocks);
  }

  private Schema.Table target(Table table) {
    return schema
        .table(Schema.fold(table.getName()))
        .orElseThrow(() -> BlockReader.unknownTable(table.getFullyQualifiedName()));
  }

  static void requireMutable(Schema.Table table, String column) {
    if (table.sharding().isEmpty()) {
      return;
    }
    Schema.Sharding sharding = table.sharding().get();
    boolean id = sharding.id().filter(i -> i.column().equals(column)).isPresent();
    if (column.equals("bucket_id") || sharding.key().contains(column) || id) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_UPDATE,
          "column "
              + column
              + " of "
              + table.name()
              + " decides where the row lives and never changes; insert a new row and delete the old "
              + "one");
    }
  }

  private Plan write(Kind kind, Schema.Table target, BlockReader.Blocks blocks) {
    boolean returning = blocks.top().orElseThrow().clauses.find("RETURNING").isPresent();
    Optional<Placement> placement = Placement.of(blocks);
    if (target.isReference()) {
      if (placement.isPresent()) {
        throw BlockReader.unsupported(
            "a write to reference table " + target.name() + " that reads sharded tables");
      }
      ReferenceWrite.requireDeterministic(tokens, target.name());
      return new FixedPlan(
          kind, tokens, Route.Target.EVERY_SHARD, returning, "reference table " + target.name());
    }
    Traits traits = new Traits(kind, returning, true, true, WindowSlots.NONE);
    return query(
        traits,
        blocks,
        placement.orElseThrow(),
        root -> new Splitting.Possible(List.of(), window -> new Merge.SumCounts()));
  }

  private Plan query(
      Traits traits,
      BlockReader.Blocks blocks,
      Placement placement,
      Function<Source, Splitting> split) {
    Splitting splitting;
    if (placement.root().isEmpty()) {
      String tables =
          String.join(
              ", ", placement.tables().stream().map(Schema.Table::name).distinct().toList());
      splitting =
          new Splitting.Impossible(
              ErrorCode.TABLES_NOT_COLOCATED,
              "the occurrences of "
                  + tables
                  + " are not tied to each other by equal route keys or ids, so their rows may be on "
                  + "different shards; join or correlate them on all key columns, or give each the key");
    } else {
      try {
        splitting = split.apply(placement.root().get());
      } catch (ShardwrightException e) {
        splitting = new Splitting.Impossible(e.code(), e.detail());
      }
    }
    List<Edit> bucketEdits = BucketEdits.of(tokens, blocks.all(), placement);
    return new QueryPlan(traits, tokens, placement, bucketEdits, splitting);
  }
}
