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
import java.util.function.Function;

/**
 * How one SELECT is split over shards: the edits of the shards' statement and the merge of their
 * answers. Built once per plan; refuses (SW208) what cannot be merged exactly.
 */
final class SelectMerge {
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
  private final SelectList items;
  private final List<OrderItem> order;
  private final List<Range> groupBy;

  private SelectMerge(SqlTokens tokens, Block block, Source root) {
    this.tokens = tokens;
    this.block = block;
    this.root = root;
    this.orders = new ValueOrders(tokens, block);
    this.items = SelectList.of(tokens, block);
    this.groupBy = itemsOf("GROUP");
    this.order = itemsOf("ORDER").stream().map(item -> OrderItem.of(tokens, item)).toList();
  }

  static Split of(SqlTokens tokens, Block block, Source root) {
    return new SelectMerge(tokens, block, root).split();
  }

  private Split split() {
    if (block.clauses.locks()) {
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
    if (items.distinct() && tokens.isAt(block.clauses.start() + 2, "ON")) {
      throw refused("DISTINCT ON", "its first rows may be on several shards");
    }
    groupBy.forEach(group -> requirePlainGroup(tokens, group));
    boolean wholeGroups = !groupBy.isEmpty() && covers(meanings(groupBy));
    if (items.distinct() && !covers(items.expressions())) {
      throw refused("DISTINCT", "equal rows may come from several shards");
    }
    boolean aggregated = callsAggregate() || !groupBy.isEmpty();
    if (wholeGroups) {
      GroupedColumns.require(tokens, block, items, meanings(groupBy));
    }
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

  static void requirePlainGroup(SqlTokens tokens, Range group) {
    if (!isPlainGroup(tokens, group)) {
      throw refused("GROUP BY with grouping sets", "only plain GROUP BY is merged");
    }
  }

  static boolean isPlainGroup(SqlTokens tokens, Range group) {
    boolean set = group.isParenthesised(tokens) && group.inner().items(tokens).size() != 1;
    return group.size() > 0
        && !set
        && !hasModifier(tokens, group)
        && !GROUPING_WORDS.contains(tokens.get(group.from()).keyword());
  }

  /** MariaDB's {@code GROUP BY a DESC} and {@code GROUP BY a WITH ROLLUP}. */
  static boolean hasModifier(SqlTokens tokens, Range group) {
    int last = group.to() - 1;
    return group.size() > 1
        && (tokens.isAt(last, "ROLLUP") || tokens.isAt(last, "ASC") || tokens.isAt(last, "DESC"));
  }

  private boolean covers(List<Range> expressions) {
    Set<ColumnRef> columns = new HashSet<>();
    expressions.forEach(e -> block.column(tokens, e).ifPresent(columns::add));
    return Placement.covers(root, columns, block.facts);
  }

  private List<Range> meanings(List<Range> groups) {
    List<Range> meanings = new ArrayList<>();
    for (Range group : groups) {
      meanings.add(items.grouped(group).map(items::expression).orElse(group));
    }
    return meanings;
  }

  /** True when an aggregate is used; refuses functions that might be aggregates. */
  private boolean callsAggregate() {
    boolean aggregate = false;
    List<Range> expressions = new ArrayList<>(items.expressions());
    order.forEach(item -> expressions.add(item.expression()));
    for (Range expression : expressions) {
      for (int i = expression.from(); i < expression.to(); i++) {
        if (tokens.isAt(i, "OVER") || tokens.isAt(i, "FILTER") || tokens.isAt(i, "WITHIN")) {
          throw refused("a window function or FILTER", "its rows may be on several shards");
        }
      }
      for (String name : Functions.calls(tokens, expression)) {
        if (tokens.functions().mergeable().contains(name)) {
          aggregate = true;
        } else if (!tokens.functions().isScalar(name)) {
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
      Optional<Integer> selected = items.ordered(item.expression());
      itemOfKey.add(selected);
      if (selected.isEmpty()) {
        if (items.distinct()) {
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
    if (items.star()) {
      throw refused("* beside aggregates", "name the columns");
    }
    List<Range> groups = meanings(groupBy);
    List<Integer> groupColumns = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      Optional<Integer> item = items.grouped(groupBy.get(i));
      ValueOrder grouped = orders.of(groups.get(i));
      if (grouped == ValueOrder.UNKNOWN || grouped.isOfItsTable()) {
        throw refused(
            "GROUP BY " + groups.get(i).text(tokens),
            grouped.reason("equality of its values is the shard's own"));
      }
      if (item.isEmpty()) {
        hidden.add(hiddenText(groupBy.get(i)));
      }
      groupColumns.add(item.map(n -> n + 1).orElse(items.size() + hidden.size()));
    }
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      outputs.add(output(items.expression(i), i + 1, groups, groupColumns));
    }
    List<SortKey> keys = new ArrayList<>();
    for (OrderItem item : order) {
      Optional<Integer> selected = items.ordered(item.expression());
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
      if (items.sameMeaning(groups.get(i), expression)) {
        return new Output.Group(groupColumns.get(i));
      }
    }
    boolean call =
        expression.size() >= 4
            && tokens.get(expression.from()).kind() == SqlTokens.Kind.WORD
            && expression.isCall(tokens);
    String name = tokens.get(expression.from()).text().toLowerCase(Locale.ROOT);
    if (!call || !tokens.functions().mergeable().contains(name)) {
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
    boolean adds = name.equals("sum") || name.equals("avg");
    boolean carried =
        block.sources.stream().anyMatch(source -> InnerDigits.mayBeIn(tokens, source));
    boolean written = tokens.dialect().roundsQuotients() && tokens.hasSymbol(call, "/");
    if (written || (adds && carried)) {
      throw refused(name.toUpperCase(Locale.ROOT) + " of a quotient", "each shard would round it");
    }
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
          call.text(tokens),
          valueOrder.reason("the order of its values is the shard's own; use COLLATE \"C\""));
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

  private SortKey sortKey(int column, OrderItem item, Optional<Integer> selected) {
    ValueOrder valueOrder = orders.of(selected.map(items::expression).orElse(item.expression()));
    if (valueOrder != ValueOrder.NATURAL && valueOrder != ValueOrder.CODE_POINT) {
      throw refused(
          "ORDER BY " + item.expression().text(tokens),
          valueOrder.reason(
              "the order of its values is the shard's own; for text use COLLATE \"C\""));
    }
    return new SortKey(column, item.descending(), item.nullsFirst(), valueOrder);
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
