package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Facts.ColumnRef;
import io.shardwright.sql.Merge.Output;
import io.shardwright.sql.Merge.SortKey;
import io.shardwright.sql.Merge.Window;
import io.shardwright.sql.Schema.ValueOrder;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * How one SELECT is split over shards: the edits of the shards' statement and the merge of their
 * answers. Built once per plan; refuses (SW208) what cannot be merged exactly.
 */
final class SelectMerge {
  // Long because: the rules of one split (items, groups, order, hidden columns) read each other's
  // state.

  /** A SELECT split over shards. */
  record Split(List<Edit> edits, Function<Window, Merge> merge) {}

  private static final Set<String> GROUPING_WORDS =
      Set.of("ROLLUP", "CUBE", "GROUPING", "DISTINCT", "ALL");

  private final SqlTokens tokens;
  private final Block block;
  private final Source root;
  private final ValueOrders orders;
  private final List<Edit> edits = new ArrayList<>();
  private final List<String> hidden = new ArrayList<>();
  private final List<SelectItem> items;
  private final List<OrderItem> order;
  private final List<Range> groupBy;
  private final boolean distinct;
  private final boolean star;

  private SelectMerge(SqlTokens tokens, Block block, Source root) {
    this.tokens = tokens;
    this.block = block;
    this.root = root;
    this.orders = new ValueOrders(tokens, block);
    Range head = block.clauses.head().range();
    this.distinct = tokens.isAt(head.from(), "DISTINCT");
    int first = head.from() + (distinct || tokens.isAt(head.from(), "ALL") ? 1 : 0);
    this.items = SelectItem.of(tokens, new Range(first, head.to()));
    this.star = items.stream().anyMatch(item -> item.isStar(tokens));
    this.groupBy = itemsOf("GROUP");
    this.order = itemsOf("ORDER").stream().map(item -> OrderItem.of(tokens, item)).toList();
  }

  /** An ORDER BY item taken apart. */
  private record OrderItem(Range expression, boolean descending, boolean nullsFirst) {
    static OrderItem of(SqlTokens tokens, Range item) {
      int to = item.to();
      Optional<Boolean> nullsFirst = Optional.empty();
      if (tokens.isAt(to - 2, "NULLS")) {
        nullsFirst = Optional.of(tokens.isAt(to - 1, "FIRST"));
        to -= 2;
      }
      boolean descending = tokens.isAt(to - 1, "DESC");
      to -= descending || tokens.isAt(to - 1, "ASC") ? 1 : 0;
      return new OrderItem(new Range(item.from(), to), descending, nullsFirst.orElse(descending));
    }
  }

  static Split of(SqlTokens tokens, Block block, Source root) {
    return new SelectMerge(tokens, block, root).split();
  }

  private Split split() {
    if (block.clauses.find("FOR").isPresent()) {
      throw refused("a locking clause", "locks on several shards could deadlock unseen");
    }
    if (block.clauses.find("WINDOW").isPresent()) {
      throw refused("a WINDOW clause", "its rows may be on several shards");
    }
    if (block.clauses.window().filter(w -> tokens.isAt(w.to() - 1, "TIES")).isPresent()) {
      throw refused("WITH TIES", "ties may be on several shards");
    }
    if (order.stream().anyMatch(this::usesOperator)) {
      throw refused("ORDER BY ... USING", "the operator's order is the shard's own");
    }
    if (distinct && tokens.isAt(block.clauses.start() + 2, "ON")) {
      throw refused("DISTINCT ON", "its first rows may be on several shards");
    }
    groupBy.forEach(this::requirePlainGroup);
    boolean wholeGroups = !groupBy.isEmpty() && covers(meanings(groupBy));
    if (distinct && !covers(items.stream().map(SelectItem::expression).toList())) {
      throw refused("DISTINCT", "equal rows may come from several shards");
    }
    boolean aggregated = callsAggregate() || !groupBy.isEmpty();
    if (block.clauses.find("HAVING").isPresent() && !wholeGroups) {
      throw refused("HAVING", "it needs the merged groups");
    }
    return aggregated && !wholeGroups ? splitGroups() : splitRows();
  }

  private boolean usesOperator(OrderItem item) {
    for (int i = item.expression().from(); i < item.expression().to(); i++) {
      if (tokens.isAt(i, "USING") && tokens.get(i).depth() == depth()) {
        return true;
      }
    }
    return item.expression().size() == 0;
  }

  private int depth() {
    return tokens.get(block.clauses.start()).depth();
  }

  private void requirePlainGroup(Range group) {
    boolean set = group.isParenthesised(tokens) && group.inner().items(tokens).size() != 1;
    if (group.size() == 0 || set || GROUPING_WORDS.contains(tokens.get(group.from()).keyword())) {
      throw refused("GROUP BY with grouping sets", "only plain GROUP BY is merged");
    }
  }

  private boolean covers(List<Range> expressions) {
    Set<ColumnRef> columns = new HashSet<>();
    expressions.forEach(e -> block.column(tokens, e).ifPresent(columns::add));
    return Placement.covers(root, columns, block.facts);
  }

  private List<Range> meanings(List<Range> groups) {
    List<Range> meanings = new ArrayList<>();
    for (Range group : groups) {
      meanings.add(groupedItem(group).map(this::expressionOf).orElse(group));
    }
    return meanings;
  }

  /** True when an aggregate is used; refuses functions that might be aggregates. */
  private boolean callsAggregate() {
    boolean aggregate = false;
    List<Range> expressions = new ArrayList<>();
    items.forEach(item -> expressions.add(item.expression()));
    order.forEach(item -> expressions.add(item.expression()));
    for (Range expression : expressions) {
      for (int i = expression.from(); i < expression.to(); i++) {
        if (tokens.isAt(i, "OVER") || tokens.isAt(i, "FILTER") || tokens.isAt(i, "WITHIN")) {
          throw refused("a window function or FILTER", "its rows may be on several shards");
        }
      }
      for (String name : Functions.calls(tokens, expression)) {
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

  // Rows that need no combining: concatenated, or merged by order.

  private Split splitRows() {
    List<Optional<Integer>> itemOfKey = new ArrayList<>();
    for (OrderItem item : order) {
      Optional<Integer> selected = orderedItem(item.expression());
      itemOfKey.add(selected);
      if (selected.isEmpty()) {
        if (distinct) {
          throw refused("ORDER BY on what is not selected", "with DISTINCT it has no meaning");
        }
        hidden.add(hiddenText(item.expression()));
      }
    }
    List<SortKey> keys = new ArrayList<>();
    int fromEnd = -hidden.size();
    for (int i = 0; i < order.size(); i++) {
      Optional<Integer> selected = itemOfKey.get(i);
      int column = selected.isPresent() ? selected.get() + 1 : fromEnd++;
      keys.add(sortKey(column, order.get(i), selected));
    }
    addHidden();
    block.clauses.window().ifPresent(clause -> edits.add(shardLimit(clause)));
    int hiddenColumns = hidden.size();
    return new Split(
        List.copyOf(edits),
        window ->
            keys.isEmpty()
                ? new Merge.Concatenate(hiddenColumns, window)
                : new Merge.Ordered(List.copyOf(keys), hiddenColumns, window));
  }

  // Partial groups.

  private Split splitGroups() {
    if (star) {
      throw refused("* beside aggregates", "name the columns");
    }
    List<Range> groups = meanings(groupBy);
    List<Integer> groupColumns = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      Optional<Integer> item = groupedItem(groupBy.get(i));
      if (orders.of(groups.get(i)) == ValueOrder.UNKNOWN) {
        throw refused(
            "GROUP BY " + groups.get(i).text(tokens), "equality of its values is the shard's own");
      }
      if (item.isEmpty()) {
        hidden.add(hiddenText(groupBy.get(i)));
      }
      groupColumns.add(item.map(n -> n + 1).orElse(items.size() + hidden.size()));
    }
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      outputs.add(output(expressionOf(i), i + 1, groups, groupColumns));
    }
    List<SortKey> keys = new ArrayList<>();
    for (OrderItem item : order) {
      Optional<Integer> selected = orderedItem(item.expression());
      if (selected.isEmpty()) {
        hidden.add(hiddenText(item.expression()));
        int column = items.size() + hidden.size();
        outputs.add(output(item.expression(), column, groups, groupColumns));
      }
      keys.add(sortKey(selected.map(n -> n + 1).orElse(outputs.size()), item, selected));
    }
    addHidden();
    block.clauses.find("ORDER").ifPresent(clause -> edits.add(remove(clause)));
    block.clauses.window().ifPresent(clause -> edits.add(remove(clause)));
    int visible = items.size();
    return new Split(
        List.copyOf(edits),
        window -> new Merge.Aggregate(groupColumns, outputs, keys, visible, window));
  }

  private Output output(
      Range expression, int column, List<Range> groups, List<Integer> groupColumns) {
    for (int i = 0; i < groups.size(); i++) {
      if (sameMeaning(groups.get(i), expression)) {
        return new Output.Group(groupColumns.get(i));
      }
    }
    boolean call =
        expression.size() >= 4
            && tokens.get(expression.from()).kind() == SqlTokens.Kind.WORD
            && new Range(expression.from() + 1, expression.to()).isParenthesised(tokens);
    String name = tokens.get(expression.from()).text().toLowerCase(Locale.ROOT);
    if (!call || !Functions.MERGEABLE.contains(name)) {
      throw refused(
          "'" + expression.text(tokens) + "' beside aggregates",
          "only grouped expressions and plain COUNT, SUM, MIN, MAX, AVG are merged");
    }
    requirePlainCall(name, expression);
    return switch (name) {
      case "count" -> new Output.Count(column);
      case "sum" -> new Output.Sum(column);
      case "avg" -> average(column, expression);
      case "min" -> new Output.Min(requireOrder(column, expression));
      default -> new Output.Max(requireOrder(column, expression));
    };
  }

  private void requirePlainCall(String name, Range call) {
    for (int i = call.from() + 2; i < call.to() - 1; i++) {
      boolean outermost = tokens.get(i).depth() == tokens.get(call.from()).depth() + 1;
      if (outermost && (tokens.isAt(i, "DISTINCT") || tokens.isAt(i, "ORDER"))) {
        throw refused(
            name.toUpperCase(Locale.ROOT) + "(DISTINCT ...)",
            "equal values may be on several shards");
      }
      if (tokens.get(i).kind() == SqlTokens.Kind.PARAMETER && name.equals("avg")) {
        throw refused("a parameter inside AVG", "its parts would need it twice");
      }
    }
  }

  private int requireOrder(int column, Range call) {
    ValueOrder valueOrder = orders.of(call);
    if (valueOrder != ValueOrder.NATURAL && valueOrder != ValueOrder.CODE_POINT) {
      throw refused(
          call.text(tokens), "the order of its values is the shard's own; use COLLATE \"C\"");
    }
    return column;
  }

  private Output average(int column, Range call) {
    String argument = new Range(call.from() + 1, call.to()).text(tokens);
    hidden.add("SUM" + argument);
    hidden.add("COUNT" + argument);
    int last = items.size() + hidden.size();
    return new Output.Average(column, last - 1, last);
  }

  // What ORDER BY and GROUP BY items mean.

  /**
   * Number (0-based) of the select item that an ORDER BY expression means. As in PostgreSQL, a bare
   * name is an output column first and an input column second.
   */
  private Optional<Integer> orderedItem(Range expression) {
    Optional<Integer> ordinal = ordinalItem(expression);
    if (ordinal.isPresent()) {
      return ordinal;
    }
    for (int i = 0; i < items.size(); i++) {
      if (isNamed(expression, i)) {
        if (star) {
          throw refused(
              "ORDER BY " + expression.text(tokens), "beside * its meaning cannot be told");
        }
        return Optional.of(i);
      }
    }
    return star ? Optional.empty() : itemMeaning(expression);
  }

  /** The same for GROUP BY, where a bare name is an input column first. */
  private Optional<Integer> groupedItem(Range expression) {
    Optional<Integer> item = ordinalItem(expression).or(() -> itemMeaning(expression));
    boolean input = block.column(tokens, expression).isPresent();
    for (int i = 0; i < items.size() && item.isEmpty() && !input; i++) {
      item = isNamed(expression, i) ? Optional.of(i) : item;
    }
    return item;
  }

  /** {@code ORDER BY 2} means the second select item. */
  private Optional<Integer> ordinalItem(Range expression) {
    if (expression.size() != 1 || tokens.get(expression.from()).kind() != SqlTokens.Kind.NUMBER) {
      return Optional.empty();
    }
    String text = expression.text(tokens);
    BigDecimal number = text.matches("[0-9]{1,9}") ? new BigDecimal(text) : BigDecimal.ZERO;
    if (star || number.signum() == 0 || number.intValue() > items.size()) {
      throw refused("position " + text, "the select list has no such item that can be told");
    }
    return Optional.of(number.intValue() - 1);
  }

  private Optional<Integer> itemMeaning(Range expression) {
    for (int i = 0; i < items.size(); i++) {
      if (sameMeaning(expressionOf(i), expression)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private boolean isNamed(Range expression, int item) {
    return expression.size() == 1
        && tokens.get(expression.from()).isName()
        && items.get(item).name().equals(Optional.of(Schema.fold(expression.text(tokens))));
  }

  private boolean sameMeaning(Range left, Range right) {
    Optional<ColumnRef> column = block.column(tokens, left);
    if (column.isPresent()) {
      return column.equals(block.column(tokens, right));
    }
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      SqlTokens.Token a = tokens.get(left.from() + i);
      SqlTokens.Token b = tokens.get(right.from() + i);
      boolean equal =
          a.kind() == SqlTokens.Kind.WORD
              ? b.kind() == SqlTokens.Kind.WORD && a.text().equalsIgnoreCase(b.text())
              : a.text().equals(b.text());
      if (!equal || (a.kind() == SqlTokens.Kind.PARAMETER && !left.equals(right))) {
        return false;
      }
    }
    return true;
  }

  private SortKey sortKey(int column, OrderItem item, Optional<Integer> selected) {
    ValueOrder valueOrder = orders.of(selected.map(this::expressionOf).orElse(item.expression()));
    if (valueOrder != ValueOrder.NATURAL && valueOrder != ValueOrder.CODE_POINT) {
      throw refused(
          "ORDER BY " + item.expression().text(tokens),
          "the order of its values is the shard's own; for text use COLLATE \"C\"");
    }
    return new SortKey(column, item.descending(), item.nullsFirst(), valueOrder);
  }

  private Range expressionOf(int item) {
    return items.get(item).expression();
  }

  // Edits.

  private String hiddenText(Range expression) {
    for (int i = expression.from(); i < expression.to(); i++) {
      if (tokens.get(i).kind() == SqlTokens.Kind.PARAMETER) {
        throw refused("a parameter in ORDER BY or GROUP BY", "select the expression under a name");
      }
    }
    return expression.text(tokens);
  }

  /** Named, so that no ORDER BY name of the statement becomes ambiguous. */
  private void addHidden() {
    int place = block.clauses.endBefore(block.clauses.head().to());
    for (int i = 0; i < hidden.size(); i++) {
      String column = ", " + hidden.get(i) + " AS shardwright_" + (i + 1);
      edits.add(new Edit.Replace(place, place, column));
    }
  }

  private List<Range> itemsOf(String clause) {
    return block.clauses.find(clause).map(c -> c.range().items(tokens)).orElse(List.of());
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
