package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.BlockReader.Blocks;
import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Facts.Place;
import io.shardwright.sql.Merge.Segment;
import io.shardwright.sql.Route.Argument;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A SELECT whose parts are read first, and which one shard then runs over them.
 *
 * <p>Problem: set operations, joins that no key ties, outer joins from the other side, subqueries
 * and DISTINCT ON need rows of several shards in one place. Idea: some parts of the text can stand
 * alone: subqueries that use nothing from around them, branches of set operations, occurrences of
 * tables with those conditions that are about them only. Each is a statement with a plan of its
 * own, whichever way that goes. Their rows take their places in the text, and one shard runs it as
 * it is, so that every construct means what it means there. Planning ends because a part is shorter
 * than its statement. The driver bounds the rows.
 */
final class Gather {
  // Long because: the parts of a statement are found by one walk through it.

  private static final Set<String> SET_WORDS = Set.of("UNION", "INTERSECT", "EXCEPT");
  private static final Set<String> TAIL = Set.of("ORDER", "LIMIT", "OFFSET", "FETCH");

  /** A statement of more parts would be many statements in a row. */
  private static final int PARTS_MAX = 64;

  private final Schema schema;
  private final SqlTokens tokens;
  private final Blocks blocks;
  private final Independence independence;
  private final ColumnUse use;
  private final InnerDigits digits;
  private final Map<Integer, Block> blockAt = new HashMap<>();
  private final Map<Integer, Source> distributedAt = new HashMap<>();
  private final List<Pieces.Unit> units = new ArrayList<>();
  private final List<Segment> segments = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final List<Argument> arguments = new ArrayList<>();
  private int copied;

  private Gather(Schema schema, SqlTokens tokens, Blocks blocks) {
    this.schema = schema;
    this.tokens = tokens;
    this.blocks = blocks;
    this.independence = new Independence(tokens, blocks);
    this.use = new ColumnUse(tokens, blocks);
    this.digits = new InnerDigits(tokens, blocks);
    for (Block block : blocks.all()) {
      blockAt.put(block.clauses.start(), block);
      block.sources.stream()
          .filter(Source::isDistributed)
          .forEach(source -> distributedAt.put(source.place.from(), source));
    }
  }

  /**
   * The parts and the last step of a statement.
   *
   * @throws ShardwrightException SW208 when it must not be taken apart
   */
  static Pieces of(Schema schema, SqlTokens tokens, Blocks blocks) {
    return new Gather(schema, tokens, blocks).pieces();
  }

  private Pieces pieces() {
    if (blocks.lock()) {
      throw SelectMerge.refused(
          "a locking clause", "locks on several shards could deadlock unseen");
    }
    RowColumns.refuse(tokens);
    Functions.statefulCall(tokens)
        .or(() -> Functions.callOfUnknown(tokens))
        .ifPresent(
            name -> {
              throw SelectMerge.refused(
                  "the function " + name,
                  "it may read the rows of one shard only, or combine rows");
            });
    blocks.all().forEach(this::requireOneAnswer);
    Map<Integer, String> aliases = KeptLabels.of(tokens, blocks.all(), this::readsShards);
    for (int at = 0; at < tokens.size(); at = next(at)) {
      keepLabel(aliases, at);
    }
    keepLabel(aliases, tokens.size());
    copy(tokens.sql().length());
    segments.add(new Segment(text.toString(), List.copyOf(arguments), OptionalInt.empty()));
    return new Pieces(List.copyOf(units), List.copyOf(segments));
  }

  /** Refuses what a second run may answer otherwise, and columns whose values do not travel. */
  private void requireOneAnswer(Block block) {
    if (tokens.dialect().picksFromGroups() && tokens.isAt(block.clauses.start(), "SELECT")) {
      OuterAggregates.refuse(tokens, blocks.all(), block);
      SelectList items = SelectList.of(tokens, block);
      List<Range> groups = new ArrayList<>();
      for (Range group :
          block.clauses.find("GROUP").map(c -> c.range().items(tokens)).orElse(List.of())) {
        groups.add(items.grouped(group).map(items::expression).orElse(group));
      }
      GroupedColumns.require(tokens, block, items, groups);
    }
    for (Source source : block.sources) {
      List<Schema.Column> columns =
          source.table.filter(t -> source.isDistributed()).map(t -> t.columns()).orElse(List.of());
      for (Schema.Column column : columns) {
        if (column.order().isOfItsTable()
            && independence.mentions(new Range(0, tokens.size()), column.name())) {
          throw SelectMerge.refused(
              "column " + column.name(),
              column.order().reason("only its own table knows order and equality of its type"));
        }
      }
    }
  }

  private void keepLabel(Map<Integer, String> aliases, int behind) {
    if (aliases.containsKey(behind)) {
      copy(tokens.get(behind - 1).end());
      text.append(aliases.get(behind));
    }
  }

  /** Replaces the part that starts at a token, if one does; returns the token to go on with. */
  private int next(int at) {
    if (tokens.isSymbolAt(at, "(") && isQuery(at)) {
      int close = tokens.closing(at);
      Range inside = new Range(at + 1, close);
      if (!readsShards(inside)) {
        return close + 1;
      }
      if (!tokens.isAt(at - 1, "LATERAL") && independence.of(inside) && !digits.leave(inside)) {
        query(inside);
        return close + 1;
      }
      return at + 1;
    }
    Block block = blockAt.get(at);
    if (block != null && isBranch(block)) {
      Range branch = withoutTail(block);
      if (readsShards(branch)
          && hasOwnTypes(block)
          && independence.of(branch)
          && !digits.leave(branch)) {
        query(branch);
        return branch.to();
      }
    }
    Source source = distributedAt.get(at);
    if (source != null) {
      table(source);
      return source.place.to();
    }
    return at + 1;
  }

  private boolean isQuery(int open) {
    int first = open;
    while (tokens.isSymbolAt(first, "(")) {
      first++;
    }
    return tokens.isAt(first, "SELECT") || tokens.isAt(first, "WITH");
  }

  private boolean readsShards(Range range) {
    return distributedAt.keySet().stream().anyMatch(range::contains);
  }

  // Branches of set operations.

  private boolean isBranch(Block block) {
    int before = block.clauses.start() - 1;
    int behind = block.clauses.end();
    boolean quantified = tokens.isAt(before, "ALL") || tokens.isAt(before, "DISTINCT");
    return isSetWord(quantified ? before - 1 : before) || isSetWord(behind);
  }

  private boolean isSetWord(int index) {
    return index >= 0
        && index < tokens.size()
        && SET_WORDS.contains(tokens.get(index).keyword())
        && !tokens.isSymbolAt(index - 1, ".");
  }

  /** ORDER BY and LIMIT behind the last branch belong to the whole. */
  private Range withoutTail(Block block) {
    int to = block.clauses.end();
    for (String name : TAIL) {
      Optional<Clause> clause = block.clauses.find(name);
      to = clause.isPresent() ? Math.min(to, clause.get().keyword()) : to;
    }
    return new Range(block.clauses.start(), to);
  }

  /** NULL, a string or a parameter takes its type from the other branches. */
  private boolean hasOwnTypes(Block block) {
    return SelectList.of(tokens, block).expressions().stream()
        .allMatch(
            item -> {
              Range range = item.unwrapped(tokens);
              boolean untyped =
                  range.size() == 1
                      && (tokens.isAt(range.from(), "NULL")
                          || tokens.get(range.from()).kind() == SqlTokens.Kind.STRING
                          || tokens.get(range.from()).kind() == SqlTokens.Kind.PARAMETER);
              return !untyped;
            });
  }

  // Parts.

  private void query(Range range) {
    new Moments(tokens, blocks).refuseSecond(range);
    Place place = range.place(tokens);
    copy(place.from());
    String sql = tokens.text(place.from(), place.to());
    unit(sql, parametersOf(place), List.of());
    copied = place.to();
  }

  /** The rows of a table that can matter, with the columns that the statement names. */
  private void table(Source source) {
    if (tokens.isAt(source.place.from(), "ONLY")) {
      throw SelectMerge.refused("ONLY", "the rows are gathered from several shards");
    }
    Schema.Table table = source.table.orElseThrow();
    Block block = blocks.around(source.place.from()).orElseThrow();
    GroupedColumns.requireWithoutKey(tokens, source, block);
    List<Schema.Column> columns = columns(source, table, block);
    StringBuilder sql = new StringBuilder("SELECT ");
    List<Integer> parameters = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      sql.append(i == 0 ? "" : ", ").append(tokens.dialect().quote(columns.get(i).name()));
    }
    Place place = source.place.place(tokens);
    sql.append(" FROM ").append(tokens.text(place.from(), place.to()));
    String word = " WHERE ";
    for (Range condition : use.conditionsOn(source, block, column -> true)) {
      Place written = condition.place(tokens);
      sql.append(word).append('(').append(tokens.text(written.from(), written.to())).append(')');
      parameters.addAll(parametersOf(written));
      word = " AND ";
    }
    copy(place.from());
    text.append('(');
    unit(
        sql.toString(),
        parameters,
        columns.stream().map(column -> column.collation().orElse("")).toList());
    text.append(") AS ").append(source.qualifier);
    copied = place.to();
  }

  private void unit(String sql, List<Integer> parameters, List<String> collations) {
    if (units.size() == PARTS_MAX) {
      throw SelectMerge.refused(
          "a statement of more than " + PARTS_MAX + " parts", "each would be read by itself");
    }
    Plan plan = new PlanBuilder(schema, sql).build();
    segments.add(
        new Segment(text.toString(), List.copyOf(arguments), OptionalInt.of(units.size())));
    units.add(new Pieces.Unit(plan, parameters, collations));
    text.setLength(0);
    arguments.clear();
  }

  private List<Schema.Column> columns(Source source, Schema.Table table, Block block) {
    if (use.allColumns(source, block)) {
      return table.columns();
    }
    List<Schema.Column> named =
        table.columns().stream().filter(column -> use.names(column.name())).toList();
    return named.isEmpty() ? table.columns().subList(0, 1) : named;
  }

  // Text.

  private List<Integer> parametersOf(Place place) {
    int from = tokens.parametersBefore(place.from());
    int to = tokens.parametersBefore(place.to());
    List<Integer> parameters = new ArrayList<>();
    for (int i = from; i < to; i++) {
      parameters.add(i);
    }
    return Collections.unmodifiableList(parameters);
  }

  private void copy(int to) {
    text.append(tokens.sql(), copied, to);
    for (int index : parametersOf(new Place(copied, to))) {
      arguments.add(Rendering.parameter(index));
    }
    copied = to;
  }
}
