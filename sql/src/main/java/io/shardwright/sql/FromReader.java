package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads the items of a FROM clause (UPDATE ... FROM, DELETE ... USING) into a block: tables,
 * subqueries, functions, and how they are joined. Anything else is refused, since a table that is
 * overlooked would be read on one shard only.
 */
final class FromReader {
  private final Schema schema;
  private final List<BlockReader.CommonTable> commonTables;
  private final SqlTokens tokens;
  private final Block block;
  private final Keywords keywords;
  private int joinStart;

  FromReader(
      Schema schema, List<BlockReader.CommonTable> commonTables, SqlTokens tokens, Block block) {
    this.schema = schema;
    this.commonTables = commonTables;
    this.tokens = tokens;
    this.block = block;
    this.keywords = tokens.dialect().keywords();
  }

  /** Items and joins from {@code range}, all of it. */
  void read(Range range) {
    joinStart = block.sources.size();
    int at = item(range.from(), range.to(), Source.Join.INNER);
    while (at < range.to()) {
      if (tokens.isSymbolAt(at, ",")) {
        joinStart = block.sources.size();
        at = item(at + 1, range.to(), Source.Join.INNER);
      } else {
        at = join(at, range.to());
      }
    }
  }

  /** The table of UPDATE or DELETE: a name and perhaps an alias, all of {@code range}. */
  void readTarget(Range range) {
    if (item(range.from(), range.to(), Source.Join.INNER) != range.to()) {
      throw unexpected(range.from() + 1);
    }
  }

  private int join(int start, int end) {
    int at = start;
    boolean natural = tokens.isAt(at, "NATURAL");
    at += natural ? 1 : 0;
    Source.Join kind = Source.Join.INNER;
    boolean cross = tokens.isAt(at, "CROSS");
    if (tokens.isAt(at, "LEFT")) {
      kind = Source.Join.OPTIONAL;
    } else if (tokens.isAt(at, "RIGHT") || tokens.isAt(at, "FULL")) {
      kind = Source.Join.OTHER;
    }
    if (cross || kind != Source.Join.INNER || tokens.isAt(at, "INNER")) {
      at++;
    }
    at += tokens.isAt(at, "OUTER") ? 1 : 0;
    if (at >= end || !(tokens.isAt(at, "JOIN") || isStraightJoin(at))) {
      throw unexpected(at);
    }
    int before = block.sources.size();
    at = item(at + 1, end, kind);
    if (block.sources.size() == before) {
      throw unexpected(at - 1);
    }
    boolean bare = kind == Source.Join.INNER && tokens.dialect().joinsWithoutCondition();
    if (natural) {
      joinNaturally(before);
    }
    if (natural || (cross && !bare)) {
      return at;
    }
    Source joined = block.sources.get(before);
    if (tokens.isAt(at, "ON")) {
      int last = at + 1;
      while (last < end && !isJoinWord(last, tokens.get(start).depth())) {
        last++;
      }
      joined.on = Optional.of(new Range(at + 1, last));
      return last;
    }
    if (tokens.isAt(at, "USING") && tokens.isSymbolAt(at + 1, "(")) {
      int close = tokens.closing(at + 1);
      for (Range column : new Range(at + 2, close).items(tokens)) {
        joined.using.add(tokens.name(column.from()));
      }
      return close + 1;
    }
    if (bare) {
      return at;
    }
    throw unexpected(at);
  }

  private boolean isStraightJoin(int index) {
    return keywords.joins().contains("STRAIGHT_JOIN") && tokens.isAt(index, "STRAIGHT_JOIN");
  }

  /** NATURAL is USING of the names that both sides have. */
  private void joinNaturally(int number) {
    List<Source> left = block.sources.subList(joinStart, number);
    Source joined = block.sources.get(number);
    if (left.stream().allMatch(source -> source.table.isPresent())) {
      joined.table.stream()
          .flatMap(table -> table.columns().stream())
          .map(Schema.Column::name)
          .filter(name -> left.stream().anyMatch(s -> s.table.get().column(name).isPresent()))
          .forEach(joined.using::add);
    }
  }

  private boolean isJoinWord(int index, int depth) {
    if (tokens.get(index).depth() != depth || tokens.isSymbolAt(index - 1, ".")) {
      return false;
    }
    boolean call =
        (tokens.isAt(index, "LEFT") || tokens.isAt(index, "RIGHT"))
            && tokens.isSymbolAt(index + 1, "(");
    return tokens.isSymbolAt(index, ",")
        || (keywords.joins().contains(tokens.get(index).keyword()) && !call);
  }

  /** One FROM item; returns the token behind it. */
  private int item(int start, int end, Source.Join join) {
    int before = block.sources.size();
    int behind = unplaced(start, end, join);
    if (block.sources.size() == before + 1) {
      block.sources.get(before).place = new Range(start, behind);
    }
    return behind;
  }

  private int unplaced(int start, int end, Source.Join join) {
    int at = start;
    at += at < end && keywords.beforeItem().contains(tokens.get(at).keyword()) ? 1 : 0;
    if (at >= end) {
      throw unexpected(at);
    }
    if (tokens.isSymbolAt(at, "(")) {
      return parenthesised(at, end, join);
    }
    int name = at;
    while (tokens.get(at).isName() && tokens.isSymbolAt(at + 1, ".")) {
      at += 2;
    }
    if (at >= end || !tokens.get(at).isName() || isReserved(at)) {
      throw unexpected(at);
    }
    if (name == at && tokens.dialect().isNoTable(tokens.get(at))) {
      return at + 1;
    }
    if (tokens.isSymbolAt(at + 1, "(")) {
      int behind = tokens.closing(at + 1) + 1;
      behind += tokens.isAt(behind, "WITH") ? 2 : 0;
      int after = alias(behind, end, join, Optional.empty(), tokens.get(at).text());
      block.sources.get(block.sources.size() - 1).function = Optional.of(tokens.name(at));
      return after;
    }
    int behind =
        tokens
            .dialect()
            .behindPartitions(tokens, at + 1 + (tokens.isSymbolAt(at + 1, "*") ? 1 : 0));
    if (isSystemCatalog(name, at)) {
      int first = block.sources.size();
      int next = alias(behind, end, join, Optional.empty(), tokens.get(at).text());
      block.sources.get(first).systemCatalog = true;
      return next;
    }
    int first = block.sources.size();
    int next = alias(behind, end, join, table(name, at), tokens.get(at).text());
    if (block.sources.get(first).table.isEmpty()) {
      Source source = block.sources.get(first);
      source.commonTable = commonTable(tokens.tableName(at), name);
      source.query = source.commonTable.flatMap(BlockReader.CommonTable::query);
      if (source.columnNames.isEmpty()) {
        source.columnNames =
            source.commonTable.map(BlockReader.CommonTable::columnNames).orElse(List.of());
      }
    }
    return next;
  }

  private int parenthesised(int open, int end, Source.Join join) {
    int close = tokens.closing(open);
    int word = open;
    while (tokens.isSymbolAt(word, "(")) {
      word++;
    }
    boolean query =
        tokens.isAt(word, "SELECT") || tokens.isAt(word, "WITH") || tokens.isAt(word, "VALUES");
    if (query) {
      int first = block.sources.size();
      int behind = alias(close + 1, end, join, Optional.empty(), "");
      block.sources.get(first).query = Optional.of(new Range(open + 1, close));
      return behind;
    }
    int before = block.sources.size();
    int outerStart = joinStart;
    read(new Range(open + 1, close));
    joinStart = outerStart;
    boolean inner =
        join == Source.Join.INNER
            && block.sources.stream().skip(before).allMatch(s -> s.join == Source.Join.INNER);
    boolean aliased = close + 1 < end && tokens.get(close + 1).isName() && !isReserved(close + 1);
    if (aliased || tokens.isAt(close + 1, "AS")) {
      throw BlockReader.unsupported("a join in parentheses that has an alias");
    }
    if (!inner) {
      block.sources.stream().skip(before).forEach(source -> source.join = Source.Join.OTHER);
    }
    return close + 1;
  }

  /** {@code USE INDEX (a) IGNORE KEY FOR JOIN (b)}. */
  private int behindIndexHints(int at, int end) {
    int behind = at;
    while (behind + 1 < end
        && (tokens.isAt(behind + 1, "INDEX") || tokens.isAt(behind + 1, "KEY"))
        && keywords.joins().contains(tokens.get(behind).keyword())) {
      int open = behind + 2;
      while (open < end && !tokens.isSymbolAt(open, "(")) {
        open++;
      }
      behind = open < end ? tokens.closing(open) + 1 : end;
    }
    return behind;
  }

  private boolean isSystemCatalog(int first, int last) {
    String name = tokens.tableName(last);
    String qualifier = first == last ? "" : tokens.tableName(last - 2);
    boolean ours = isCommonTable(name, first) || schema.table(name).isPresent();
    return last - first <= 2
        && !(qualifier.isEmpty() && ours)
        && SystemCatalogs.has(tokens.dialect(), qualifier, name);
  }

  private boolean isCommonTable(String name, int at) {
    return commonTable(name, at).isPresent();
  }

  /** The innermost of that name. */
  private Optional<BlockReader.CommonTable> commonTable(String name, int at) {
    return commonTables.stream()
        .filter(
            c ->
                c.name().equals(tokens.dialect().foldStored(name)) && c.from() <= at && at < c.to())
        .max(Comparator.comparingInt(BlockReader.CommonTable::from));
  }

  /** The table of a name; empty for the name of a WITH query. */
  private Optional<Schema.Table> table(int first, int last) {
    String name = tokens.tableName(last);
    String qualifier = first == last ? "" : tokens.tableName(last - 2);
    if (qualifier.isEmpty() && isCommonTable(name, first)) {
      return Optional.empty();
    }
    Optional<Schema.Table> table =
        qualifier.isEmpty() || tokens.dialect().isHome(qualifier)
            ? schema.table(name)
            : Optional.empty();
    if (table.isEmpty()) {
      throw unknownTable(new Range(first, last + 1).text(tokens));
    }
    return table;
  }

  private int alias(
      int start, int end, Source.Join join, Optional<Schema.Table> table, String name) {
    int at = start;
    String qualifier = name;
    boolean as = tokens.isAt(at, "AS") && at < end;
    at += as ? 1 : 0;
    if (at < end && tokens.get(at).isName() && (as || !isReserved(at))) {
      qualifier = tokens.get(at).text();
      at++;
    }
    List<String> columnNames = List.of();
    if (at < end && tokens.isSymbolAt(at, "(")) {
      if (table.isPresent()) {
        throw BlockReader.unsupported("a table alias that renames columns");
      }
      int close = tokens.closing(at);
      columnNames = tokens.names(new Range(at + 1, close));
      at = close + 1;
    }
    Source source = new Source(table, qualifier, tokens.dialect().foldTable(qualifier), join);
    source.columnNames = columnNames;
    source.joinStart = joinStart;
    block.sources.add(source);
    return behindIndexHints(at, end);
  }

  private boolean isReserved(int index) {
    return keywords.joins().contains(tokens.get(index).keyword());
  }

  static ShardwrightException unknownTable(String name) {
    return new ShardwrightException(
        ErrorCode.TABLE_UNKNOWN,
        "table "
            + name
            + " is in no group, not in 'reference' and not in 'single' of the configuration, or does not"
            + " exist on the "
            + "shards; add it there and run: shardwright apply");
  }

  private ShardwrightException unexpected(int index) {
    String found = index < tokens.size() ? "'" + tokens.get(index).text() + "'" : "the end";
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNSUPPORTED,
        found
            + " in the FROM clause is not understood; use tables, subqueries and functions, joined in "
            + "order or by commas");
  }
}
