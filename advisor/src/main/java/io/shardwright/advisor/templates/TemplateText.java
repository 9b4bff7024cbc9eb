package io.shardwright.advisor.templates;

import io.shardwright.sql.TokenText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The text that executions of one statement share: values become {@code ?}, lists of values and
 * rows {@code (...)}, words of SQL are in capitals, names without needless quotes, blanks single,
 * comments gone. Digests of databases and the statements themselves give the same text. Linear.
 */
final class TemplateText {
  private static final String VALUE = "?";
  private static final String LIST = "(...)";

  private final TokenText tokens;
  private final boolean foldsNames;
  private final List<String> parts;

  private TemplateText(TokenText tokens, boolean foldsNames) {
    this.tokens = tokens;
    this.foldsNames = foldsNames;
    this.parts = new ArrayList<>(tokens.size());
  }

  /**
   * @param foldsNames true when unquoted names are compared without case
   */
  static String of(TokenText tokens, boolean foldsNames) {
    return new TemplateText(tokens, foldsNames).build();
  }

  private String build() {
    int i = 0;
    while (i < tokens.size()) {
      i = add(i);
    }
    return joined();
  }

  /**
   * @return the index behind what was added
   */
  private int add(int i) {
    int value = behindValue(tokens, i);
    if (value > i) {
      addValue();
      return value;
    }
    if (tokens.isSymbol(i, "(") || tokens.isSymbol(i, "[")) {
      int folded = behindList(i);
      if (folded > i) {
        return folded;
      }
    }
    parts.add(part(i));
    return i + 1;
  }

  private void addValue() {
    int last = parts.size() - 1;
    boolean sign = last >= 0 && (parts.get(last).equals("-") || parts.get(last).equals("+"));
    if (sign && (last == 0 || isBeforeOperand(parts.get(last - 1)))) {
      parts.remove(last);
      last--;
    }
    // Adjacent literals are one.
    if (last >= 0 && parts.get(last).equals(VALUE)) {
      return;
    }
    parts.add(VALUE);
  }

  /** True when a sign behind it belongs to the number. */
  private static boolean isBeforeOperand(String part) {
    char c = part.charAt(part.length() - 1);
    return "(,=<>+-*/%[".indexOf(c) >= 0 || (Words.isKeyword(part) && !part.equals("END"));
  }

  /** Behind the value that begins at a token; the same index when none does. */
  static int behindValue(TokenText tokens, int i) {
    switch (tokens.kind(i)) {
      case STRING, NUMBER, PARAMETER -> {
        return i + 1;
      }
      case WORD -> {
        boolean constant = tokens.is(i, "NULL") || tokens.is(i, "TRUE") || tokens.is(i, "FALSE");
        boolean tested = tokens.is(i - 1, "IS") || tokens.is(i - 1, "NOT");
        return constant && !tested && !tokens.isSymbol(i - 1, ".") ? i + 1 : i;
      }
      case SYMBOL -> {
        return behindMark(tokens, i);
      }
      case QUOTED -> {
        return i;
      }
    }
    return i;
  }

  /** {@code $1}, {@code :name}, and the dots of a digest. */
  private static int behindMark(TokenText tokens, int i) {
    boolean touches = i + 1 < tokens.size() && tokens.start(i + 1) == tokens.end(i);
    if (touches && tokens.isSymbol(i, "$") && tokens.kind(i + 1) == TokenText.Kind.NUMBER) {
      return i + 2;
    }
    boolean alone = i == 0 || tokens.end(i - 1) != tokens.start(i) || !tokens.isName(i - 1);
    if (touches && alone && tokens.isSymbol(i, ":") && tokens.kind(i + 1) == TokenText.Kind.WORD) {
      return i + 2;
    }
    boolean dots =
        tokens.isSymbol(i, ".") && tokens.isSymbol(i + 1, ".") && tokens.isSymbol(i + 2, ".");
    return dots ? i + 3 : i;
  }

  /** Lists of values behind IN, VALUES and ARRAY, which may have any length. */
  private int behindList(int open) {
    boolean in = tokens.is(open - 1, "IN");
    boolean array = tokens.isSymbol(open, "[") && tokens.is(open - 1, "ARRAY");
    boolean rows = tokens.is(open - 1, "VALUES") || tokens.is(open - 1, "VALUE");
    if (!in && !array && !rows) {
      return open;
    }
    int close = tokens.closing(open);
    boolean values = holdsValuesOnly(open + 1, close);
    if (values) {
      parts.add(LIST);
    } else if (rows) {
      parts.add("(");
      int i = open + 1;
      while (i < close) {
        i = add(i);
      }
      parts.add(")");
    } else {
      return open;
    }
    return rows ? behindRows(close + 1) : close + 1;
  }

  /** Further rows stand for themselves in the first. */
  private int behindRows(int start) {
    int i = start;
    while (tokens.isSymbol(i, ",") && tokens.isSymbol(i + 1, "(")) {
      i = tokens.closing(i + 1) + 1;
    }
    return i;
  }

  private boolean holdsValuesOnly(int from, int to) {
    if (from == to) {
      return false;
    }
    int i = from;
    while (i < to) {
      int value = behindValue(tokens, i);
      boolean sign = tokens.isSymbol(i, "-") || tokens.isSymbol(i, "+");
      boolean between =
          tokens.isSymbol(i, ",") || tokens.isSymbol(i, "(") || tokens.isSymbol(i, ")") || sign;
      if (value == i && !between) {
        return false;
      }
      i = Math.max(value, i + 1);
    }
    return true;
  }

  private String part(int i) {
    String text = tokens.text(i);
    return switch (tokens.kind(i)) {
      case WORD -> word(i, text);
      case QUOTED -> quoted(text);
      default -> text;
    };
  }

  private String word(int i, String text) {
    String capitals = Words.capitals(text);
    if (capitals != null && !tokens.isSymbol(i - 1, ".")) {
      return capitals;
    }
    boolean function =
        tokens.isSymbol(i + 1, "(") && !tokens.is(i - 1, "INTO") && !tokens.is(i - 1, "TABLE");
    return foldsNames || function ? text.toLowerCase(Locale.ROOT) : text;
  }

  /** Without quotes where the name means the same without them. */
  private String quoted(String text) {
    String name = text.substring(1, text.length() - 1);
    boolean plain = isPlain(name) && !Words.isKeyword(name);
    boolean lower = name.equals(name.toLowerCase(Locale.ROOT));
    return plain && (lower || !foldsNames) ? name : text;
  }

  private static boolean isPlain(String name) {
    boolean plain = !name.isEmpty() && !Character.isDigit(name.charAt(0));
    for (int i = 0; plain && i < name.length(); i++) {
      char c = name.charAt(i);
      plain = c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }
    return plain;
  }

  private String joined() {
    StringBuilder out = new StringBuilder(parts.size() * 6);
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (i > 0 && wantsBlank(parts.get(i - 1), part)) {
        out.append(' ');
      }
      out.append(part);
    }
    return out.toString();
  }

  private static boolean wantsBlank(String before, String part) {
    if (before.equals("(") || before.equals(".") || before.equals("[") || before.equals("::")) {
      return false;
    }
    if (part.equals(LIST)) {
      return !before.equals("ARRAY");
    }
    if (part.equals("(")) {
      char last = before.charAt(before.length() - 1);
      boolean name = Character.isLetterOrDigit(last) || last == '_' || last == '`' || last == '"';
      return !name || Words.isKeyword(before);
    }
    boolean sticks =
        part.equals(",")
            || part.equals(")")
            || part.equals(".")
            || part.equals("]")
            || part.equals("::")
            || part.equals("[");
    boolean operator = isOperator(before) && isOperator(part);
    return !sticks && !operator;
  }

  private static boolean isOperator(String part) {
    return part.length() == 1 && "<>=!|&~@#-+*/%^:".indexOf(part.charAt(0)) >= 0;
  }
}
