package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Facts.ColumnRef;
import io.shardwright.sql.Merge.Output;
import io.shardwright.sql.Merge.SortKey;
import io.shardwright.sql.Merge.Window;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.SelectItem;

/**
 * How one SELECT is split over shards: the edits of the shards' statement and the merge of their
 * answers. Built once per plan; refuses (SW208) what cannot be merged exactly.
 */
final class SelectMerge {

  /** A SELECT split over shards. */
  record Split(List<Edit> edits, java.util.function.Function<Window, Merge> merge) {}

  private final SqlTokens tokens;
  private final PlainSelect select;
  private final Block block;
  private final Source root;
  private final List<Edit> edits = new ArrayList<>();
  private final List<String> hidden = new ArrayList<>();
  private final List<SelectItem<?>> items;
  private final List<Range> itemTokens;

  private SelectMerge(SqlTokens tokens, PlainSelect select, Block block, Source root) {
    this.tokens = tokens;
    this.select = select;
    this.block = block;
    this.root = root;
    this.items = select.getSelectItems();
    this.itemTokens = block.clauses.head().range().items(tokens);
  }

  static Split of(SqlTokens tokens, PlainSelect select, Block block, Source root) {
    return new SelectMerge(tokens, select, block, root).split();
  }

  private Split split() {
    if (itemTokens.size() != items.size()) {
      throw refused("this select list", "the text and its parse disagree");
    }
    if (block.clauses.find("FOR").isPresent()) {
      throw refused("a locking clause", "locks on several shards could deadlock unseen");
    }
    if (select.getQualify() != null || select.getTop() != null) {
      throw refused("this clause", "it is not known how to merge it");
    }
    if (block.clauses.window().filter(this::hasTies).isPresent()) {
      throw refused("WITH TIES", "ties may be on several shards");
    }
    boolean wholeGroups = select.getGroupBy() != null && covers(groupExpressions());
    if (select.getDistinct() != null && !distinctWithinShard()) {
      throw refused("DISTINCT", "equal rows may come from several shards");
    }
    boolean aggregated = select.getGroupBy() != null || callsAggregate();
    if (select.getHaving() != null && aggregated && !wholeGroups) {
      throw refused("HAVING", "it needs the merged groups");
    }
    return aggregated && !wholeGroups ? splitGroups() : splitRows();
  }

  private List<Range> itemsOf(String clause) {
    return block.clauses.find(clause).map(c -> c.range().items(tokens)).orElse(List.of());
  }

  private boolean hasTies(Clause window) {
    return tokens.isAt(window.to() - 1, "TIES");
  }

  private boolean distinctWithinShard() {
    return select.getDistinct().getOnSelectItems() == null
        && covers(items.stream().map(SelectItem::getExpression).toList());
  }

  private boolean covers(List<? extends Expression> expressions) {
    Set<ColumnRef> columns = new HashSet<>();
    for (Expression expression : expressions) {
      if (unwrap(expression) instanceof Column column) {
        block.resolve(column).ifPresent(columns::add);
      }
    }
    return Placement.covers(root, columns, block.facts);
  }

  private List<Expression> groupExpressions() {
    List<Expression> expressions = new ArrayList<>();
    if (select.getGroupBy() == null) {
      return expressions;
    }
    if (!select.getGroupBy().getGroupingSets().isEmpty()) {
      throw refused("GROUPING SETS", "only plain GROUP BY is merged");
    }
    for (Object item : select.getGroupBy().getGroupByExpressionList()) {
      expressions.add(resolveOrdinal((Expression) item));
    }
    return expressions;
  }

  /** {@code GROUP BY 2} and {@code ORDER BY 2} mean the second select item. */
  private Expression resolveOrdinal(Expression expression) {
    if (!(expression instanceof LongValue ordinal)) {
      return expression;
    }
    long number = ordinal.getValue();
    if (number < 1 || number > items.size() || hasStarBefore(items.size())) {
      throw refused("position " + number, "the select list has no such item that can be told");
    }
    return items.get((int) number - 1).getExpression();
  }

  /** True when an aggregate is used; refuses functions that might be aggregates. */
  private boolean callsAggregate() {
    boolean aggregate = false;
    List<Expression> expressions = new ArrayList<>();
    items.forEach(item -> expressions.add(item.getExpression()));
    orderElements().forEach(element -> expressions.add(element.getExpression()));
    for (Expression expression : expressions) {
      Functions.Calls calls = Functions.Calls.in(expression);
      if (calls.window()) {
        throw refused("a window function or FILTER", "its rows may be on several shards");
      }
      for (Function function : calls.functions()) {
        String name = Functions.name(function);
        if (Functions.MERGEABLE.contains(name)) {
          aggregate = true;
        } else if (!Functions.isScalar(name)) {
          throw refused(
              "the function " + name, "it is not known whether it combines rows of several shards");
        }
      }
    }
    return aggregate;
  }

  private List<OrderByElement> orderElements() {
    return select.getOrderByElements() == null ? List.of() : select.getOrderByElements();
  }

  // Rows that need no combining: concatenated, or merged by order.

  private Split splitRows() {
    List<SortKey> keys = new ArrayList<>();
    List<Range> orderTokens = itemsOf("ORDER");
    List<Integer> hiddenOfKey = new ArrayList<>();
    for (int i = 0; i < orderElements().size(); i++) {
      OrderByElement element = orderElements().get(i);
      Optional<Integer> item = orderedItem(element.getExpression());
      Expression expression = item.map(n -> expressionOf(n)).orElse(element.getExpression());
      int column = item.map(n -> n + 1).orElse(0);
      hiddenOfKey.add(item.isPresent() ? -1 : hidden.size());
      if (item.isEmpty()) {
        if (select.getDistinct() != null) {
          throw refused("ORDER BY on what is not selected", "with DISTINCT it has no meaning");
        }
        hidden.add(sortText(orderTokens.get(i)));
      }
      keys.add(sortKey(column, element, expression));
    }
    for (int i = 0; i < keys.size(); i++) {
      if (hiddenOfKey.get(i) >= 0) {
        SortKey key = keys.get(i);
        int fromEnd = hiddenOfKey.get(i) - hidden.size();
        keys.set(i, new SortKey(fromEnd, key.descending(), key.nullsFirst(), key.order()));
      }
    }
    addHidden();
    block.clauses.window().ifPresent(clause -> edits.add(shardLimit(clause)));
    int hiddenColumns = hidden.size();
    List<SortKey> order = List.copyOf(keys);
    return new Split(
        List.copyOf(edits),
        window ->
            order.isEmpty()
                ? new Merge.Concatenate(hiddenColumns, window)
                : new Merge.Ordered(order, hiddenColumns, window));
  }

  // Partial groups.

  private Split splitGroups() {
    if (hasStarBefore(items.size())) {
      throw refused("* beside aggregates", "name the columns");
    }
    List<Expression> groups = groupExpressions();
    List<Range> groupTokens = itemsOf("GROUP");
    List<Integer> groupColumns = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      Optional<Integer> item = groupedItem(groups.get(i));
      Expression group = item.map(this::expressionOf).orElse(groups.get(i));
      groups.set(i, group);
      if (ValueOrders.of(group, block) == ValueOrder.UNKNOWN) {
        throw refused("GROUP BY " + group, "equality of its values is the shard's own");
      }
      if (item.isEmpty()) {
        hidden.add(groupTokens.get(i).text(tokens));
      }
      groupColumns.add(item.map(n -> n + 1).orElse(items.size() + hidden.size()));
    }
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      outputs.add(output(expressionOf(i), i + 1, itemTokens.get(i), groups, groupColumns));
    }
    List<SortKey> order = groupOrder(groups, groupColumns, outputs);
    addHidden();
    removeClause("ORDER");
    block.clauses.window().ifPresent(clause -> edits.add(remove(clause)));
    int visible = items.size();
    return new Split(
        List.copyOf(edits),
        window -> new Merge.Aggregate(groupColumns, outputs, order, visible, window));
  }

  private Output output(
      Expression expression,
      int column,
      Range range,
      List<Expression> groups,
      List<Integer> groupColumns) {
    for (int i = 0; i < groups.size(); i++) {
      if (sameText(groups.get(i), expression)) {
        return new Output.Group(groupColumns.get(i));
      }
    }
    if (!(expression instanceof Function function)
        || !Functions.MERGEABLE.contains(Functions.name(function))) {
      throw refused(
          "'" + expression + "' beside aggregates",
          "only grouped expressions and plain COUNT, SUM, MIN, MAX, AVG are merged");
    }
    if (function.isDistinct() || function.getOrderByElements() != null) {
      throw refused(
          Functions.name(function).toUpperCase(Locale.ROOT) + "(DISTINCT ...)",
          "equal values may be on several shards");
    }
    return switch (Functions.name(function)) {
      case "count" -> new Output.Count(column);
      case "sum" -> new Output.Sum(column);
      case "avg" -> average(column, range);
      case "min" -> {
        requireOrder(function);
        yield new Output.Min(column);
      }
      default -> {
        requireOrder(function);
        yield new Output.Max(column);
      }
    };
  }

  private void requireOrder(Function function) {
    ValueOrder order = ValueOrders.of(function, block);
    if (order != ValueOrder.NATURAL && order != ValueOrder.CODE_POINT) {
      throw refused(
          function.toString(), "the order of its values is the shard's own; use COLLATE \"C\"");
    }
  }

  private Output average(int column, Range range) {
    int open = range.from();
    while (!tokens.isSymbolAt(open, "(")) {
      open++;
    }
    String argument = tokens.text(tokens.get(open).start(), tokens.get(tokens.closing(open)).end());
    hidden.add("SUM" + argument);
    hidden.add("COUNT" + argument);
    int last = items.size() + hidden.size();
    return new Output.Average(column, last - 1, last);
  }

  private List<SortKey> groupOrder(
      List<Expression> groups, List<Integer> groupColumns, List<Output> outputs) {
    List<SortKey> order = new ArrayList<>();
    List<Range> orderTokens = itemsOf("ORDER");
    for (int i = 0; i < orderElements().size(); i++) {
      OrderByElement element = orderElements().get(i);
      Optional<Integer> item = orderedItem(element.getExpression());
      Expression expression = item.map(this::expressionOf).orElse(element.getExpression());
      if (item.isEmpty()) {
        hidden.add(sortText(orderTokens.get(i)));
        int column = items.size() + hidden.size();
        outputs.add(output(expression, column, orderTokens.get(i), groups, groupColumns));
      }
      order.add(sortKey(item.map(n -> n + 1).orElse(outputs.size()), element, expression));
    }
    return order;
  }

  // Shared parts.

  private SortKey sortKey(int column, OrderByElement element, Expression expression) {
    ValueOrder order = ValueOrders.of(expression, block);
    if (order != ValueOrder.NATURAL && order != ValueOrder.CODE_POINT) {
      throw refused(
          "ORDER BY " + element.getExpression(),
          "the order of its values is the shard's own; for text use COLLATE \"C\"");
    }
    boolean descending = !element.isAsc();
    boolean nullsFirst =
        element.getNullOrdering() == null
            ? descending
            : element.getNullOrdering() == OrderByElement.NullOrdering.NULLS_FIRST;
    return new SortKey(column, descending, nullsFirst, order);
  }

  /**
   * Number (0-based) of the select item that an ORDER BY expression means. As in PostgreSQL, a bare
   * name is an output column first and an input column second.
   */
  private Optional<Integer> orderedItem(Expression expression) {
    Optional<Integer> ordinal = ordinalItem(expression);
    if (ordinal.isPresent()) {
      return ordinal;
    }
    boolean star = hasStarBefore(items.size());
    for (int i = 0; i < items.size(); i++) {
      if (isNamed(expression, i)) {
        if (star) {
          throw refused("ORDER BY " + expression, "beside * its meaning cannot be told");
        }
        return Optional.of(i);
      }
    }
    return star ? Optional.empty() : itemWithText(expression);
  }

  /** The same for GROUP BY, where a bare name is an input column first. */
  private Optional<Integer> groupedItem(Expression expression) {
    Optional<Integer> item = ordinalItem(expression).or(() -> itemWithText(expression));
    for (int i = 0; i < items.size() && item.isEmpty(); i++) {
      boolean input = expression instanceof Column column && block.resolve(column).isPresent();
      item = isNamed(expression, i) && !input ? Optional.of(i) : item;
    }
    return item;
  }

  private Optional<Integer> ordinalItem(Expression expression) {
    if (!(expression instanceof LongValue ordinal)) {
      return Optional.empty();
    }
    resolveOrdinal(expression);
    return Optional.of((int) ordinal.getValue() - 1);
  }

  private Optional<Integer> itemWithText(Expression expression) {
    for (int i = 0; i < items.size(); i++) {
      if (sameText(items.get(i).getExpression(), expression)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private boolean isNamed(Expression expression, int item) {
    if (!(expression instanceof Column column) || column.getTable() != null) {
      return false;
    }
    String name = Schema.fold(column.getColumnName());
    if (items.get(item).getAlias() != null) {
      return Schema.fold(items.get(item).getAlias().getName()).equals(name);
    }
    return items.get(item).getExpression() instanceof Column output
        && Schema.fold(output.getColumnName()).equals(name);
  }

  /** Without parentheses that only group. */
  static Expression unwrap(Expression expression) {
    Expression inner = expression;
    while (inner instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      inner = list.get(0);
    }
    return inner;
  }

  private boolean hasStarBefore(int count) {
    return items.stream()
        .limit(count)
        .anyMatch(
            item ->
                item.getExpression() instanceof AllColumns
                    || item.getExpression() instanceof AllTableColumns);
  }

  private Expression expressionOf(int item) {
    return items.get(item).getExpression();
  }

  private boolean sameText(Expression left, Expression right) {
    if (left instanceof Column leftColumn && right instanceof Column rightColumn) {
      Optional<ColumnRef> leftRef = block.resolve(leftColumn);
      return leftRef.isPresent() && leftRef.equals(block.resolve(rightColumn));
    }
    return left == right
        || (left.toString().equals(right.toString()) && !left.toString().contains("?"));
  }

  /** The text of an ORDER BY item without its direction. */
  private String sortText(Range range) {
    int last = range.to();
    if (tokens.isAt(last - 2, "NULLS")) {
      last -= 2;
    }
    if (tokens.isAt(last - 1, "ASC") || tokens.isAt(last - 1, "DESC")) {
      last--;
    }
    return new Range(range.from(), last).text(tokens);
  }

  private void addHidden() {
    if (hidden.stream().anyMatch(text -> text.contains("?"))) {
      throw refused("a parameter in ORDER BY or GROUP BY", "select the expression under a name");
    }
    int place = tokens.get(itemTokens.get(itemTokens.size() - 1).to() - 1).end();
    // Named, so that no ORDER BY name of the statement becomes ambiguous.
    for (int i = 0; i < hidden.size(); i++) {
      String column = ", " + hidden.get(i) + " AS shardwright_" + (i + 1);
      edits.add(new Edit.Replace(place, place, column));
    }
  }

  private void removeClause(String name) {
    block.clauses.find(name).ifPresent(clause -> edits.add(remove(clause)));
  }

  private Edit remove(Clause clause) {
    return new Edit.Replace(
        tokens.get(clause.keyword()).start(), block.clauses.endBefore(clause.to()), "");
  }

  private Edit shardLimit(Clause clause) {
    return new Edit.ShardLimit(
        tokens.get(clause.keyword()).start(), block.clauses.endBefore(clause.to()));
  }

  static ShardwrightException refused(String construct, String why) {
    return new ShardwrightException(
        ErrorCode.MERGE_UNSUPPORTED,
        construct
            + " cannot be answered from several shards: "
            + why
            + "; add the route key to the WHERE clause or simplify the statement");
  }
}
