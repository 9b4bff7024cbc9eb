package io.shardwright.sql;

import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Edit.StageColumn;
import io.shardwright.sql.Facts.Place;
import io.shardwright.sql.Merge.Piece;
import io.shardwright.sql.Route.Argument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A SELECT whose last step one shard does for all.
 *
 * <p>Problem: HAVING, DISTINCT, window functions, ordered aggregates, expressions around aggregates
 * and text order need the database's own semantics over all rows. Idea: each shard sends the
 * columns that the statement's outer clauses use; they become arrays, and one shard runs the
 * statement's own select list, HAVING, ORDER BY and LIMIT over {@code unnest} of them, with column
 * references replaced. Two forms: <i>partial</i>, where aggregates that combine are computed per
 * shard and group first, and <i>rows</i>, where the columns themselves are sent. The driver bounds
 * the rows.
 */
final class StagedMerge {
  // Long because: the two texts, the shards' and the last one, are written by one walk over the
  // clauses.

  private static final String SOURCE = "shardwright";

  /** Marks a place for a piece; no statement contains it, since PostgreSQL's text cannot. */
  private static final String HOLE = "\0";

  private static final Set<String> PARTIAL = Set.of("count", "sum", "avg");

  private final SqlTokens tokens;
  private final Block block;
  private final SelectList items;
  private final List<Range> groupBy;
  private final List<StageColumn> columns = new ArrayList<>();
  private final List<String> columnTexts = new ArrayList<>();
  private final List<Optional<String>> collations = new ArrayList<>();
  private final List<Integer> groupColumns = new ArrayList<>();
  private final List<Range> groups = new ArrayList<>();
  private final List<Piece> holes = new ArrayList<>();
  private final List<Argument> arguments = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final LastStepForm form;
  private final boolean partial;
  private final boolean combines;
  private final boolean plainRows;
  private boolean inHaving;
  private int aggregateEnd;

  private StagedMerge(SqlTokens tokens, Block block) {
    this.tokens = tokens;
    this.block = block;
    this.form = tokens.dialect().lastStep();
    this.items = SelectList.of(tokens, block);
    this.groupBy = block.clauses.find("GROUP").map(c -> c.range().items(tokens)).orElse(List.of());
    List<Range> outer = outerRanges();
    this.partial = outer.stream().allMatch(this::combinesPartially) && callsOrGroups(outer);
    boolean window = outer.stream().anyMatch(range -> contains(range, Set.of("OVER")));
    this.plainRows = !callsOrGroups(outer) && !window && block.clauses.find("HAVING").isEmpty();
    this.combines = !plainRows || items.distinct();
  }

  static SelectMerge.Split of(SqlTokens tokens, Block block) {
    return new StagedMerge(tokens, block).split();
  }

  private SelectMerge.Split split() {
    if (!block.sources.stream().allMatch(Source::hasColumnsOfTables)) {
      throw SelectMerge.refused(
          "a FROM item that is no table and no plain copy of one", "its columns are not known");
    }
    if (block.clauses.window().filter(w -> tokens.isAt(w.to() - 1, "TIES")).isPresent()) {
      throw SelectMerge.refused("WITH TIES", "ties may be on several shards");
    }
    if (block.clauses.locks()) {
      throw SelectMerge.refused(
          "a locking clause", "locks on several shards could deadlock unseen");
    }
    if (items.star()) {
      throw SelectMerge.refused(
          "* in this statement", "name the columns; the last step needs them");
    }
    if (items.distinct() && tokens.isAt(block.clauses.start() + 2, "ON")) {
      throw SelectMerge.refused("DISTINCT ON", "its first rows may be on several shards");
    }
    for (Range range : outerRanges()) {
      for (String name : Functions.calls(tokens, range)) {
        if (!tokens.functions().isTableless(name)) {
          throw SelectMerge.refused(
              "the function " + name, "it may read the rows of one shard only, or combine rows");
        }
      }
      for (int i = range.from(); i < range.to(); i++) {
        if (tokens.isAt(i, "SELECT")) {
          throw SelectMerge.refused("a subquery outside WHERE", "the last step has no tables");
        }
      }
    }
    for (Range group : groupBy) {
      SelectMerge.requirePlainGroup(tokens, group);
      Range meaning = items.grouped(group).map(items::expression).orElse(group);
      groups.add(meaning);
      if (partial) {
        groupColumns.add(column("", meaning));
      }
    }
    GroupedColumns.require(tokens, block, items, groups);
    lastStatement();
    Merge merge = new Merge.Staged(pieces(), List.copyOf(arguments));
    return new SelectMerge.Split(shardEdits(), window -> merge);
  }

  /** Select list, HAVING and ORDER BY: what the last statement evaluates. */
  private List<Range> outerRanges() {
    List<Range> ranges = new ArrayList<>(items.expressions());
    for (String clause : List.of("HAVING", "ORDER", "WINDOW")) {
      block.clauses.find(clause).ifPresent(c -> ranges.add(c.range()));
    }
    return ranges;
  }

  private boolean callsOrGroups(List<Range> outer) {
    return !groupBy.isEmpty()
        || outer.stream()
            .flatMap(range -> Functions.calls(tokens, range).stream())
            .anyMatch(name -> !tokens.functions().isScalar(name));
  }

  private boolean contains(Range range, Set<String> words) {
    for (int i = range.from(); i < range.to(); i++) {
      if (words.contains(tokens.get(i).keyword())) {
        return true;
      }
    }
    return false;
  }

  /** True when all its calls are scalar or aggregates whose partial results combine. */
  private boolean combinesPartially(Range range) {
    if (contains(range, Set.of("OVER", "FILTER", "WITHIN"))) {
      return false;
    }
    for (int i = range.from(); i < range.to(); i++) {
      Optional<String> name = callAt(i);
      if (name.isPresent() && !tokens.functions().isScalar(name.get())) {
        boolean known = PARTIAL.contains(name.get()) || form.combined().contains(name.get());
        Range arguments = new Range(i + 2, tokens.closing(i + 1));
        boolean several =
            tokens.isAt(arguments.from(), "DISTINCT") && arguments.items(tokens).size() > 1;
        boolean rounded = tokens.dialect().roundsQuotients() && tokens.hasSymbol(arguments, "/");
        if (!known || several || rounded || contains(arguments, Set.of("ORDER"))) {
          return false;
        }
      }
    }
    return true;
  }

  private Optional<String> callAt(int index) {
    boolean call =
        tokens.get(index).kind() == SqlTokens.Kind.WORD && tokens.isSymbolAt(index + 1, "(");
    List<String> names = call ? Functions.calls(tokens, new Range(index, index + 1)) : List.of();
    return names.isEmpty() ? Optional.empty() : Optional.of(names.get(0));
  }

  /** The name would show the parameter's value, which is not known here. */
  private void requireName(int item) {
    Range range = items.expression(item);
    boolean parameter = tokens.hasParameter(range);
    if (parameter && !items.isNamed(item) && tokens.dialect().namesColumnsByText()) {
      throw SelectMerge.refused(
          "a select item that holds a parameter and has no name",
          "the database would name it by the parameter's value; add AS and a name");
    }
  }

  // The last statement.

  private void lastStatement() {
    text.append("SELECT ").append(items.distinct() ? "DISTINCT " : "");
    for (int i = 0; i < items.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      Range item = items.expression(i);
      expression(item);
      if (!form.keepsTypes() && block.column(tokens, item).isPresent()) {
        // The array has lost the length or scale of the column's type.
        text.append("::");
        hole(new Piece.TypeOf(column("", item)));
      }
      requireName(i);
      KeptLabels.requireKnown(tokens, items, i);
      text.append(" AS ").append(tokens.dialect().quote(items.label(i)));
    }
    int source = text.length();
    int argumentsBefore = arguments.size();
    int holesBefore = holes.size();
    clause("GROUP", " GROUP BY ");
    clause("HAVING", " HAVING ");
    clause("WINDOW", " WINDOW ");
    clause("ORDER", " ORDER BY ");
    block.clauses.window().ifPresent(w -> copy(new Range(w.keyword(), w.to()), " "));
    if (columns.isEmpty()) {
      throw SelectMerge.refused("a select list without columns", "there is nothing to send");
    }
    // The rows stand in front of what was written since, but only now all columns are known.
    if (form.arrays()) {
      insertArrays(source, argumentsBefore);
    } else {
      text.insert(source, " FROM " + HOLE);
      holes.add(holesBefore, new Piece.Rows(SOURCE, List.copyOf(collations)));
      arguments.add(argumentsBefore, new Argument.CollectedRows());
    }
  }

  private void insertArrays(int source, int argumentsBefore) {
    List<String> arrays = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= columns.size(); i++) {
      arrays.add("?");
      names.add(name(i));
      arguments.add(argumentsBefore + i - 1, new Argument.Collected(i));
    }
    text.insert(
        source,
        " FROM unnest("
            + String.join(", ", arrays)
            + ") AS "
            + SOURCE
            + " ("
            + String.join(", ", names)
            + ")");
  }

  /** The text, cut at its holes. */
  private List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    String[] texts = text.toString().split(HOLE, -1);
    for (int i = 0; i < texts.length; i++) {
      pieces.add(new Piece.Text(texts[i]));
      if (i < holes.size()) {
        pieces.add(holes.get(i));
      }
    }
    return List.copyOf(pieces);
  }

  private void clause(String name, String keyword) {
    Optional<Clause> clause = block.clauses.find(name);
    if (clause.isEmpty()) {
      return;
    }
    text.append(keyword);
    List<Range> parts = clause.get().range().items(tokens);
    for (int i = 0; i < parts.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      if (name.equals("GROUP")) {
        group(i, parts.get(i));
      } else if (name.equals("ORDER")) {
        order(parts.get(i));
      } else {
        inHaving = name.equals("HAVING");
        expression(parts.get(i));
        inHaving = false;
      }
    }
  }

  private void group(int index, Range written) {
    if (partial) {
      text.append(collated(groupColumns.get(index), groups.get(index)));
    } else {
      expression(groups.get(index).size() == 0 ? written : groups.get(index));
    }
  }

  /** An item that means an output column is written as its position. */
  private void order(Range item) {
    Range expression = OrderItem.of(tokens, item).expression();
    Optional<Integer> selected = items.ordered(expression);
    if (selected.isEmpty()) {
      expression(item);
      return;
    }
    text.append(selected.get() + 1);
    if (expression.to() < item.to()) {
      copy(new Range(expression.to(), item.to()), " ");
    }
  }

  /** The text of an expression with groups, aggregates and columns replaced. */
  private void expression(Range range) {
    int i = range.from();
    while (i < range.to()) {
      int behind = replaced(i, range);
      if (behind == i) {
        copy(new Range(i, i + 1), i == range.from() ? "" : gapBefore(i));
        behind = i + 1;
      }
      i = behind;
    }
  }

  private String gapBefore(int index) {
    return tokens.get(index - 1).end() < tokens.get(index).start() ? " " : "";
  }

  /**
   * Writes what stands for the group, aggregate or column that starts at a token of {@code within};
   * returns the token behind it.
   */
  private int replaced(int at, Range within) {
    if (inHaving && meansSelectItem(at)) {
      return at;
    }
    String gap = at > within.from() ? gapBefore(at) : "";
    int to = at;
    while (to < within.to() && tokens.get(to).isName() && tokens.isSymbolAt(to + 1, ".")) {
      to += 2;
    }
    boolean call = tokens.isSymbolAt(to + 1, "(");
    Range reference = new Range(at, Math.min(to + 1, within.to()));
    boolean column =
        tokens.get(at).isName()
            && !call
            && !tokens.isSymbolAt(at - 1, "::")
            && block.column(tokens, reference).isPresent();
    if (partial) {
      for (int i = 0; i < groups.size(); i++) {
        boolean grouped = block.column(tokens, groups.get(i)).isPresent();
        Range here = grouped && column ? reference : new Range(at, at + groups.get(i).size());
        if (here.to() <= within.to()
            && standsAlone(here, within)
            && items.sameMeaning(groups.get(i), here)) {
          text.append(gap).append(collated(groupColumns.get(i), groups.get(i)));
          return here.to();
        }
      }
      Optional<String> name = callAt(at);
      if (name.isPresent() && !tokens.functions().isScalar(name.get())) {
        text.append(gap);
        return aggregate(name.get(), new Range(at, tokens.closing(at + 1) + 1));
      }
    }
    if (!column) {
      return at;
    }
    if (partial) {
      throw SelectMerge.refused(
          "'" + reference.text(tokens) + "' beside aggregates", "it is not grouped by");
    }
    text.append(gap).append(collated(column("", reference), reference));
    return reference.to();
  }

  /** In HAVING of MariaDB a name outside aggregates is a group or a select item, then a column. */
  private boolean meansSelectItem(int at) {
    if (!tokens.dialect().picksFromGroups() || at < aggregateEnd || !tokens.get(at).isName()) {
      return false;
    }
    Optional<String> call = callAt(at);
    if (call.isPresent()) {
      boolean aggregate = !tokens.functions().isScalar(call.get());
      aggregateEnd = aggregate ? tokens.closing(at + 1) : aggregateEnd;
      return false;
    }
    return !tokens.isSymbolAt(at - 1, ".")
        && !tokens.isSymbolAt(at + 1, ".")
        && GroupedColumns.aliasInHaving(tokens, items, groups, new Range(at, at + 1)).isPresent();
  }

  /** True for an operand, and for an expression that nothing around it can take apart. */
  private boolean standsAlone(Range range, Range within) {
    boolean operand =
        range.size() == 1
            || range.isParenthesised(tokens)
            || block.column(tokens, range).isPresent()
            || range.isCall(tokens);
    boolean opens =
        range.from() == within.from()
            || tokens.isSymbolAt(range.from() - 1, "(")
            || tokens.isSymbolAt(range.from() - 1, ",");
    boolean closes =
        range.to() == within.to()
            || tokens.isSymbolAt(range.to(), ")")
            || tokens.isSymbolAt(range.to(), ",");
    return operand || (opens && closes);
  }

  private int aggregate(String name, Range call) {
    Range inside = new Range(call.from() + 2, call.to() - 1);
    if (tokens.isAt(inside.from(), "DISTINCT")) {
      Range value = new Range(inside.from() + 1, inside.to());
      if (value.items(tokens).size() != 1) {
        throw SelectMerge.refused(
            name + "(DISTINCT ...) of several values", "only one is combined");
      }
      int column = column("", value);
      if (!groupColumns.contains(column)) {
        groupColumns.add(column);
      }
      text.append(name).append("(DISTINCT ").append(collated(column, value)).append(')');
    } else if (name.equals("count")) {
      text.append(form.castBefore()).append("coalesce(sum(").append(name(column("", call)));
      text.append("), 0)").append(form.castBetween()).append(form.bigint()).append(')');
    } else if (name.equals("sum")) {
      int column = column("", call);
      text.append(form.castBefore()).append("sum(").append(name(column)).append(')');
      text.append(form.castBetween());
      hole(new Piece.TypeOf(column));
      text.append(')');
    } else if (name.equals("avg")) {
      average(call);
    } else {
      text.append(name).append('(').append(collated(column("", call), inside)).append(')');
    }
    return call.to();
  }

  private void average(Range call) {
    Range parenthesised = new Range(call.from() + 1, call.to());
    int sum = column("SUM", parenthesised);
    int count = column("COUNT", parenthesised);
    text.append("(sum(").append(name(sum));
    if (form.keepsTypes()) {
      // Not cast: around an average the database computes with more digits than it shows.
      text.append(") / nullif(sum(").append(name(count)).append("), 0))");
      return;
    }
    text.append(") / sum(").append(name(count)).append(')').append(form.castBetween());
    hole(new Piece.DivisorOf(sum));
    text.append(')');
  }

  private int column(String before, Range range) {
    String key = before + range.text(tokens);
    boolean parameter = key.contains("?");
    int known = parameter ? -1 : columnTexts.indexOf(key);
    if (known >= 0) {
      return known + 1;
    }
    columns.add(new StageColumn(before, range.place(tokens), ""));
    columnTexts.add(key);
    collations.add(form.arrays() ? Optional.empty() : collation(range));
    return columns.size();
  }

  /** The column with the collation of what it holds, which an array does not keep. */
  private String collated(int column, Range range) {
    if (!form.arrays()) {
      return name(column);
    }
    Optional<String> own =
        block.column(tokens, range).flatMap(block::schemaColumn).flatMap(Schema.Column::collation);
    if (own.isPresent()) {
      return "(" + name(column) + " COLLATE " + tokens.dialect().quote(own.get()) + ")";
    }
    for (int i = range.from(); i < range.to(); i++) {
      Range token = new Range(i, i + 1);
      boolean hasOwn =
          tokens.get(i).isName()
              && block
                  .column(tokens, token)
                  .flatMap(block::schemaColumn)
                  .flatMap(Schema.Column::collation)
                  .isPresent();
      if (hasOwn || tokens.isAt(i, "COLLATE")) {
        throw SelectMerge.refused(
            "'" + range.text(tokens) + "'", "the collation of its value is not known");
      }
    }
    return name(column);
  }

  /** The collation of a value that is sent as JSON; its column in the last step is given it. */
  private Optional<String> collation(Range range) {
    Range bare = range.unwrapped(tokens);
    boolean extreme =
        bare.isCall(tokens) && (tokens.isAt(bare.from(), "MIN") || tokens.isAt(bare.from(), "MAX"));
    Range value = extreme ? new Range(bare.from() + 2, bare.to() - 1) : bare;
    Optional<Schema.Column> column = block.column(tokens, value).flatMap(block::schemaColumn);
    if (column.isPresent() && !column.get().order().isOfItsTable()) {
      return column.get().collation();
    }
    boolean known = new ValueOrders(tokens, block).of(bare) == Schema.ValueOrder.NATURAL;
    for (int i = range.from(); i < range.to(); i++) {
      Optional<Schema.Column> part =
          tokens.get(i).isName()
              ? block.column(tokens, new Range(i, i + 1)).flatMap(block::schemaColumn)
              : Optional.empty();
      Optional<Schema.ValueOrder> own =
          part.map(Schema.Column::order).filter(Schema.ValueOrder::isOfItsTable);
      boolean collates =
          !known
              && (tokens.isAt(i, "COLLATE") || part.flatMap(Schema.Column::collation).isPresent());
      if (own.isPresent() || collates) {
        String usual = "type or collation of its value is not known";
        throw SelectMerge.refused(
            "'" + range.text(tokens) + "'", own.map(o -> o.reason(usual)).orElse(usual));
      }
    }
    return Optional.empty();
  }

  private static String name(int column) {
    return SOURCE + "_" + column;
  }

  private void copy(Range range, String gap) {
    Place place = range.place(tokens);
    text.append(gap).append(tokens.text(place.from(), place.to()));
    int last = tokens.parametersBefore(place.to());
    for (int i = tokens.parametersBefore(place.from()); i < last; i++) {
      arguments.add(Rendering.parameter(i));
    }
  }

  private void hole(Piece piece) {
    text.append(HOLE);
    holes.add(piece);
  }

  // The shards' statement.

  private List<Edit> shardEdits() {
    List<StageColumn> sent = new ArrayList<>(columns);
    if (items.distinct() && plainRows) {
      sent.set(0, new StageColumn("DISTINCT " + sent.get(0).before(), sent.get(0).place(), ""));
    }
    Clause head = block.clauses.head();
    List<Edit> edits = new ArrayList<>();
    edits.add(
        new Edit.StageColumns(
            tokens.get(head.from()).start(),
            block.clauses.endBefore(head.to()),
            List.copyOf(sent)));
    edits.addAll(clausesOfShards());
    return edits;
  }

  private List<Edit> clausesOfShards() {
    List<Edit> edits = new ArrayList<>();
    if (!combines) {
      // Plain rows in an order that only the database knows: the shards' own first rows suffice.
      block.clauses.window().ifPresent(w -> edits.add(new Edit.ShardLimit(start(w), end(w))));
      block.clauses.find("ORDER").ifPresent(order -> edits.add(orderByMeaning(order)));
      return edits;
    }
    for (String name : List.of("GROUP", "HAVING", "WINDOW", "ORDER")) {
      block.clauses.find(name).ifPresent(c -> edits.add(new Edit.Replace(start(c), end(c), "")));
    }
    block.clauses.window().ifPresent(w -> edits.add(new Edit.Replace(start(w), end(w), "")));
    if (partial && !groupColumns.isEmpty()) {
      int place = block.clauses.find("WHERE").map(this::end).orElseGet(block.clauses::endOfSources);
      StringBuilder ordinals = new StringBuilder(" GROUP BY ");
      for (int i = 0; i < groupColumns.size(); i++) {
        ordinals.append(i == 0 ? "" : ", ").append(groupColumns.get(i));
      }
      edits.add(new Edit.Replace(place, place, ordinals.toString()));
    }
    return edits;
  }

  /** Positions and aliases mean the statement's own select list, which the shards do not get. */
  private Edit orderByMeaning(Clause order) {
    List<StageColumn> sorted = new ArrayList<>();
    for (Range item : order.range().items(tokens)) {
      Range expression = OrderItem.of(tokens, item).expression();
      Range meaning = items.ordered(expression).map(items::expression).orElse(expression);
      String direction =
          expression.to() < item.to()
              ? " " + new Range(expression.to(), item.to()).text(tokens)
              : "";
      sorted.add(new StageColumn("", meaning.place(tokens), direction));
    }
    return new Edit.StageColumns(tokens.get(order.from()).start(), end(order), sorted);
  }

  private int start(Clause clause) {
    return tokens.get(clause.keyword()).start();
  }

  private int end(Clause clause) {
    return block.clauses.endBefore(clause.to());
  }
}
