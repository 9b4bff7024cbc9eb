package io.shardwright.sql;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The name that PostgreSQL gives an output column without alias (FigureColname of its parser): a
 * column's or function's own, seen through casts, parentheses and COLLATE; a type's for a cast
 * constant; else {@code ?column?}. ORDER BY and GROUP BY may mean it.
 */
final class Labels {
  static final String NONE = "?column?";

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("int", "int4"),
          Map.entry("integer", "int4"),
          Map.entry("bigint", "int8"),
          Map.entry("smallint", "int2"),
          Map.entry("real", "float4"),
          Map.entry("double", "float8"),
          Map.entry("decimal", "numeric"),
          Map.entry("boolean", "bool"),
          Map.entry("char", "bpchar"),
          Map.entry("character", "bpchar"));
  private static final Set<String> OPERATORS =
      Set.of(
          "IS",
          "IN",
          "AND",
          "OR",
          "NOT",
          "LIKE",
          "ILIKE",
          "BETWEEN",
          "SIMILAR",
          "ISNULL",
          "NOTNULL",
          "AT",
          "CASE",
          "OVER",
          "FILTER",
          "OVERLAPS");
  private static final Set<String> VALUE_WORDS =
      Set.of(
          "CURRENT_DATE",
          "CURRENT_TIME",
          "CURRENT_TIMESTAMP",
          "LOCALTIME",
          "LOCALTIMESTAMP",
          "CURRENT_USER",
          "CURRENT_ROLE",
          "SESSION_USER",
          "USER",
          "CURRENT_CATALOG",
          "CURRENT_SCHEMA");

  private final SqlTokens tokens;

  Labels(SqlTokens tokens) {
    this.tokens = tokens;
  }

  String of(Range expression) {
    return strong(expression).or(() -> weak(expression)).orElse(NONE);
  }

  /** The name of the column or function that an expression is in the end. */
  private Optional<String> strong(Range written) {
    Range range = written.unwrapped(tokens);
    int last = range.to() - 1;
    if (range.size() == 0) {
      return Optional.empty();
    }
    if (isName(range)) {
      String word = tokens.get(last).keyword();
      if (range.size() == 1 && VALUE_WORDS.contains(word)) {
        return Optional.of(word.toLowerCase(Locale.ROOT));
      }
      boolean literal = range.size() == 1 && Set.of("TRUE", "FALSE", "NULL").contains(word);
      return literal ? Optional.empty() : Optional.of(fold(last));
    }
    if (range.size() > 2 && tokens.isAt(last - 1, "COLLATE")) {
      return strong(new Range(range.from(), last - 1));
    }
    int depth = tokens.get(range.from()).depth();
    for (int i = range.from(); i < range.to(); i++) {
      boolean zone =
          tokens.isAt(i, "AT") && tokens.isAt(i + 1, "TIME") && tokens.isAt(i + 2, "ZONE");
      if (zone && tokens.get(i).depth() == depth) {
        return Optional.of("timezone");
      }
    }
    Optional<Range> cast = castOperand(range);
    if (cast.isPresent()) {
      return strong(cast.get());
    }
    if (tokens.isSymbolAt(last, "]")) {
      int open = last;
      while (!(tokens.isSymbolAt(open, "[") && tokens.closing(open) == last)) {
        open--;
      }
      return open > range.from() ? strong(new Range(range.from(), open)) : Optional.empty();
    }
    if (tokens.isSymbolAt(last - 1, ".") && tokens.isSymbolAt(last - 2, ")")) {
      return Optional.of(fold(last));
    }
    return call(range).or(() -> caseOf(range));
  }

  private boolean isName(Range range) {
    for (int i = range.from(); i < range.to(); i++) {
      boolean name = (i - range.from()) % 2 == 0;
      if (name ? !tokens.get(i).isName() : !tokens.isSymbolAt(i, ".")) {
        return false;
      }
    }
    return range.size() % 2 == 1;
  }

  /** What is cast, when the whole expression is one cast. */
  private Optional<Range> castOperand(Range range) {
    boolean function = tokens.isAt(range.from(), "CAST") && range.isCall(tokens);
    if (function) {
      int as = range.to() - 2;
      while (as > range.from()
          && !(tokens.isAt(as, "AS")
              && tokens.get(as).depth() == tokens.get(range.from()).depth() + 1)) {
        as--;
      }
      return Optional.of(new Range(range.from() + 2, as));
    }
    int depth = tokens.get(range.from()).depth();
    int mark = -1;
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.get(i).depth() == depth && OPERATORS.contains(tokens.get(i).keyword())) {
        return Optional.empty();
      }
      if (tokens.get(i).depth() == depth && tokens.get(i).kind() == SqlTokens.Kind.SYMBOL) {
        if (tokens.isSymbolAt(i, "::")) {
          mark = i;
        } else if (!"().[],".contains(tokens.get(i).text())) {
          return Optional.empty();
        }
      }
    }
    return mark < 0 ? Optional.empty() : Optional.of(new Range(range.from(), mark));
  }

  /** A call that is the whole expression, OVER and FILTER included. */
  private Optional<String> call(Range range) {
    int open = range.from();
    while (open < range.to() && tokens.get(open).isName() && tokens.isSymbolAt(open + 1, ".")) {
      open += 2;
    }
    if (open >= range.to() || !tokens.get(open).isName() || !tokens.isSymbolAt(open + 1, "(")) {
      return tokens.isAt(range.from(), "ARRAY") ? Optional.of("array") : Optional.empty();
    }
    int behind = tokens.closing(open + 1) + 1;
    while (behind < range.to()) {
      boolean suffix =
          tokens.isAt(behind, "OVER")
              || tokens.isAt(behind, "FILTER")
              || tokens.isAt(behind, "WITHIN");
      int next = behind + (tokens.isAt(behind, "WITHIN") ? 2 : 1);
      if (!suffix) {
        return Optional.empty();
      }
      behind = tokens.isSymbolAt(next, "(") ? tokens.closing(next) + 1 : next + 1;
    }
    if (Set.of("NOT", "AND", "OR", "CASE").contains(tokens.get(open).keyword())) {
      return Optional.empty();
    }
    if (tokens.isAt(open, "TRIM")) {
      boolean leading = tokens.isAt(open + 2, "LEADING");
      boolean trailing = tokens.isAt(open + 2, "TRAILING");
      return Optional.of(leading ? "ltrim" : trailing ? "rtrim" : "btrim");
    }
    return Optional.of(fold(open));
  }

  private Optional<String> caseOf(Range range) {
    if (!tokens.isAt(range.from(), "CASE") || !tokens.isAt(range.to() - 1, "END")) {
      return Optional.empty();
    }
    int nesting = 0;
    for (int i = range.to() - 2; i > range.from(); i--) {
      nesting += tokens.isAt(i, "END") ? 1 : tokens.isAt(i, "CASE") ? -1 : 0;
      if (nesting == 0 && tokens.isAt(i, "ELSE")) {
        return Optional.of(strong(new Range(i + 1, range.to() - 1)).orElse("case"));
      }
    }
    return Optional.of("case");
  }

  /** The type's name, for a cast of something without a name and for typed literals. */
  private Optional<String> weak(Range written) {
    Range range = written.unwrapped(tokens);
    if (range.size() == 0) {
      return Optional.empty();
    }
    if (range.size() == 1
        && (tokens.isAt(range.from(), "TRUE") || tokens.isAt(range.from(), "FALSE"))) {
      return Optional.of("bool");
    }
    boolean literal =
        range.size() == 2
            && tokens.get(range.from()).kind() == SqlTokens.Kind.WORD
            && tokens.get(range.from() + 1).kind() == SqlTokens.Kind.STRING;
    if (literal) {
      return Optional.of(type(range.from()));
    }
    return castOperand(range).map(operand -> type(operand.to() + 1));
  }

  private String type(int index) {
    String name = fold(index);
    boolean varying = tokens.isAt(index + 1, "VARYING");
    boolean zone = tokens.isAt(index + 1, "WITH") && Set.of("time", "timestamp").contains(name);
    if (zone) {
      return name.equals("time") ? "timetz" : "timestamptz";
    }
    return varying ? (name.equals("bit") ? "varbit" : "varchar") : TYPES.getOrDefault(name, name);
  }

  private String fold(int index) {
    return tokens.name(index);
  }
}
