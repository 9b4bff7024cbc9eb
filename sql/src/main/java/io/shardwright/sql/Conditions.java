package io.shardwright.sql;

import io.shardwright.sql.Facts.ColumnRef;
import io.shardwright.sql.Facts.Domain;
import io.shardwright.sql.Facts.InList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
   * What a condition adds to.
   *
   * @param alternatives receives the OR conditions that are not a simple list of values
   * @param splittable true when the condition holds for every row of the statement, so that an IN
   *     list in it may be cut to the values of one shard
   */
  record Target(Facts facts, List<List<Branch>> alternatives, boolean splittable) {}

  /** Adds what a condition that is true says. */
  void read(Range condition, Target target) {
    read(condition, true, target);
  }

  /**
   * @param value what the condition is: true or false, not unknown
   */
  private void read(Range condition, boolean value, Target target) {
    List<Range> parts = split(condition, "OR");
    boolean and = parts.size() <= 1;
    if (and) {
      parts = split(condition, "AND");
    }
    if (parts.size() > 1 && and != value) {
      readAny(parts, value, target);
    } else if (and) {
      parts.forEach(part -> readTerm(part, value, target));
    } else {
      parts.forEach(part -> read(part, value, target));
    }
  }

  /** A condition without AND and OR on its outermost level. */
  private void readTerm(Range written, boolean writtenValue, Target target) {
    Range term = written;
    boolean value = writtenValue;
    while (tokens.isAt(term.from(), "NOT") && term.size() > 1) {
      term = new Range(term.from() + 1, term.to());
      value = !value;
    }
    if (term.size() == 0) {
      return;
    }
    if (isCondition(term)) {
      read(term.inner(), value, target);
    } else if (isTruthTest(term)) {
      readTruthTest(term, value, target);
    } else if (!term.isParenthesised(tokens)) {
      Optional<Comparison> comparison = Comparison.of(tokens, term);
      if (comparison.isPresent()) {
        readComparison(comparison.get(), value, target);
      }
    }
  }

  /** {@code (condition) IS [NOT] TRUE} or FALSE. */
  private boolean isTruthTest(Range term) {
    int is = tokens.isAt(term.to() - 2, "NOT") ? term.to() - 3 : term.to() - 2;
    return is > term.from()
        && tokens.isAt(is, "IS")
        && truthOf(new Range(term.to() - 1, term.to())).isPresent()
        && isCondition(new Range(term.from(), is));
  }

  private void readTruthTest(Range term, boolean value, Target target) {
    boolean negated = tokens.isAt(term.to() - 2, "NOT");
    Range condition = new Range(term.from(), negated ? term.to() - 3 : term.to() - 2);
    if (value != negated) {
      // Otherwise it may also be unknown.
      boolean truth = truthOf(new Range(term.to() - 1, term.to())).orElseThrow();
      read(condition.inner(), truth, target);
    }
  }

  private Optional<Boolean> truthOf(Range range) {
    if (range.size() != 1) {
      return Optional.empty();
    }
    boolean isTrue = tokens.isAt(range.from(), "TRUE");
    return isTrue || tokens.isAt(range.from(), "FALSE") ? Optional.of(isTrue) : Optional.empty();
  }

  private boolean isCondition(Range range) {
    return range.isParenthesised(tokens)
        && !isQuery(range)
        && range.inner().items(tokens).size() == 1;
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

  private void readComparison(Comparison comparison, boolean value, Target target) {
    Comparison.Operator written = comparison.operator();
    Comparison.Operator operator = value ? written : written.negated();
    Range left = comparison.left();
    Range right = comparison.right();
    switch (operator) {
      case IN -> readIn(left, right, target);
      case BETWEEN -> readBetween(left, right, target.facts());
      case EQUAL, UNEQUAL -> {
        Optional<Boolean> truth = truthOf(right);
        boolean equal = operator == Comparison.Operator.EQUAL;
        if (truth.isPresent() && isCondition(left) && column(left).isEmpty()) {
          read(left.inner(), equal == truth.get(), target);
        } else if (equal) {
          // Of k <> ALL (...), which is false, one element equals k; k <> ANY (...) means them all.
          Set<String> quantifiers = value ? Set.of("ANY", "SOME") : Set.of("ALL");
          readEquals(left, right, target.facts(), quantifiers);
        }
      }
      case NOT_DISTINCT -> readNotDistinct(left, right, target.facts());
      case LESS, AT_MOST, MORE, AT_LEAST -> readBound(left, operator, right, target.facts());
      case DISTINCT, NOT_IN, NOT_BETWEEN -> {}
    }
  }

  /** {@code column BETWEEN low AND high}, and nothing else. */
  private void readBetween(Range left, Range right, Facts facts) {
    int depth = tokens.get(right.from()).depth();
    int and = right.from();
    while (and < right.to() && !(tokens.get(and).depth() == depth && tokens.isAt(and, "AND"))) {
      and++;
    }
    Optional<ColumnRef> column = column(left);
    Optional<Slot> low = Slot.of(tokens, new Range(right.from(), and));
    Optional<Slot> high =
        and < right.to() ? Slot.of(tokens, new Range(and + 1, right.to())) : Optional.empty();
    if (column.isPresent() && low.isPresent() && high.isPresent()) {
      facts.restrict(
          column.get(),
          Domain.of(new Slot.Between(new Slot.Bound(low.get(), 0), new Slot.Bound(high.get(), 0))));
    }
  }

  /** One end of a range; both together may be few numbers. */
  private void readBound(Range left, Comparison.Operator operator, Range right, Facts facts) {
    Optional<ColumnRef> column = column(left);
    if (column.isEmpty()) {
      if (column(right).isPresent() && Slot.of(tokens, left).isPresent()) {
        readBound(right, operator.mirrored(), left, facts);
      }
      return;
    }
    Optional<Slot> value = Slot.of(tokens, right);
    if (value.isPresent()) {
      switch (operator) {
        case AT_LEAST -> facts.atLeast(column.get(), new Slot.Bound(value.get(), 0));
        case MORE -> facts.atLeast(column.get(), new Slot.Bound(value.get(), 1));
        case AT_MOST -> facts.atMost(column.get(), new Slot.Bound(value.get(), 0));
        default -> facts.atMost(column.get(), new Slot.Bound(value.get(), -1));
      }
    }
  }

  /**
   * Equality that NULLs have, too: only a literal is known to be none. A parameter may be NULL,
   * which no key is, but where an outer join adds NULLs a row meets the condition without having a
   * key.
   */
  private void readNotDistinct(Range left, Range right, Facts facts) {
    Optional<ColumnRef> column = column(left);
    if (column.isEmpty()) {
      if (column(right).isPresent() && Slot.of(tokens, left).isPresent()) {
        readNotDistinct(right, left, facts);
      }
      return;
    }
    Optional<Slot> value = Slot.of(tokens, right);
    boolean literal =
        value.isPresent() && value.get() instanceof Slot.Literal known && known.literal() != null;
    if (literal || (value.isPresent() && isNeverNull(column.get()))) {
      facts.restrict(column.get(), Domain.of(value.get()));
    }
  }

  private boolean isNeverNull(ColumnRef column) {
    Source source = column.source();
    return block.sources.contains(source)
        && source.join == Source.Join.INNER
        && !block.hasJoin(Source.Join.OTHER)
        && source.sharding().filter(sharding -> sharding.routes(column.column())).isPresent();
  }

  private void readEquals(Range left, Range right, Facts facts, Set<String> quantifiers) {
    Optional<List<Range>> leftRow = row(left);
    Optional<List<Range>> rightRow = row(right);
    if (leftRow.isPresent() && rightRow.isPresent()) {
      if (leftRow.get().size() == rightRow.get().size()) {
        for (int i = 0; i < leftRow.get().size(); i++) {
          readEquals(leftRow.get().get(i), rightRow.get().get(i), facts, Set.of());
        }
      }
      return;
    }
    Optional<ColumnRef> leftColumn = column(left);
    Optional<ColumnRef> rightColumn = column(right);
    if (leftColumn.isPresent() && rightColumn.isPresent()) {
      facts.equate(leftColumn.get(), rightColumn.get());
    } else if (leftColumn.isPresent()) {
      List<Slot> values =
          Slot.of(tokens, right)
              .map(List::of)
              .orElseGet(() -> ArrayElements.of(tokens, right, quantifiers));
      if (!values.isEmpty()) {
        facts.restrict(leftColumn.get(), new Domain(values, Optional.empty()));
      }
    } else if (rightColumn.isPresent()) {
      Slot.of(tokens, left).ifPresent(slot -> facts.restrict(rightColumn.get(), Domain.of(slot)));
    }
  }

  private void readIn(Range left, Range right, Target target) {
    if (!right.isParenthesised(tokens)) {
      return;
    }
    if (isQuery(right)) {
      if (target.splittable()) {
        block.inQueries.put(right.from() + 1, row(left).orElse(List.of(left)));
      }
      return;
    }
    List<Range> elements = right.inner().items(tokens);
    if (row(left).isPresent()) {
      List<Branch> branches = new ArrayList<>();
      for (Range element : elements) {
        branches.add((branchFacts, ors) -> readEquals(left, element, branchFacts, Set.of()));
      }
      target.alternatives().add(branches);
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
          target.splittable()
              ? Optional.of(
                  InList.of(
                      tokens,
                      column.get(),
                      elements.stream().map(element -> element.place(tokens)).toList()))
              : Optional.empty();
      target.facts().restrict(column.get(), new Domain(List.copyOf(values), list));
    }
  }

  /** At least one of the parts has the value. Values of one column in all of them are a list. */
  private void readAny(List<Range> parts, boolean value, Target target) {
    Optional<ColumnRef> only = Optional.empty();
    List<Slot> values = new ArrayList<>();
    for (Range part : parts) {
      Facts single = new Facts();
      read(part, value, new Target(single, new ArrayList<>(), false));
      Optional<ColumnRef> column = single.onlyRestricted();
      if (column.isEmpty() || (only.isPresent() && !only.equals(column))) {
        List<Branch> branches = new ArrayList<>();
        for (Range branch : parts) {
          branches.add((facts, ors) -> read(branch, value, new Target(facts, ors, false)));
        }
        target.alternatives().add(branches);
        return;
      }
      only = column;
      values.addAll(single.domain(column.get()).orElseThrow().values());
    }
    target.facts().restrict(only.orElseThrow(), new Domain(List.copyOf(values), Optional.empty()));
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

  /** The column, also in casts that change none of its values. */
  private Optional<ColumnRef> column(Range operand) {
    Optional<ColumnRef> plain = block.column(tokens, operand);
    if (plain.isPresent()) {
      return plain;
    }
    Optional<Cast> cast = Cast.of(tokens, operand.unwrapped(tokens));
    return cast.flatMap(c -> column(c.value()))
        .filter(
            ref ->
                ref.keyType()
                    .filter(type -> tokens.dialect().keepsValues(type, cast.get().type()))
                    .isPresent());
  }
}
