package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.parser.ASTNodeAccess;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.GroupByElement;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.LateralSubSelect;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.ParenthesedFromItem;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.SetOperationList;
import net.sf.jsqlparser.statement.select.TableFunction;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;

/**
 * Finds every query block of a statement, the tables it reads and what its conditions say. Whatever
 * the syntax tree holds that is not known here is refused; a count of the SELECT keywords proves
 * that no block was overlooked.
 */
final class BlockReader {
  private static final Set<String> SCHEMAS = Set.of("public");

  private final Schema schema;
  private final SqlTokens tokens;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<String> commonTables = new HashSet<>();
  private int selectBlocks;

  BlockReader(Schema schema, SqlTokens tokens) {
    this.schema = schema;
    this.tokens = tokens;
  }

  /**
   * The blocks of a statement.
   *
   * @param all in the order of reading
   * @param top the statement's own; empty for set operations
   */
  record Blocks(List<Block> all, Optional<Block> top) {
    boolean lock() {
      return all.stream().anyMatch(block -> block.clauses.find("FOR").isPresent());
    }
  }

  Blocks read(Select select) {
    Optional<Block> top = readSelect(select, Optional.empty());
    proveComplete();
    return new Blocks(List.copyOf(blocks), top);
  }

  Blocks read(Update update) {
    readCommonTables(update.getWithItemsList());
    Block block = enter(Optional.empty(), tokenOf("UPDATE"));
    addSource(block, update.getTable(), Source.Join.INNER, Optional.empty(), List.of());
    if (update.getStartJoins() != null && !update.getStartJoins().isEmpty()) {
      throw unsupported("UPDATE of several tables");
    }
    List<Expression> expressions = new ArrayList<>();
    if (update.getFromItem() != null) {
      addItem(
          block, update.getFromItem(), Source.Join.INNER, Optional.empty(), List.of(), expressions);
    }
    addJoins(block, update.getJoins(), expressions);
    addIfPresent(update.getWhere(), expressions);
    for (UpdateSet set : update.getUpdateSets()) {
      expressions.addAll(set.getValues());
    }
    finish(block, expressions);
    proveComplete();
    return new Blocks(List.copyOf(blocks), Optional.of(block));
  }

  Blocks read(Delete delete) {
    readCommonTables(delete.getWithItemsList());
    Block block = enter(Optional.empty(), tokenOf("DELETE"));
    addSource(block, delete.getTable(), Source.Join.INNER, Optional.empty(), List.of());
    if (delete.getUsingList() != null) {
      for (Table table : delete.getUsingList()) {
        addSource(block, table, Source.Join.INNER, Optional.empty(), List.of());
      }
    }
    List<Expression> expressions = new ArrayList<>();
    addJoins(block, delete.getJoins(), expressions);
    addIfPresent(delete.getWhere(), expressions);
    finish(block, expressions);
    proveComplete();
    return new Blocks(List.copyOf(blocks), Optional.of(block));
  }

  /** The block of a plain SELECT; other forms have several or none. */
  private Optional<Block> readSelect(Select select, Optional<Block> outer) {
    readCommonTables(select.getWithItemsList());
    if (select instanceof PlainSelect plain) {
      return Optional.of(readPlain(plain, outer));
    }
    if (select instanceof ParenthesedSelect parenthesed) {
      readSelect(parenthesed.getSelect(), outer);
      readOrder(parenthesed, outer);
    } else if (select instanceof SetOperationList list) {
      for (Select part : list.getSelects()) {
        readSelect(part, outer);
      }
      readOrder(list, outer);
    } else if (select instanceof Values values) {
      readSubqueries(new ArrayList<>(values.getExpressions()), outer);
    } else {
      throw unsupported(select.getClass().getSimpleName());
    }
    return Optional.empty();
  }

  private void readOrder(Select select, Optional<Block> outer) {
    List<Expression> expressions = new ArrayList<>();
    addOrder(select.getOrderByElements(), expressions);
    readSubqueries(expressions, outer);
  }

  private Block readPlain(PlainSelect plain, Optional<Block> outer) {
    selectBlocks++;
    Block block = enter(outer, selectToken(plain));
    if (plain.getIntoTables() != null || plain.getIntoTempTable() != null) {
      throw unsupported("SELECT INTO");
    }
    List<Expression> expressions = new ArrayList<>();
    if (plain.getFromItem() != null) {
      addItem(
          block, plain.getFromItem(), Source.Join.INNER, Optional.empty(), List.of(), expressions);
    }
    addJoins(block, plain.getJoins(), expressions);
    addIfPresent(plain.getWhere(), expressions);
    addIfPresent(plain.getHaving(), expressions);
    for (SelectItem<?> item : plain.getSelectItems()) {
      expressions.add(item.getExpression());
    }
    if (plain.getDistinct() != null && plain.getDistinct().getOnSelectItems() != null) {
      plain.getDistinct().getOnSelectItems().forEach(i -> expressions.add(i.getExpression()));
    }
    GroupByElement groupBy = plain.getGroupBy();
    if (groupBy != null) {
      for (Object expression : groupBy.getGroupByExpressionList()) {
        expressions.add((Expression) expression);
      }
    }
    addOrder(plain.getOrderByElements(), expressions);
    finish(block, expressions);
    return block;
  }

  private static void addOrder(List<OrderByElement> order, List<Expression> expressions) {
    if (order != null) {
      order.forEach(element -> expressions.add(element.getExpression()));
    }
  }

  private void readCommonTables(List<WithItem<?>> items) {
    if (items == null) {
      return;
    }
    for (WithItem<?> item : items) {
      if (!(item.getParenthesedStatement() instanceof ParenthesedSelect select)) {
        throw unsupported("a data-changing WITH");
      }
      String name = Schema.fold(item.getAliasName());
      if (schema.table(name).isPresent()) {
        throw unsupported("WITH " + name + ", which is also the name of a table,");
      }
      if (item.isRecursive()) {
        commonTables.add(name);
      }
      readSelect(select, Optional.empty());
      commonTables.add(name);
    }
  }

  private Block enter(Optional<Block> outer, int firstToken) {
    Block block = new Block(outer, Clauses.of(tokens, firstToken));
    blocks.add(block);
    return block;
  }

  private static void addIfPresent(Expression expression, List<Expression> expressions) {
    if (expression != null) {
      expressions.add(expression);
    }
  }

  private void addJoins(Block block, List<Join> joins, List<Expression> expressions) {
    if (joins == null) {
      return;
    }
    for (Join join : joins) {
      Source.Join kind =
          join.isRight() || join.isFull()
              ? Source.Join.OTHER
              : join.isLeft() ? Source.Join.OPTIONAL : Source.Join.INNER;
      if (join.isApply() || join.isSemi() || join.isWindowJoin() || join.isGlobal()) {
        throw unsupported("this kind of join");
      }
      List<String> using = new ArrayList<>();
      if (join.getUsingColumns() != null) {
        for (Column column : join.getUsingColumns()) {
          using.add(Schema.fold(column.getColumnName()));
        }
      }
      FromItem item = join.getFromItem();
      Optional<Range> on =
          block.clauses.on(tokens.indexAt(SqlTokens.startOf((ASTNodeAccess) item)));
      expressions.addAll(join.getOnExpressions());
      addItem(block, item, kind, on, using, expressions);
    }
  }

  private void addItem(
      Block block,
      FromItem item,
      Source.Join join,
      Optional<Range> on,
      List<String> using,
      List<Expression> expressions) {
    if (item instanceof Table table) {
      addSource(block, table, join, on, using);
    } else if (item instanceof ParenthesedFromItem nested) {
      boolean inner = join == Source.Join.INNER && nested.getAlias() == null;
      if (!inner) {
        throw unsupported("a parenthesised join inside an outer join");
      }
      addItem(block, nested.getFromItem(), join, on, using, expressions);
      addJoins(block, nested.getJoins(), expressions);
      if (block.hasJoin(Source.Join.OTHER)) {
        throw unsupported("a parenthesised RIGHT or FULL JOIN");
      }
    } else if (item instanceof LateralSubSelect lateral) {
      readSelect(lateral.getSelect(), Optional.of(block));
      addOpaque(block, item, join, on);
    } else if (item instanceof Select select) {
      readSelect(select, Optional.empty());
      addOpaque(block, item, join, on);
    } else if (item instanceof TableFunction function) {
      readSubqueries(List.of(function.getFunction()), Optional.of(block));
      addOpaque(block, item, join, on);
    } else {
      throw unsupported("FROM " + item.getClass().getSimpleName());
    }
  }

  private void addOpaque(Block block, FromItem item, Source.Join join, Optional<Range> on) {
    String alias = item.getAlias() == null ? "" : item.getAlias().getName();
    block.sources.add(new Source(Optional.empty(), alias, join, on, List.of()));
  }

  private void addSource(
      Block block, Table item, Source.Join join, Optional<Range> on, List<String> using) {
    String name = Schema.fold(item.getName());
    if (item.getAlias() != null && item.getAlias().getAliasColumns() != null) {
      throw unsupported("a table alias that renames columns");
    }
    String qualifier = item.getAlias() == null ? item.getName() : item.getAlias().getName();
    boolean unqualified = item.getSchemaName() == null;
    if (unqualified && commonTables.contains(name)) {
      block.sources.add(new Source(Optional.empty(), qualifier, join, on, List.of()));
      return;
    }
    boolean known = unqualified || SCHEMAS.contains(Schema.fold(item.getSchemaName()));
    Optional<Schema.Table> table = known ? schema.table(name) : Optional.empty();
    if (table.isEmpty()) {
      throw unknownTable(item.getFullyQualifiedName());
    }
    block.sources.add(new Source(table, qualifier, join, on, using));
  }

  static ShardwrightException unknownTable(String name) {
    return new ShardwrightException(
        ErrorCode.TABLE_UNKNOWN,
        "table "
            + name
            + " is in no group and not in 'reference' of the configuration, or does not exist on the "
            + "shards; add it there and run: shardwright apply");
  }

  /** Conditions first, since subqueries build on the facts of the block around them. */
  private void finish(Block block, List<Expression> expressions) {
    Conditions conditions = new Conditions(tokens, block);
    Facts facts = block.outer.map(outer -> outer.facts.copy()).orElseGet(Facts::new);
    List<List<Conditions.Branch>> alternatives = new ArrayList<>();
    for (Source source : block.sources) {
      if (source.join == Source.Join.INNER) {
        equateUsing(block, source, facts);
        source.on.ifPresent(on -> conditions.read(on, facts, alternatives, true));
      }
    }
    block
        .clauses
        .find("WHERE")
        .ifPresent(where -> conditions.read(where.range(), facts, alternatives, true));
    block.facts = facts;
    for (Source source : block.sources) {
      source.facts = facts;
      source.alternatives = alternatives;
      if (source.join == Source.Join.OPTIONAL) {
        source.facts = facts.copy();
        source.alternatives = new ArrayList<>(alternatives);
        equateUsing(block, source, source.facts);
        source.on.ifPresent(on -> conditions.read(on, source.facts, source.alternatives, false));
      }
    }
    readSubqueries(expressions, Optional.of(block));
  }

  private static void equateUsing(Block block, Source source, Facts facts) {
    for (String column : source.using) {
      for (Source before : block.sources) {
        if (before == source) {
          break;
        }
        if (before.table.flatMap(t -> t.column(column)).isPresent()) {
          facts.equate(before.column(column), source.column(column));
          break;
        }
      }
    }
  }

  private void readSubqueries(List<? extends Expression> expressions, Optional<Block> outer) {
    ExpressionVisitorAdapter<Void> finder =
        new ExpressionVisitorAdapter<>() {
          @Override
          public <S> Void visit(ParenthesedSelect select, S context) {
            readSelect(select, outer);
            return null;
          }

          @Override
          public <S> Void visit(Select select, S context) {
            readSelect(select, outer);
            return null;
          }
        };
    for (Expression expression : expressions) {
      expression.accept(finder, null);
    }
  }

  private void proveComplete() {
    int keywords = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.isAt(i, "SELECT") && !tokens.isSymbolAt(i - 1, ".") && !tokens.isAt(i - 1, "AS")) {
        keywords++;
      }
      if (tokens.isAt(i, "TABLE") && !tokens.isSymbolAt(i - 1, ".") && !tokens.isAt(i - 1, "AS")) {
        throw unsupported("TABLE as a query");
      }
    }
    if (keywords != selectBlocks) {
      throw unsupported("a subquery in this place");
    }
  }

  private int selectToken(PlainSelect plain) {
    int index = tokens.indexAt(SqlTokens.startOf(plain));
    while (!tokens.isAt(index, "SELECT")) {
      index++;
    }
    return index;
  }

  private int tokenOf(String keyword) {
    int index = 0;
    while (!(tokens.isAt(index, keyword) && tokens.get(index).depth() == 0)) {
      index++;
    }
    return index;
  }

  static ShardwrightException unsupported(String construct) {
    return new ShardwrightException(
        ErrorCode.STATEMENT_UNSUPPORTED,
        construct + " is not supported; rewrite the statement (docs/sql.md lists what is)");
  }
}
