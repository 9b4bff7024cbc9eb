package io.shardwright.advisor.templates;

import io.shardwright.advisor.templates.Scope.Column;
import io.shardwright.sql.TokenText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes conditions apart. A role holds for the whole condition: what stands under OR counts as IN
 * when every alternative fixes the same column, else as FILTER; under NOT everything is FILTER.
 */
// Long because: the forms of predicates are one list, read from top to bottom.
final class ConditionReader {
  private static final Set<String> COMPARISONS =
      Set.of("=", "<", ">", "<=", ">=", "<>", "!=", "<=>", "==");
  private static final Set<String> RANGES = Set.of("<", ">", "<=", ">=");
  private static final Set<String> EQUALS = Set.of("=", "==", "<=>");
  private static final String OPERATOR_CHARS = "=<>!~@#&|?^-+*/%";
  private static final Set<String> ARITHMETIC =
      Set.of(
          "-", "+", "*", "/", "%", "||", "->", "->>", "#>", "#>>", "^", "|", "&", "#", "<<", ">>");

  private final TokenText tokens;
  private final StatementReader statement;
  private final Set<ColumnUse> uses;

  ConditionReader(TokenText tokens, StatementReader statement, Set<ColumnUse> uses) {
    this.tokens = tokens;
    this.statement = statement;
    this.uses = uses;
  }

  void read(int from, int to, Scope scope) {
    uses.addAll(condition(from, to, scope));
  }

  private Set<ColumnUse> condition(int start, int end, Scope scope) {
    int from = start;
    int to = end;
    while (to - from >= 2
        && tokens.isSymbol(from, "(")
        && tokens.closing(from) == to - 1
        && !statement.isQuery(from + 1)) {
      from++;
      to--;
    }
    if (from >= to) {
      return Set.of();
    }
    List<int[]> alternatives = split(from, to, "OR", "||");
    if (alternatives.size() > 1) {
      return alternatives(alternatives, scope);
    }
    List<int[]> parts = split(from, to, "AND", "&&");
    if (parts.size() > 1) {
      Set<ColumnUse> all = new LinkedHashSet<>();
      for (int[] part : parts) {
        all.addAll(condition(part[0], part[1], scope));
      }
      return all;
    }
    if (tokens.is(from, "NOT") || (tokens.isSymbol(from, "!") && !tokens.isSymbol(from + 1, "="))) {
      return filters(condition(from + 1, to, scope));
    }
    return predicate(from, to, scope);
  }

  private static Set<ColumnUse> filters(Set<ColumnUse> found) {
    Set<ColumnUse> filters = new LinkedHashSet<>();
    for (ColumnUse use : found) {
      filters.add(new ColumnUse(ColumnRole.FILTER, use.table(), use.column()));
    }
    return filters;
  }

  private Set<ColumnUse> alternatives(List<int[]> ranges, Scope scope) {
    List<Set<ColumnUse>> all = new ArrayList<>();
    for (int[] range : ranges) {
      all.add(condition(range[0], range[1], scope));
    }
    // A column that each alternative fixes is one of several values.
    Map<String, Integer> fixed = new LinkedHashMap<>();
    for (Set<ColumnUse> one : all) {
      Set<String> here = new LinkedHashSet<>();
      for (ColumnUse use : one) {
        if (use.role() == ColumnRole.EQUALITY || use.role() == ColumnRole.IN) {
          here.add(key(use));
        }
      }
      here.forEach(column -> fixed.merge(column, 1, Integer::sum));
    }
    Set<ColumnUse> result = new LinkedHashSet<>();
    for (Set<ColumnUse> one : all) {
      for (ColumnUse use : one) {
        boolean in = fixed.getOrDefault(key(use), 0) == all.size();
        result.add(
            new ColumnUse(in ? ColumnRole.IN : ColumnRole.FILTER, use.table(), use.column()));
      }
    }
    return result;
  }

  private static String key(ColumnUse use) {
    return use.table().orElse("?") + '.' + use.column();
  }

  /**
   * At the range's own depth; the AND of BETWEEN does not count. The symbol is one token in MariaDB
   * only, where it means the word.
   */
  private List<int[]> split(int from, int to, String word, String symbol) {
    int base = tokens.depth(from);
    boolean and = word.equals("AND");
    List<int[]> parts = new ArrayList<>();
    int start = from;
    int between = 0;
    int cases = 0;
    for (int i = from; i < to; i++) {
      if (tokens.depth(i) != base) {
        continue;
      }
      cases += tokens.is(i, "CASE") ? 1 : tokens.is(i, "END") && cases > 0 ? -1 : 0;
      if (cases > 0) {
        continue;
      }
      if (tokens.is(i, "BETWEEN")) {
        between++;
      }
      boolean mark = tokens.is(i, word) && !tokens.isSymbol(i - 1, ".");
      if (mark && and && between > 0) {
        between--;
      } else if (mark || tokens.isSymbol(i, symbol)) {
        parts.add(new int[] {start, i});
        start = i + 1;
      }
    }
    parts.add(new int[] {start, to});
    return parts;
  }

  private Set<ColumnUse> predicate(int from, int to, Scope scope) {
    if (tokens.is(from, "EXISTS") && tokens.isSymbol(from + 1, "(")) {
      statement.inner(from + 1, to, scope);
      return Set.of();
    }
    int base = tokens.depth(from);
    for (int i = from; i < to; i++) {
      if (tokens.depth(i) != base) {
        continue;
      }
      boolean not = tokens.is(i - 1, "NOT") && i - 1 > from;
      int left = not ? i - 1 : i;
      if (tokens.is(i, "IN") && i > from) {
        return in(from, left, i + 1, not, to, scope);
      }
      if (tokens.is(i, "BETWEEN")) {
        return between(from, left, i + 1, not, to, scope);
      }
      if (isOtherComparison(i)) {
        return others(from, to, scope);
      }
      String operator = operator(i, to);
      if (COMPARISONS.contains(operator)) {
        return comparison(from, i, operator, to, scope);
      }
      if (!operator.isEmpty() && !ARITHMETIC.contains(operator)) {
        return others(from, to, scope);
      }
      i += Math.max(0, lengthInTokens(i, operator) - 1);
    }
    return others(from, to, scope);
  }

  private boolean isOtherComparison(int i) {
    return tokens.is(i, "LIKE")
        || tokens.is(i, "ILIKE")
        || tokens.is(i, "RLIKE")
        || tokens.is(i, "REGEXP")
        || tokens.is(i, "SIMILAR")
        || tokens.is(i, "IS")
        || tokens.is(i, "ISNULL")
        || tokens.is(i, "NOTNULL")
        || tokens.is(i, "CASE");
  }

  /** The operator whose symbols touch each other from a token on; a sign behind it is left out. */
  private String operator(int i, int to) {
    StringBuilder operator = new StringBuilder();
    for (int j = i; j < to && tokens.kind(j) == TokenText.Kind.SYMBOL; j++) {
      String symbol = tokens.text(j);
      boolean touches = j == i || tokens.end(j - 1) == tokens.start(j);
      boolean partOfIt = symbol.chars().allMatch(c -> OPERATOR_CHARS.indexOf(c) >= 0);
      if (!touches || !partOfIt) {
        break;
      }
      boolean sign = symbol.equals("-") || symbol.equals("+");
      if (operator.length() > 0 && sign && COMPARISONS.contains(operator.toString())) {
        break;
      }
      operator.append(symbol);
    }
    return operator.toString();
  }

  private int lengthInTokens(int i, String operator) {
    int length = 0;
    int j = i;
    while (length < operator.length()) {
      length += tokens.text(j++).length();
    }
    return j - i;
  }

  private Set<ColumnUse> comparison(int from, int at, String operator, int to, Scope scope) {
    int right = at + lengthInTokens(at, operator);
    boolean quantified =
        (tokens.is(right, "ANY") || tokens.is(right, "SOME") || tokens.is(right, "ALL"))
            && tokens.isSymbol(right + 1, "(");
    if (quantified) {
      return quantified(from, at, operator, right, to, scope);
    }
    List<int[]> lefts = tuple(from, at);
    List<int[]> rights = tuple(right, to);
    if (lefts.size() > 1 && lefts.size() == rights.size()) {
      Set<ColumnUse> all = new LinkedHashSet<>();
      for (int i = 0; i < lefts.size(); i++) {
        all.addAll(pair(lefts.get(i), rights.get(i), operator, scope));
      }
      return all;
    }
    return pair(new int[] {from, at}, new int[] {right, to}, operator, scope);
  }

  /** The items of {@code (a, b)}, else the range itself. */
  private List<int[]> tuple(int start, int to) {
    int from = tokens.is(start, "ROW") ? start + 1 : start;
    boolean parenthesised =
        from < to
            && tokens.isSymbol(from, "(")
            && tokens.closing(from) == to - 1
            && !statement.isQuery(from + 1);
    return parenthesised ? statement.items(from + 1, to - 1) : List.of(new int[] {start, to});
  }

  private Set<ColumnUse> pair(int[] left, int[] right, String operator, Scope scope) {
    Optional<Column> a = column(left[0], left[1], scope);
    Optional<Column> b = column(right[0], right[1], scope);
    boolean equals = EQUALS.contains(operator);
    if (a.isPresent() && b.isPresent()) {
      boolean join = equals && !a.get().table().equals(b.get().table());
      // The same table twice, under two aliases, is a join, too.
      boolean self = equals && !join && !sameQualifier(left, right);
      ColumnRole role = join || self ? ColumnRole.JOIN : ColumnRole.FILTER;
      return new LinkedHashSet<>(List.of(use(role, a.get()), use(role, b.get())));
    }
    int[] other = a.isPresent() ? right : left;
    Optional<Column> one = a.or(() -> b);
    if (one.isPresent()) {
      if (equals && isQueryAlone(other)) {
        return joinWithQuery(List.of(one.get()), other, scope);
      }
      if (isValue(other[0], other[1], scope)) {
        statement.inner(other[0], other[1], scope);
        ColumnRole role =
            equals
                ? ColumnRole.EQUALITY
                : RANGES.contains(operator) ? ColumnRole.RANGE : ColumnRole.FILTER;
        return Set.of(use(role, one.get()));
      }
    }
    Set<ColumnUse> all = new LinkedHashSet<>(others(left[0], left[1], scope));
    all.addAll(others(right[0], right[1], scope));
    return all;
  }

  private boolean sameQualifier(int[] left, int[] right) {
    return left[1] - left[0] < 3
        || right[1] - right[0] < 3
        || tokens.name(left[0]).equals(tokens.name(right[0]));
  }

  private boolean isQueryAlone(int[] range) {
    return tokens.isSymbol(range[0], "(")
        && tokens.closing(range[0]) == range[1] - 1
        && statement.isQuery(range[0] + 1);
  }

  /** Columns that equal what a query gives. */
  private Set<ColumnUse> joinWithQuery(List<Column> columns, int[] query, Scope scope) {
    StatementReader.Outputs outputs = statement.query(query[0] + 1, query[1] - 1, scope);
    Set<ColumnUse> all = new LinkedHashSet<>();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i) != null) {
        all.add(use(ColumnRole.JOIN, columns.get(i)));
      }
      if (i < outputs.columns().size() && outputs.columns().get(i) != null) {
        all.add(use(ColumnRole.JOIN, outputs.columns().get(i)));
      }
    }
    return all;
  }

  private Set<ColumnUse> quantified(
      int from, int at, String operator, int quantifier, int to, Scope scope) {
    Optional<Column> column = column(from, at, scope);
    boolean any = !tokens.is(quantifier, "ALL") && EQUALS.contains(operator);
    int open = quantifier + 1;
    int close = tokens.closing(open);
    if (column.isPresent() && any) {
      if (statement.isQuery(open + 1)) {
        return joinWithQuery(List.of(column.get()), new int[] {open, close + 1}, scope);
      }
      if (isValue(open + 1, close, scope)) {
        return Set.of(use(ColumnRole.IN, column.get()));
      }
    }
    return others(from, to, scope);
  }

  private Set<ColumnUse> in(int from, int left, int right, boolean not, int to, Scope scope) {
    List<Column> columns = new ArrayList<>();
    boolean plain = true;
    for (int[] item : tuple(from, left)) {
      Column column = column(item[0], item[1], scope).orElse(null);
      columns.add(column);
      plain &= column != null;
    }
    boolean query = tokens.isSymbol(right, "(") && statement.isQuery(right + 1);
    if (query && plain) {
      Set<ColumnUse> joined =
          joinWithQuery(columns, new int[] {right, tokens.closing(right) + 1}, scope);
      return not ? filters(joined) : joined;
    }
    if (plain && isValue(right, to, scope)) {
      Set<ColumnUse> all = new LinkedHashSet<>();
      columns.forEach(c -> all.add(use(not ? ColumnRole.FILTER : ColumnRole.IN, c)));
      return all;
    }
    return others(from, to, scope);
  }

  private Set<ColumnUse> between(int from, int left, int right, boolean not, int to, Scope scope) {
    int and = right;
    while (and < to && !(tokens.is(and, "AND") && tokens.depth(and) == tokens.depth(from))) {
      and++;
    }
    int start = tokens.is(right, "SYMMETRIC") ? right + 1 : right;
    Optional<Column> middle = column(from, left, scope);
    if (not || and >= to) {
      return others(from, to, scope);
    }
    if (middle.isPresent() && isValue(start, and, scope) && isValue(and + 1, to, scope)) {
      statement.inner(start, to, scope);
      return Set.of(use(ColumnRole.RANGE, middle.get()));
    }
    Optional<Column> low = column(start, and, scope);
    Optional<Column> high = column(and + 1, to, scope);
    if (isValue(from, left, scope) && low.isPresent() && high.isPresent()) {
      Set<ColumnUse> bounds = new LinkedHashSet<>();
      bounds.add(use(ColumnRole.RANGE, low.get()));
      bounds.add(use(ColumnRole.RANGE, high.get()));
      return bounds;
    }
    return others(from, to, scope);
  }

  /** All columns of a range as FILTER, and the queries inside of it. */
  private Set<ColumnUse> others(int from, int to, Scope scope) {
    statement.inner(from, to, scope);
    Set<ColumnUse> all = new LinkedHashSet<>();
    for (Optional<Column> column : columnsOf(from, to, scope)) {
      column.ifPresent(found -> all.add(use(ColumnRole.FILTER, found)));
    }
    return all;
  }

  private static ColumnUse use(ColumnRole role, Column column) {
    return new ColumnUse(role, column.table(), column.name());
  }

  // Columns.

  /** The column that a range is, with parentheses around it perhaps; empty for anything else. */
  Optional<Column> column(int start, int end, Scope scope) {
    int from = start;
    int to = end;
    while (to - from >= 3 && tokens.isSymbol(from, "(") && tokens.closing(from) == to - 1) {
      from++;
      to--;
    }
    int length = to - from;
    boolean path = length >= 1 && length % 2 == 1 && length <= 7;
    for (int i = from; path && i < to; i++) {
      path = (i - from) % 2 == 0 ? tokens.isName(i) : tokens.isSymbol(i, ".");
    }
    if (!path || (length == 1 && !isColumnName(from))) {
      return Optional.empty();
    }
    String qualifier = length >= 3 ? tokens.name(to - 3) : null;
    return scope.column(qualifier, tokens.name(to - 1));
  }

  private boolean isColumnName(int i) {
    return tokens.kind(i) == TokenText.Kind.QUOTED
        || (tokens.kind(i) == TokenText.Kind.WORD && !Words.isNoColumn(tokens.text(i)));
  }

  /** True when no column, of a table or of a query, is in the expression. */
  private boolean isValue(int from, int to, Scope scope) {
    return columnsOf(from, to, scope).isEmpty();
  }

  /**
   * Columns anywhere in an expression, but not in its queries; empty ones are columns of queries
   * that are none of a table.
   */
  private List<Optional<Column>> columnsOf(int from, int to, Scope scope) {
    List<Optional<Column>> columns = new ArrayList<>();
    int i = from;
    while (i < to) {
      if (tokens.isSymbol(i, "(") && statement.isQuery(i + 1)) {
        i = tokens.closing(i) + 1;
        continue;
      }
      if (!tokens.isName(i) || isNoColumn(i, from, to)) {
        i++;
        continue;
      }
      int end = i + 1;
      while (tokens.isSymbol(end, ".") && tokens.isName(end + 1)) {
        end += 2;
      }
      if (!tokens.isSymbol(end, "(")) {
        columns.add(column(i, end, scope));
      }
      i = end;
    }
    return columns;
  }

  private boolean isNoColumn(int i, int from, int to) {
    if (tokens.kind(i) == TokenText.Kind.QUOTED) {
      return false;
    }
    boolean marked =
        i > 0
            && tokens.end(i - 1) == tokens.start(i)
            && (tokens.isSymbol(i - 1, ":") || tokens.isSymbol(i - 1, "@"));
    boolean type =
        tokens.isSymbol(i - 1, "::")
            || tokens.is(i - 1, "COLLATE")
            || (tokens.is(i - 1, "AS") && i - 1 > from)
            || isRestOfType(i);
    boolean typeOfLiteral = i + 1 < to && tokens.kind(i + 1) == TokenText.Kind.STRING;
    boolean unit =
        Words.isUnit(tokens.text(i)) && (isBehindInterval(i, from) || tokens.is(i + 1, "FROM"));
    boolean charset = tokens.is(i - 1, "USING");
    boolean partOfAnother = isPartOfAnother(i);
    return !isColumnName(i) || partOfAnother || marked || type || typeOfLiteral || unit || charset;
  }

  /** Words that are no columns beside certain others, and may be columns elsewhere. */
  private boolean isPartOfAnother(int i) {
    return (tokens.is(i, "AT") && tokens.is(i + 1, "TIME"))
        || (tokens.is(i, "ZONE") && tokens.is(i - 1, "TIME"))
        || (tokens.is(i, "ESCAPE") && i > 0)
        || (tokens.is(i, "UNKNOWN") && (tokens.is(i - 1, "IS") || tokens.is(i - 1, "NOT")))
        || (tokens.is(i, "MEMBER") && tokens.is(i + 1, "OF"))
        || (tokens.is(i, "OF") && tokens.is(i - 1, "MEMBER"))
        || (tokens.is(i, "SIMILAR") && tokens.is(i + 1, "TO"))
        || (tokens.is(i, "TO") && tokens.is(i - 1, "SIMILAR"))
        || (tokens.is(i, "SOUNDS") && tokens.is(i + 1, "LIKE"))
        || (tokens.is(i, "BOOLEAN") && tokens.is(i - 1, "IN"))
        || (tokens.is(i, "LANGUAGE") && tokens.is(i - 1, "NATURAL"))
        || (tokens.is(i, "MODE") && (tokens.is(i - 1, "BOOLEAN") || tokens.is(i - 1, "LANGUAGE")))
        || (tokens.is(i, "QUERY") && tokens.is(i + 1, "EXPANSION"))
        || (tokens.is(i, "EXPANSION") && tokens.is(i - 1, "QUERY"))
        || (tokens.is(i, "AGAINST") && tokens.isSymbol(i + 1, "("))
        || (tokens.is(i, "ROW") && tokens.isSymbol(i + 1, "("));
  }

  /** {@code ::timestamp with time zone}, {@code ::double precision}. */
  private boolean isRestOfType(int i) {
    return (tokens.is(i, "TIME") && (tokens.is(i - 1, "WITH") || tokens.is(i - 1, "AT")))
        || tokens.is(i, "PRECISION")
        || tokens.is(i, "VARYING");
  }

  private boolean isBehindInterval(int i, int from) {
    for (int j = i - 1; j >= from && j >= i - 6; j--) {
      if (tokens.is(j, "INTERVAL")) {
        return true;
      }
    }
    return false;
  }
}
