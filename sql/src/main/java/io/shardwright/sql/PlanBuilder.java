package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.BlockReader.Blocks;
import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Plan.Kind;
import io.shardwright.sql.QueryPlan.Splitting;
import io.shardwright.sql.Schema.LookupIndex;
import io.shardwright.sql.TextPlan.Traits;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Builds the plan of one statement: by its first word, then by what it touches. */
final class PlanBuilder {
  // Long because: what each kind of statement is planned as is decided here, step by step.

  private static final String DDL = "DDL";

  private final Schema schema;
  private final SqlTokens tokens;

  PlanBuilder(Schema schema, String sql) {
    this.schema = schema;
    this.tokens = SqlTokens.of(schema.dialect(), sql);
  }

  Plan build() {
    Plan plan = plan();
    requireUsable(tokens.hints(), plan);
    return plan;
  }

  /** A hint that could not do what it says is refused, like one that is unknown. */
  private static void requireUsable(Hints hints, Plan plan) {
    if (hints.equals(Hints.NONE)) {
      return;
    }
    if (plan.kind() == Kind.DDL) {
      throw MeantBucket.invalid("hints are for SELECT, INSERT, UPDATE and DELETE; drop them here");
    }
    if (hints.maxRows().isPresent() && plan.kind() != Kind.SELECT) {
      throw MeantBucket.invalid(
          "the hint max_rows bounds the rows of a SELECT and would not stop a write; drop it");
    }
    if (hints.route().isPresent() && plan.group().isEmpty()) {
      throw MeantBucket.invalid(
          "the hints key and bucket choose rows of sharded tables, and the statement has none; drop"
              + " them");
    }
  }

  private Plan plan() {
    int first = 0;
    while (tokens.isSymbolAt(first, "(")) {
      first++;
    }
    int main = tokens.isAt(first, "WITH") ? behindCommonTables(first) : first;
    String word = main < tokens.size() ? tokens.get(main).keyword() : "";
    if (!tokens.dialect().keywords().ddl().contains(word)) {
      tokens.dialect().refuseUnknown(tokens);
      Functions.requireNoSession(tokens);
    }
    return switch (tokens.dialect().keywords().ddl().contains(word) ? DDL : word) {
      case "SELECT" -> select(main);
      case "VALUES" -> values();
      case "UPDATE" -> update(main);
      case "DELETE" -> delete(main);
      case "INSERT" -> insert(first, main);
      case "REPLACE" -> {
        if (!tokens.dialect().writesJoins()) {
          throw otherStatement(word);
        }
        yield insert(first, main);
      }
      case DDL -> DdlStatement.plan(schema, tokens);
      case "SHOW" -> SystemCatalogs.show(tokens);
      default -> throw otherStatement(tokens.get(first).text());
    };
  }

  /** The main keyword of {@code WITH a AS (...), b AS (...) SELECT ...}. */
  private int behindCommonTables(int with) {
    int depth = tokens.get(with).depth();
    int at = with + 1;
    while (at < tokens.size()
        && !(tokens.get(at).depth() == depth
            && Set.of("SELECT", "INSERT", "UPDATE", "DELETE").contains(tokens.get(at).keyword()))) {
      at++;
    }
    return at;
  }

  private Plan insert(int first, int main) {
    return first == main ? InsertPlan.of(schema, tokens) : insertWith(first, main);
  }

  /** What stands in WITH before INSERT means the same in front of the query. */
  private Plan insertWith(int with, int insert) {
    if (tokens.dialect().writesJoins()) {
      throw BlockReader.unsupported("WITH before INSERT, which this database does not know,");
    }
    int query = insert;
    while (query < tokens.size()
        && !(tokens.isKeyword(query, "SELECT") && tokens.get(query).depth() == 0)) {
      if (tokens.isKeyword(query, "WITH") || tokens.isKeyword(query, "VALUES")) {
        throw BlockReader.unsupported(
            "WITH before an INSERT of "
                + tokens.get(query).keyword()
                + "; write INSERT ... SELECT,");
      }
      query++;
    }
    if (query == tokens.size()) {
      throw BlockReader.unsupported("WITH before an INSERT without a SELECT of its own");
    }
    int commonTables = tokens.get(with).start();
    int head = tokens.get(insert).start();
    int rows = tokens.get(query).start();
    String sql =
        tokens.text(0, commonTables)
            + tokens.text(head, rows)
            + tokens.text(commonTables, head)
            + tokens.text(rows, tokens.sql().length());
    return new PlanBuilder(schema, sql).build();
  }

  private static ShardwrightException otherStatement(String word) {
    String instead =
        switch (word.toUpperCase(Locale.ROOT)) {
          case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "END", "ABORT" ->
              "use setAutoCommit, commit, rollback and setSavepoint of the connection";
          case "SET", "RESET", "DISCARD" ->
              "session settings belong to physical connections; put them into the shards' urls";
          case "EXPLAIN", "DESCRIBE", "DESC" ->
              "run: shardwright explain -c FILE \"SQL\", or EXPLAIN on one shard";
          case "MERGE", "REPLACE", "TABLE", "HANDLER" ->
              "write it as SELECT, INSERT, UPDATE or DELETE";
          case "COPY", "LOAD", "IMPORT" ->
              "send rows as batches of INSERT, and read them by setFetchSize";
          case "CALL", "DO", "{" ->
              "code in the database sees the rows of one shard; send its statements one by one";
          case "LOCK", "UNLOCK" ->
              "lock rows: SELECT ... FOR UPDATE with the route key, in a transaction";
          case "PREPARE", "EXECUTE", "DEALLOCATE" -> "use prepareStatement";
          case "DECLARE", "FETCH", "MOVE", "CLOSE" ->
              "cursors belong to one connection; use setFetchSize, which streams the rows";
          case "LISTEN", "NOTIFY", "UNLISTEN" ->
              "each shard has channels of its own; use a plain connection to one of them";
          case "USE" -> "the shards' urls name the database";
          case "VACUUM", "ANALYZE", "ANALYSE", "OPTIMIZE", "CHECK", "REPAIR", "CLUSTER", "FLUSH" ->
              "maintenance is each shard's own; run it there with the database's client";
          default -> "SELECT, INSERT, UPDATE, DELETE and DDL are known";
        };
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNSUPPORTED, "a statement that starts with " + word + ": " + instead);
  }

  /** Rows that any shard makes of the text alone. */
  private Plan values() {
    Blocks blocks = BlockReader.read(schema, tokens, tokens.size());
    boolean tables =
        blocks.all().stream()
            .flatMap(block -> block.sources.stream())
            .anyMatch(source -> source.isDistributed() || source.systemCatalog);
    if (tables) {
      throw BlockReader.unsupported("VALUES with a subquery on tables that are not on every shard");
    }
    requireStateless(blocks.lock());
    return FixedPlan.onAnyShard(tokens, "VALUES");
  }

  private Plan select(int main) {
    Blocks blocks = BlockReader.read(schema, tokens, main);
    if (SingleTables.isSpread(blocks)) {
      return new GatherPlan(
          tokens, Gather.of(schema, tokens, blocks), blocks, WindowSlots.of(tokens, blocks));
    }
    Optional<ShardId> home = SingleTables.home(blocks);
    if (home.isPresent()) {
      requireTableless();
      boolean locks = blocks.lock() || Functions.statefulCall(tokens).isPresent();
      return FixedPlan.onHome(Kind.SELECT, tokens, home.get(), true, locks);
    }
    Optional<Placement> placement = Placement.of(blocks);
    if (blocks.readsSystemCatalogs()) {
      refuseSystemCatalogs(placement.isPresent(), "a SELECT from sharded tables");
      requireStateless(blocks.lock());
      return SystemCatalogs.plan(tokens);
    }
    if (placement.isEmpty()) {
      requireStateless(blocks.lock());
      RowColumns.refuse(tokens);
      if (SystemCatalogs.asksForTheDatabase(tokens, blocks)) {
        return FixedPlan.onFirstShard(tokens, List.of(), "the name of the database");
      }
      return FixedPlan.onAnyShard(tokens, "only reference tables or no table");
    }
    WindowSlots window = WindowSlots.of(tokens, blocks);
    Optional<String> group = Optional.of(placement.get().group());
    Traits traits = new Traits(tokens, Kind.SELECT, true, blocks.lock(), group);
    Placement found = placement.get();
    return query(traits, window, blocks, found, Later.of(() -> splitSelect(blocks, found)));
  }

  /** By each shard and a merge if that can be, else by gathering the parts. */
  private Splitting splitSelect(Blocks blocks, Placement placement) {
    try {
      RoundedAverages.refuse(tokens, blocks.all());
    } catch (ShardwrightException never) {
      return impossible(never);
    }
    try {
      return splitTied(blocks, placement.root().orElseThrow(() -> notTied(placement)));
    } catch (ShardwrightException direct) {
      return gathered(blocks, direct);
    }
  }

  private Splitting gathered(Blocks blocks, ShardwrightException direct) {
    try {
      return new Splitting.Gathered(Gather.of(schema, tokens, blocks));
    } catch (ShardwrightException e) {
      // Where the tables are apart, gathering is the way, and what stands in it the reason.
      return impossible(direct.code() == ErrorCode.TABLES_NOT_COLOCATED ? e : direct);
    }
  }

  private static void refuseSystemCatalogs(boolean present, String where) {
    if (present) {
      throw BlockReader.unsupported("a read of information_schema or pg_catalog in " + where);
    }
  }

  private void requireStateless(boolean locks) {
    Functions.statefulCall(tokens)
        .ifPresent(
            call -> {
              throw BlockReader.unsupported(
                  "the function "
                      + call
                      + " without a sharded table, which each shard answers for itself,");
            });
    requireTableless();
    if (locks) {
      throw BlockReader.unsupported("a locking clause on tables that exist on every shard");
    }
  }

  private void requireTableless() {
    Functions.callOfUnknown(tokens)
        .ifPresent(
            unknown -> {
              throw BlockReader.unsupported(
                  "the function "
                      + unknown
                      + " without a sharded table: it may read rows of one shard only; it");
            });
  }

  private Splitting splitTied(Blocks blocks, Source root) {
    if (!WindowSlots.arePlain(tokens, blocks)) {
      throw SelectMerge.refused("LIMIT or OFFSET with an expression", "only a number is merged");
    }
    RowColumns.refuse(tokens);
    Functions.statefulCall(tokens)
        .ifPresent(
            call -> {
              throw SelectMerge.refused("the function " + call, "each shard has its own state");
            });
    new Moments(tokens, blocks).refuse();
    for (Block block : blocks.all()) {
      for (Source source : block.sources) {
        source
            .function
            .filter(name -> !tokens.functions().isTableless(name))
            .ifPresent(
                name -> {
                  throw SelectMerge.refused(
                      "the function " + name + " in FROM",
                      "it may read the rows of one shard only");
                });
      }
    }
    Block top = blocks.top().orElseThrow();
    OuterAggregates.refuse(tokens, blocks.all(), top);
    try {
      SelectMerge.Split split = SelectMerge.of(tokens, top, root);
      return new Splitting.Possible(split.edits(), split.merge());
    } catch (ShardwrightException direct) {
      SelectMerge.Split split = StagedMerge.of(tokens, top);
      return new Splitting.Possible(split.edits(), split.merge());
    }
  }

  private Plan update(int main) {
    Blocks blocks = BlockReader.read(schema, tokens, main);
    Block top = top(blocks, "UPDATE");
    List<Schema.Table> targets = WriteTargets.of(tokens, top);
    Clause set =
        top.clauses
            .find("SET")
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.STATEMENT_UNPARSABLE, "the UPDATE has no SET clause"));
    List<String> assigned = InsertStatement.assignedColumns(tokens, set.range());
    for (String column : assigned) {
      targets.forEach(target -> requireMutable(target, column));
    }
    List<LookupIndex> maintained =
        targets.stream()
            .flatMap(target -> target.indexes().stream())
            .filter(index -> assigned.stream().anyMatch(index::dependsOn))
            .distinct()
            .toList();
    return write(Kind.UPDATE, targets.get(0), blocks, top, maintained);
  }

  private Plan delete(int main) {
    Blocks blocks = BlockReader.read(schema, tokens, main);
    Block top = top(blocks, "DELETE");
    List<Schema.Table> targets = WriteTargets.of(tokens, top);
    List<LookupIndex> maintained =
        targets.stream().flatMap(target -> target.indexes().stream()).distinct().toList();
    return write(Kind.DELETE, targets.get(0), blocks, top, maintained);
  }

  private static Block top(Blocks blocks, String kind) {
    return blocks
        .top()
        .orElseThrow(
            () -> BlockReader.unsupported(kind + " in parentheses or with a set operation"));
  }

  static void requireMutable(Schema.Table table, String column) {
    if (table.sharding().isEmpty()) {
      return;
    }
    if (table.sharding().get().routes(column)) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_UPDATE,
          "column "
              + column
              + " of "
              + table.name()
              + " decides where the row lives and never changes; insert a new row and delete the"
              + " old one");
    }
  }

  private Plan write(
      Kind kind, Schema.Table target, Blocks blocks, Block top, List<LookupIndex> maintained) {
    Optional<String> chosen =
        Stream.of("LIMIT", "ORDER", "OFFSET", "FETCH")
            .filter(clause -> top.clauses.find(clause).isPresent())
            .findFirst();
    if (chosen.isPresent() && !tokens.dialect().writesJoins()) {
      throw BlockReader.unsupported(kind + " with " + chosen.get());
    }
    refuseSystemCatalogs(blocks.readsSystemCatalogs(), "a write");
    boolean returning = top.clauses.find("RETURNING").isPresent();
    Optional<ShardId> home = SingleTables.home(blocks);
    if (home.isPresent()) {
      if (target.home().isEmpty()) {
        throw BlockReader.unsupported(
            "a write to reference table " + target.name() + " that reads single tables");
      }
      return FixedPlan.onHome(kind, tokens, home.get(), returning, true);
    }
    Optional<Placement> placement = Placement.of(blocks).map(found -> storing(found, top));
    if (target.isReference()) {
      if (placement.isPresent()) {
        throw BlockReader.unsupported(
            "a write to reference table " + target.name() + " that reads sharded tables");
      }
      ReferenceWrite.requireDeterministic(tokens, target.name());
      if (chosen.isPresent()) {
        throw BlockReader.unsupported(
            kind + " with " + chosen.get() + " on reference table " + target.name());
      }
      return FixedPlan.onEveryShard(kind, tokens, returning, "reference table " + target.name());
    }
    Optional<String> group = Optional.of(placement.orElseThrow().group());
    Traits traits = new Traits(tokens, kind, returning, true, group, maintained);
    return query(
        traits,
        WindowSlots.NONE,
        blocks,
        placement.orElseThrow(),
        Later.of(() -> splitWrite(kind, placement.orElseThrow(), chosen)));
  }

  /** With what an UPDATE stores that carries the key. */
  private Placement storing(Placement placement, Block top) {
    Optional<Clause> set = top.clauses.find("SET");
    if (set.isEmpty()) {
      return placement;
    }
    Placement storing = placement;
    for (Source source : top.sources) {
      CarriedKeys stored =
          source
              .table
              .map(table -> CarriedKeys.ofSet(tokens, table, set.get().range()))
              .orElse(CarriedKeys.NONE);
      if (!stored.isEmpty()) {
        if (top.sources.size() > 1) {
          throw BlockReader.unsupported(
              "an UPDATE with a join that sets "
                  + stored.columns()
                  + ", which carries where the row lives,");
        }
        storing = placement.storing(source, stored);
      }
    }
    return storing;
  }

  private Splitting splitWrite(Kind kind, Placement placement, Optional<String> chosen) {
    if (placement.root().isEmpty()) {
      return impossible(notTied(placement));
    }
    try {
      RowColumns.refuse(tokens);
    } catch (ShardwrightException e) {
      return impossible(e);
    }
    if (chosen.isPresent()) {
      return impossible(
          SelectMerge.refused(
              kind + " with " + chosen.get(), "its first rows may be on several shards"));
    }
    return new Splitting.Possible(List.of(), window -> new Merge.SumCounts());
  }

  private static Splitting impossible(ShardwrightException why) {
    return new Splitting.Impossible(why.code(), why.detail());
  }

  private Plan query(
      Traits traits,
      WindowSlots window,
      Blocks blocks,
      Placement placement,
      Later<Splitting> splitting) {
    Functions.requireNoLockOfOneShard(tokens);
    QueryPlan.Keys keys =
        new QueryPlan.Keys(
            placement,
            KeptLabels.with(BucketEdits.of(tokens, blocks.all(), placement), tokens, blocks.all()),
            Later.of(() -> everywhere(blocks)),
            Later.of(
                () -> BucketEdits.notForeign(tokens, blocks.all(), placement.root().orElseThrow())),
            Later.of(() -> Scatter.of(traits.kind(), placement.group(), tokens, blocks)),
            Later.of(() -> showsRows(blocks)),
            Later.of(() -> ListReads.of(schema, tokens, blocks, placement, traits.kind())));
    return new QueryPlan(traits, window, keys, splitting);
  }

  private boolean showsRows(Blocks blocks) {
    return blocks.all().size() == 1
        && blocks.all().get(0).sources.stream().allMatch(s -> s.join == Source.Join.INNER)
        && Scatter.bound(tokens, blocks.all().get(0)).isEmpty();
  }

  private Optional<List<Edit>> everywhere(Blocks blocks) {
    return BucketEdits.everywhere(tokens, blocks.all())
        .flatMap(
            edits -> {
              List<Edit> kept = KeptLabels.with(edits, tokens, blocks.all());
              return kept.containsAll(edits) ? Optional.of(kept) : Optional.empty();
            });
  }

  private static ShardwrightException notTied(Placement placement) {
    String tables =
        String.join(", ", placement.tables().stream().map(Schema.Table::name).distinct().toList());
    return new ShardwrightException(
        ErrorCode.TABLES_NOT_COLOCATED,
        "the occurrences of "
            + tables
            + " are not tied to each other by equal route keys or ids, so their rows may be on"
            + " different shards; join or correlate them on all key columns, or give each the key");
  }
}
