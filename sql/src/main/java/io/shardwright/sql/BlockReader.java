package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds every query block of a statement, the tables it reads and what its conditions say. Each
 * SELECT keyword is a block, so none can be overlooked. Linear in the number of tokens, times the
 * nesting.
 */
final class BlockReader {
  private final Schema schema;
  private final SqlTokens tokens;
  private final List<Block> blocks = new ArrayList<>();
  private final List<CommonTable> commonTables = new ArrayList<>();
  private final Set<Block> read = new HashSet<>();

  private BlockReader(Schema schema, SqlTokens tokens) {
    this.schema = schema;
    this.tokens = tokens;
  }

  /**
   * A WITH query.
   *
   * @param from index of the first token that may use its name
   * @param to index of the first token that may not any more
   * @param query its tokens; empty when it may be recursive
   * @param columnNames names of its columns, from the first on
   */
  record CommonTable(
      String name, int from, int to, Optional<Range> query, List<String> columnNames) {}

  /**
   * The blocks of a statement.
   *
   * @param all in text order, so that a block comes before those inside it
   * @param top the statement's own; empty for set operations and statements in parentheses
   */
  record Blocks(List<Block> all, Optional<Block> top) {
    boolean lock() {
      return all.stream().anyMatch(block -> block.clauses.locks());
    }

    /** The innermost block around a token. */
    Optional<Block> around(int index) {
      Optional<Block> innermost = Optional.empty();
      for (Block block : all) {
        if (block.clauses.start() <= index && index < block.clauses.end()) {
          innermost = Optional.of(block);
        }
      }
      return innermost;
    }

    boolean readsSystemCatalogs() {
      return all.stream()
          .flatMap(block -> block.sources.stream())
          .anyMatch(source -> source.systemCatalog);
    }
  }

  /**
   * Reads a SELECT, UPDATE or DELETE.
   *
   * @param main index of that keyword, behind WITH and opening parentheses
   */
  static Blocks read(Schema schema, SqlTokens tokens, int main) {
    BlockReader reader = new BlockReader(schema, tokens);
    reader.findCommonTables();
    reader.refuseOtherQueries(main);
    Optional<Block> top = reader.findBlocks(main);
    DerivedTables.link(tokens, reader.blocks);
    reader.blocks.forEach(reader::readConditions);
    return new Blocks(List.copyOf(reader.blocks), top);
  }

  private void findCommonTables() {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isKeyword(i, "WITH")) {
        boolean recursive = tokens.isAt(i + 1, "RECURSIVE");
        int end = i;
        while (end < tokens.size() && tokens.get(end).depth() >= tokens.get(i).depth()) {
          end++;
        }
        int at = i + 1 + (recursive ? 1 : 0);
        while (at >= 0) {
          at = commonTable(at, recursive, end);
        }
      }
    }
  }

  /** Reads {@code name [(columns)] AS (query)} and returns where the next one starts, or -1. */
  private int commonTable(int name, boolean recursive, int end) {
    if (name >= tokens.size() || !tokens.get(name).isName()) {
      return -1;
    }
    int at = name + 1;
    List<String> columnNames = List.of();
    if (tokens.isSymbolAt(at, "(")) {
      columnNames = tokens.names(new Range(at + 1, tokens.closing(at)));
      at = tokens.closing(at) + 1;
    }
    if (!tokens.isAt(at, "AS")) {
      return -1;
    }
    at++;
    at += tokens.isAt(at, "NOT") ? 1 : 0;
    at += tokens.isAt(at, "MATERIALIZED") ? 1 : 0;
    if (!tokens.isSymbolAt(at, "(")) {
      return -1;
    }
    // MariaDB compares these names without case, those of tables with it.
    String folded = tokens.dialect().foldStored(tokens.tableName(name));
    if (schema.tables().keySet().stream()
        .anyMatch(table -> tokens.dialect().foldStored(table).equals(folded))) {
      throw unsupported("WITH " + folded + ", which is also the name of a table,");
    }
    int behind = tokens.closing(at) + 1;
    Optional<Range> query =
        recursive ? Optional.empty() : Optional.of(new Range(at + 1, behind - 1));
    commonTables.add(new CommonTable(folded, recursive ? at : behind, end, query, columnNames));
    at = behind;
    return tokens.isSymbolAt(at, ",") ? at + 1 : -1;
  }

  private void refuseOtherQueries(int main) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isKeyword(i, "TABLE")) {
        throw unsupported("TABLE as a query");
      }
      boolean update =
          tokens.isAt(i, "UPDATE")
              && (tokens.isSymbolAt(i - 1, "(") || tokens.isSymbolAt(i - 1, ")"))
              && i + 1 < tokens.size()
              && tokens.get(i + 1).isName();
      boolean write =
          (tokens.isAt(i, "INSERT") && tokens.isAt(i + 1, "INTO"))
              || (tokens.isAt(i, "MERGE") && tokens.isAt(i + 1, "INTO"))
              || (tokens.isAt(i, "DELETE") && tokens.isAt(i + 1, "FROM"));
      if (i != main && (update || write)) {
        throw unsupported("a data-changing WITH, or a column named like one of its words,");
      }
    }
  }

  private Optional<Block> findBlocks(int main) {
    Optional<Block> top = Optional.empty();
    for (int i = 0; i < tokens.size(); i++) {
      boolean write = i == main && !tokens.isAt(i, "SELECT");
      if (write || tokens.isKeyword(i, "SELECT")) {
        Block block = new Block(outerOf(i), Clauses.of(tokens, i));
        blocks.add(block);
        if (write) {
          readTarget(block);
        }
        readSources(block);
        boolean whole = tokens.get(i).depth() == 0 && block.clauses.end() == tokens.size();
        top = i == main && whole ? Optional.of(block) : top;
      }
    }
    return top;
  }

  /**
   * The block whose columns a block may use: the innermost around it, or where it stands in that
   * one's FROM clause, the one around that. (LATERAL could use both; leaving that out only widens
   * the route.)
   */
  private Optional<Block> outerOf(int index) {
    for (int i = blocks.size() - 1; i >= 0; i--) {
      Clauses clauses = blocks.get(i).clauses;
      if (index > clauses.start() && index < clauses.end()) {
        boolean inFrom =
            Stream.of("FROM", "USING")
                .flatMap(name -> clauses.find(name).stream())
                .anyMatch(from -> index >= from.from() && index < from.to());
        return inFrom ? blocks.get(i).outer : Optional.of(blocks.get(i));
      }
    }
    return Optional.empty();
  }

  private void readTarget(Block block) {
    FromReader from = new FromReader(schema, List.of(), tokens, block);
    boolean update = tokens.isAt(block.clauses.start(), "UPDATE");
    Range target =
        update
            ? withoutOptions(block.clauses.head().range())
            : block
                .clauses
                .find("FROM")
                .orElseThrow(() -> unsupported("DELETE without FROM"))
                .range();
    if (!tokens.dialect().writesJoins()) {
      from.readTarget(target);
    } else if (update || block.clauses.find("USING").isEmpty()) {
      from.read(target);
    }
  }

  private Range withoutOptions(Range range) {
    int from = range.from();
    while (from < range.to()
        && tokens.dialect().keywords().writeOptions().contains(tokens.get(from).keyword())) {
      from++;
    }
    return new Range(from, range.to());
  }

  private void readSources(Block block) {
    String keyword = tokens.isAt(block.clauses.start(), "DELETE") ? "USING" : "FROM";
    if (block.clauses.find("INTO").isPresent()) {
      throw unsupported("SELECT INTO");
    }
    block
        .clauses
        .find(keyword)
        .ifPresent(from -> new FromReader(schema, commonTables, tokens, block).read(from.range()));
  }

  /**
   * After the blocks around it and the one that has its rows, since it builds on their facts. A
   * WITH query stands before that in the text.
   */
  private void readConditions(Block block) {
    if (!read.add(block)) {
      return;
    }
    block.outer.ifPresent(this::readConditions);
    block.parent.ifPresent(this::readConditions);
    Facts facts = block.outer.map(outer -> outer.facts.copy()).orElseGet(Facts::new);
    List<List<Conditions.Branch>> alternatives = new ArrayList<>();
    if (block.takesConditions) {
      facts = block.item.orElseThrow().facts.copy();
      alternatives.addAll(block.item.get().alternatives);
    }
    readConditions(block, facts, alternatives);
  }

  private void readConditions(
      Block block, Facts facts, List<List<Conditions.Branch>> alternatives) {
    Conditions conditions = new Conditions(tokens, block);
    Conditions.Target all = new Conditions.Target(facts, alternatives, true);
    block.outer.ifPresent(outer -> equateMembers(outer, block, facts));
    addInsideFacts(block, facts);
    for (Source source : block.sources) {
      if (source.join == Source.Join.INNER) {
        equateUsing(block, source, facts);
        source.on.ifPresent(on -> conditions.read(on, all));
      }
    }
    block.clauses.find("WHERE").ifPresent(where -> conditions.read(where.range(), all));
    block.facts = facts;
    for (Source source : block.sources) {
      source.facts = facts;
      source.alternatives = alternatives;
      if (source.join == Source.Join.OPTIONAL) {
        source.facts = facts.copy();
        source.alternatives = new ArrayList<>(alternatives);
        equateUsing(block, source, source.facts);
        Conditions.Target own = new Conditions.Target(source.facts, source.alternatives, false);
        source.on.ifPresent(on -> conditions.read(on, own));
      }
    }
  }

  /** What holds of every row of an item's query holds of the item. */
  private void addInsideFacts(Block block, Facts facts) {
    for (Source source : block.sources) {
      if (source.rows.isPresent() && source.join == Source.Join.INNER) {
        Block rows = source.rows.get();
        Conditions conditions = new Conditions(tokens, rows);
        Conditions.Target inside = new Conditions.Target(facts, new ArrayList<>(), false);
        addInsideFacts(rows, facts);
        for (Source table : rows.sources) {
          if (table.join == Source.Join.INNER) {
            equateUsing(rows, table, facts);
            table.on.ifPresent(on -> conditions.read(on, inside));
          }
        }
        rows.clauses.find("WHERE").ifPresent(w -> conditions.read(w.range(), inside));
      }
    }
  }

  /** Of {@code a IN (SELECT b ...)} only the rows with b = a matter. */
  private void equateMembers(Block outer, Block block, Facts facts) {
    List<Range> members = outer.inQueries.getOrDefault(block.clauses.start(), List.of());
    boolean whole =
        tokens.isSymbolAt(block.clauses.start() - 1, "(")
            && tokens.closing(block.clauses.start() - 1) == block.clauses.end();
    boolean rowByRow =
        Stream.of("GROUP", "HAVING", "LIMIT", "OFFSET", "FETCH", "WINDOW")
            .allMatch(name -> block.clauses.find(name).isEmpty());
    if (members.isEmpty() || !whole || !rowByRow) {
      return;
    }
    SelectList items = SelectList.of(tokens, block);
    boolean plain =
        !items.star()
            && items.size() == members.size()
            && items.expressions().stream()
                .allMatch(item -> block.column(tokens, item).isPresent());
    for (int i = 0; plain && i < members.size(); i++) {
      Optional<Facts.ColumnRef> member = outer.column(tokens, members.get(i));
      Optional<Facts.ColumnRef> item = block.column(tokens, items.expression(i));
      if (member.isPresent() && item.isPresent()) {
        facts.equate(member.get(), item.get());
      }
    }
  }

  /**
   * USING equates with the left side of its own join; an item there whose columns are unknown may
   * be it.
   */
  private static void equateUsing(Block block, Source source, Facts facts) {
    int end = block.sources.indexOf(source);
    List<Source> left = block.sources.subList(source.joinStart, end);
    if (left.stream().anyMatch(before -> !before.isKnown())) {
      return;
    }
    for (String column : source.using) {
      for (Source before : left) {
        if (before.has(column)) {
          Optional<Facts.ColumnRef> own = source.find(column);
          before.find(column).ifPresent(ref -> own.ifPresent(same -> facts.equate(ref, same)));
          break;
        }
      }
    }
  }

  static ShardwrightException unsupported(String construct) {
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNSUPPORTED,
        construct + " is not supported; rewrite the statement (docs/sql.md lists what is)");
  }
}
