package io.shardwright.sql;

import io.shardwright.sql.Facts.ColumnRef;
import io.shardwright.sql.Facts.Domain;
import io.shardwright.sql.Facts.InList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns conditions that every row must meet into {@link Facts}.
 *
 * <p>Problem: one wrongly grouped AND or OR sends a statement to the wrong shard. Idea: the boolean
 * structure is read from the tokens, where it is plain (parentheses, then AND over OR, BETWEEN and
 * CASE minded), and a comparison counts only when its whole text has one of a few exact forms.
 * Everything else is left out, which only widens the route. The syntax tree is not asked: see
 * docs/decisions/conditions-from-tokens.md.
 */
final class Conditions {

  /** One way to meet an OR condition: adds what it says to the facts. */
  interface Branch {
    void add(Facts facts, List<List<Branch>> alternatives);
  }

  private final SqlTokens tokens;
  private final Block block;

  Conditions(SqlTokens tokens, Block block) {
    this.tokens = tokens;
    this.block = block;
  }

  /**
   * Adds what a condition says.
   *
   * @param alternatives receives the OR conditions that are not a simple list of values
   * @param splittable true when the condition holds for every row of the statement, so that an IN
   *     list in it may be cut to the values of one shard
   */
  void read(Range condition, Facts facts, List<List<Branch>> alternatives, boolean splittable) {
    List<Range> branches = split(condition, "OR");
    if (branches.size() > 1) {
      readOr(branches, facts, alternatives);
      return;
    }
    for (Range conjunct : split(condition, "AND")) {
      if (conjunct.size() == 0) {
        continue;
      }
      if (conjunct.isParenthesised(tokens)) {
        if (!isQuery(conjunct) && conjunct.inner().items(tokens).size() == 1) {
          read(conjunct.inner(), facts, alternatives, splittable);
        }
      } else {
        readComparison(conjunct, facts, alternatives, splittable);
      }
    }
  }

  /** The conditions that are joined by AND on the outermost level. */
  static List<Range> conjuncts(SqlTokens tokens, Range condition) {
    return split(tokens, condition, "OR").size() > 1
        ? List.of(condition)
        : split(tokens, condition, "AND");
  }

  private List<Range> split(Range range, String word) {
    return split(tokens, range, word);
  }

  /**
   * Parts of a range between the words AND or OR of its outermost level. It stays whole where XOR,
   * which binds between the two, is beside AND, and where END is the name of a column.
   */
  private static List<Range> split(SqlTokens tokens, Range range, String word) {
    List<Range> parts = new ArrayList<>();
    if (range.size() == 0) {
      return parts;
    }
    int depth = tokens.get(range.from()).depth();
    int start = range.from();
    int cases = 0;
    int betweens = 0;
    boolean whole = false;
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.get(i).depth() != depth || tokens.isSymbolAt(i - 1, ".")) {
        continue;
      }
      switch (tokens.get(i).keyword()) {
        case "CASE" -> cases++;
        case "END" -> cases--;
        case "BETWEEN" -> betweens += cases == 0 ? 1 : 0;
        case "AND", "OR" -> {
          boolean ofBetween = cases == 0 && betweens > 0 && tokens.isAt(i, "AND");
          betweens -= ofBetween ? 1 : 0;
          if (cases == 0 && !ofBetween && tokens.isAt(i, word)) {
            parts.add(new Range(start, i));
            start = i + 1;
          }
        }
        case "XOR" -> whole |= word.equals("AND");
        default -> {
          if (cases == 0 && tokens.isSymbolAt(i, word.equals("AND") ? "&&" : "||")) {
            parts.add(new Range(start, i));
            start = i + 1;
          }
        }
      }
      whole |= cases < 0;
    }
    if (whole || cases != 0) {
      return List.of(range);
    }
    parts.add(new Range(start, range.to()));
    return parts;
  }

  private void readComparison(
      Range range, Facts facts, List<List<Branch>> alternatives, boolean splittable) {
    int depth = tokens.get(range.from()).depth();
    int operator = -1;
    for (int i = range.from(); i < range.to(); i++) {
      boolean comparison = tokens.isAt(i, "IN") || isEquals(i);
      if (tokens.get(i).depth() == depth && comparison) {
        if (operator >= 0) {
          return;
        }
        operator = i;
      }
    }
    if (operator < 0) {
      readBetween(range, facts);
      return;
    }
    Range left = new Range(range.from(), operator);
    Range right = new Range(operator + 1, range.to());
    if (left.size() == 0 || right.size() == 0) {
      return;
    }
    if (tokens.isAt(operator, "IN")) {
      readIn(left, right, facts, alternatives, splittable);
    } else {
      readEquals(left, right, facts);
    }
  }

  /** {@code column BETWEEN low AND high}, and nothing else. */
  private void readBetween(Range range, Facts facts) {
    int depth = tokens.get(range.from()).depth();
    int between = -1;
    int and = -1;
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.get(i).depth() == depth && tokens.isAt(i, "BETWEEN") && between < 0) {
        between = i;
      } else if (tokens.get(i).depth() == depth && tokens.isAt(i, "AND")) {
        if (and >= 0) {
          return;
        }
        and = i;
      }
    }
    if (between <= range.from() || and < between) {
      return;
    }
    Optional<ColumnRef> column = column(new Range(range.from(), between));
    Optional<Slot> low = Slot.of(tokens, new Range(between + 1, and));
    Optional<Slot> high = Slot.of(tokens, new Range(and + 1, range.to()));
    if (column.isPresent() && low.isPresent() && high.isPresent()) {
      facts.restrict(column.get(), Domain.of(new Slot.Between(low.get(), high.get())));
    }
  }

  /** True for {@code =} that is no part of a longer operator. */
  private boolean isEquals(int index) {
    return tokens.isSymbolAt(index, "=")
        && !(isOperator(index - 1) && tokens.get(index - 1).end() == tokens.get(index).start())
        && !(isOperator(index + 1)
            && tokens.get(index).end() == tokens.get(index + 1).start()
            && !tokens.isSymbolAt(index + 1, "-")
            && !tokens.isSymbolAt(index + 1, "+"));
  }

  private boolean isOperator(int index) {
    return index >= 0
        && index < tokens.size()
        && tokens.get(index).kind() == SqlTokens.Kind.SYMBOL
        && "<>!=@#%^&|~*/+-:`".contains(tokens.get(index).text());
  }

  private void readEquals(Range left, Range right, Facts facts) {
    Optional<List<Range>> leftRow = row(left);
    Optional<List<Range>> rightRow = row(right);
    if (leftRow.isPresent() && rightRow.isPresent()) {
      if (leftRow.get().size() == rightRow.get().size()) {
        for (int i = 0; i < leftRow.get().size(); i++) {
          readEquals(leftRow.get().get(i), rightRow.get().get(i), facts);
        }
      }
      return;
    }
    Optional<ColumnRef> leftColumn = column(left);
    Optional<ColumnRef> rightColumn = column(right);
    if (leftColumn.isPresent() && rightColumn.isPresent()) {
      facts.equate(leftColumn.get(), rightColumn.get());
    } else if (leftColumn.isPresent()) {
      List<Slot> values = Slot.of(tokens, right).map(List::of).orElseGet(() -> elements(right));
      if (!values.isEmpty()) {
        facts.restrict(leftColumn.get(), new Domain(values, Optional.empty()));
      }
    } else if (rightColumn.isPresent()) {
      Slot.of(tokens, left).ifPresent(slot -> facts.restrict(rightColumn.get(), Domain.of(slot)));
    }
  }

  /** Of {@code ANY (?)} and {@code ANY (ARRAY[1, 2])}; none for other forms. */
  private List<Slot> elements(Range right) {
    boolean any = tokens.isAt(right.from(), "ANY") || tokens.isAt(right.from(), "SOME");
    Range argument = new Range(right.from() + 1, right.to());
    if (!any || !argument.isParenthesised(tokens)) {
      return List.of();
    }
    Range array = argument.inner();
    int first = array.from();
    if (tokens.isAt(first, "ARRAY")
        && tokens.isSymbolAt(first + 1, "[")
        && tokens.closing(first + 1) == array.to() - 1) {
      List<Range> items = new Range(first + 2, array.to() - 1).items(tokens);
      List<Slot> values = items.stream().flatMap(i -> Slot.of(tokens, i).stream()).toList();
      return values.size() == items.size() ? values : List.of();
    }
    boolean parameter =
        tokens.get(first).kind() == SqlTokens.Kind.PARAMETER
            && (array.size() == 1 || tokens.isSymbolAt(first + 1, "::"));
    return parameter
        ? Slot.of(tokens, new Range(first, first + 1))
            .map(slot -> List.<Slot>of(new Slot.Elements((Slot.Parameter) slot)))
            .orElse(List.of())
        : List.of();
  }

  private void readIn(
      Range left, Range right, Facts facts, List<List<Branch>> alternatives, boolean splittable) {
    if (!right.isParenthesised(tokens)) {
      return;
    }
    if (isQuery(right)) {
      if (splittable) {
        block.inQueries.put(right.from() + 1, row(left).orElse(List.of(left)));
      }
      return;
    }
    List<Range> elements = right.inner().items(tokens);
    if (row(left).isPresent()) {
      List<Branch> branches = new ArrayList<>();
      for (Range element : elements) {
        branches.add((branchFacts, ors) -> readEquals(left, element, branchFacts));
      }
      alternatives.add(branches);
      return;
    }
    Optional<ColumnRef> column = column(left);
    List<Slot> values = new ArrayList<>();
    for (Range element : elements) {
      Optional<Slot> slot = Slot.of(tokens, element);
      if (slot.isEmpty()) {
        return;
      }
      values.add(slot.get());
    }
    if (column.isPresent() && !values.isEmpty()) {
      Optional<InList> list =
          splittable
              ? Optional.of(
                  new InList(elements.stream().map(element -> element.place(tokens)).toList()))
              : Optional.empty();
      facts.restrict(column.get(), new Domain(List.copyOf(values), list));
    }
  }

  /** Branches that all compare one column with values are a list of values. */
  private void readOr(List<Range> ranges, Facts facts, List<List<Branch>> alternatives) {
    Optional<ColumnRef> only = Optional.empty();
    List<Slot> values = new ArrayList<>();
    for (Range range : ranges) {
      Facts single = new Facts();
      read(range, single, new ArrayList<>(), false);
      Optional<ColumnRef> column = single.onlyRestricted();
      if (column.isEmpty() || (only.isPresent() && !only.equals(column))) {
        List<Branch> branches = new ArrayList<>();
        for (Range branch : ranges) {
          branches.add((branchFacts, ors) -> read(branch, branchFacts, ors, false));
        }
        alternatives.add(branches);
        return;
      }
      only = column;
      values.addAll(single.domain(column.get()).orElseThrow().values());
    }
    facts.restrict(only.orElseThrow(), new Domain(List.copyOf(values), Optional.empty()));
  }

  /** True for a subquery, whose conditions are its own. */
  private boolean isQuery(Range parenthesised) {
    int first = parenthesised.from();
    while (tokens.isSymbolAt(first, "(")) {
      first++;
    }
    return tokens.isAt(first, "SELECT")
        || tokens.isAt(first, "WITH")
        || tokens.isAt(first, "VALUES")
        || tokens.isAt(first, "TABLE");
  }

  /** The items of {@code (a, b)} or {@code ROW(a, b)}. */
  private Optional<List<Range>> row(Range range) {
    Range list = tokens.isAt(range.from(), "ROW") ? new Range(range.from() + 1, range.to()) : range;
    if (!list.isParenthesised(tokens) || isQuery(list)) {
      return Optional.empty();
    }
    List<Range> items = list.inner().items(tokens);
    return items.size() > 1 ? Optional.of(items) : Optional.empty();
  }

  private Optional<ColumnRef> column(Range operand) {
    return block.column(tokens, operand);
  }
}
