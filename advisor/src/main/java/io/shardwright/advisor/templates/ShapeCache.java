package io.shardwright.advisor.templates;

import io.shardwright.advisor.logs.LogFormat.Family;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers what was found out of one statement for the next ones that differ in literals only, so
 * that most statements of a log are not cut into tokens.
 *
 * <p>The shape of a text is the text without its numbers and strings. It is told by one pass that
 * knows quotes, comments and digits and nothing else of SQL: statements of one shape are cut into
 * the same tokens but for these literals. Where that is not sure (dialect unknown, strings with a
 * prefix, dollar quotes, comments to the end of a line, comments that the server executes, hints)
 * the text has no shape. Blanks and case are part of it, lists of another length are another shape.
 *
 * <p>At most {@value #SHAPES_MAX} shapes of {@value #CHARS_MAX} characters in all; then it begins
 * anew. Not thread-safe.
 */
public final class ShapeCache<T> {
  private static final int SHAPES_MAX = 20_000;
  private static final int CHARS_MAX = 16 << 20;

  /** Longer texts are bulk writes: their cost is their length, and they would fill the cache. */
  private static final int TEXT_CHARS_MAX = 1 << 16;

  private static final char COMMENT = 1;
  private static final char NUMBER = 2;
  private static final char STRING = 3;

  private static final String HINT = "shardwright";

  private enum Start {
    OTHER,
    WORD,
    DIGIT,
    DOLLAR,
    QUOTE,
    DOUBLE_QUOTE,
    BACKTICK,
    SLASH,
    DASH,
    UNSURE
  }

  private static final Start[] STARTS = new Start[128];

  static {
    for (char c = 0; c < STARTS.length; c++) {
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      STARTS[c] =
          letter
              ? Start.WORD
              : c >= '0' && c <= '9'
                  ? Start.DIGIT
                  : switch (c) {
                    case '$' -> Start.DOLLAR;
                    case '\'' -> Start.QUOTE;
                    case '"' -> Start.DOUBLE_QUOTE;
                    case '`' -> Start.BACKTICK;
                    case '/' -> Start.SLASH;
                    case '-' -> Start.DASH;
                    case '#' -> Start.UNSURE;
                    default -> c < '\t' ? Start.UNSURE : Start.OTHER;
                  };
    }
  }

  private final Map<String, T> known = new HashMap<>();
  private long knownChars;

  // Of the text that was read last.
  private final StringBuilder shape = new StringBuilder(1_024);
  private String text = "";
  private boolean mysql;
  private int copied;
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int literals;

  /**
   * Reads a text.
   *
   * @return what was kept for its shape; null when nothing was, or it has no shape
   */
  public T find(String sql, Family family) {
    text = sql;
    mysql = family == Family.MYSQL;
    shape.setLength(0);
    copied = 0;
    literals = 0;
    boolean sure =
        family != Family.UNKNOWN
            && sql.length() <= TEXT_CHARS_MAX
            && !(mysql && sql.contains("/*!"))
            && scan();
    if (!sure) {
      text = null;
      return null;
    }
    shape.append(sql, copied, sql.length());
    return known.get(shape.toString());
  }

  /** For the text that was read last and those of its shape; without a shape nothing happens. */
  public void keep(T value) {
    if (text == null) {
      return;
    }
    if (known.size() >= SHAPES_MAX || knownChars + shape.length() > CHARS_MAX) {
      known.clear();
      knownChars = 0;
    }
    known.put(shape.toString(), value);
    knownChars += shape.length();
  }

  /** True when the text that was read last has a shape. */
  public boolean hasShape() {
    return text != null;
  }

  /**
   * The number of the literal that lies between two places of the text that was read last.
   *
   * @return -1 when none does: what is there is the same in all texts of the shape
   */
  public int literalWithin(int from, int to) {
    for (int i = 0; i < literals; i++) {
      if (starts[i] >= from && ends[i] <= to) {
        return i;
      }
    }
    return -1;
  }

  /** A literal of the text that was read last, as it is written. */
  public String literal(int number) {
    return text.substring(starts[number], ends[number]);
  }

  private boolean scan() {
    int i = 0;
    int length = text.length();
    while (i < length && i >= 0) {
      char c = text.charAt(i);
      Start start = c < STARTS.length ? STARTS[c] : Start.WORD;
      i =
          switch (start) {
            case OTHER -> i + 1;
            case WORD -> behindWord(i);
            case DIGIT -> number(i);
            case DOLLAR -> mysql ? behindWord(i) : dollar(i);
            case QUOTE -> string(i, c);
            case DOUBLE_QUOTE -> mysql ? string(i, c) : behindName(i, c);
            case BACKTICK -> mysql ? behindName(i, c) : -1;
            case SLASH -> text.startsWith("/*", i) ? comment(i) : i + 1;
            case DASH -> text.startsWith("--", i) ? -1 : i + 1;
            case UNSURE -> -1;
          };
    }
    return i >= 0;
  }

  private int behindWord(int from) {
    int i = from + 1;
    while (i < text.length() && isWordPart(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private static boolean isWordPart(char c) {
    return c >= STARTS.length
        || STARTS[c] == Start.WORD
        || STARTS[c] == Start.DIGIT
        || STARTS[c] == Start.DOLLAR;
  }

  /** Digits with a fraction; a form with more, or what is part of a name, is no literal. */
  private int number(int from) {
    int i = behindDigits(from);
    if (charAt(i) == '.' && isDigit(charAt(i + 1))) {
      i = behindDigits(i + 1);
    }
    boolean plain = charAt(i) != '.' && !isWordPart(charAt(i)) && (from == 0 || before(from));
    if (plain) {
      literal(from, i, NUMBER);
      return i;
    }
    while (i < text.length() && (text.charAt(i) == '.' || isWordPart(text.charAt(i)))) {
      i++;
    }
    return i;
  }

  private boolean before(int from) {
    char c = text.charAt(from - 1);
    return c != '.' && !isWordPart(c);
  }

  private int behindDigits(int from) {
    int i = from;
    while (isDigit(charAt(i))) {
      i++;
    }
    return i;
  }

  /** {@code $1} of PostgreSQL; the tag of a dollar quote is not followed. */
  private int dollar(int from) {
    return isDigit(charAt(from + 1)) ? behindDigits(from + 1) : -1;
  }

  private int string(int open, char quote) {
    boolean prefixed = open > 0 && isWordPart(text.charAt(open - 1));
    boolean adjacent = literals > 0 && isBlank(ends[literals - 1], open);
    if (prefixed || adjacent) {
      return -1;
    }
    int i = open + 1;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\\' && mysql) {
        i += 2;
      } else if (c != quote) {
        i++;
      } else if (charAt(i + 1) == quote) {
        i += 2;
      } else {
        literal(open, i + 1, STRING);
        return i + 1;
      }
    }
    return -1;
  }

  private boolean isBlank(int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) > ' ') {
        return false;
      }
    }
    return true;
  }

  private int behindName(int open, char quote) {
    int close = text.indexOf(quote, open + 1);
    return close < 0 ? -1 : close + 1;
  }

  private int comment(int open) {
    int close = text.indexOf("*/", open + 2);
    int first = open + 2;
    while (charAt(first) <= ' ' && first < text.length()) {
      first++;
    }
    int nested = text.indexOf("/*", open + 2);
    boolean unsure =
        close < 0
            || (nested >= 0 && nested < close)
            || text.startsWith("/*M!", open)
            || text.regionMatches(true, first, HINT, 0, HINT.length());
    if (unsure) {
      return -1;
    }
    shape.append(text, copied, open).append(COMMENT);
    copied = close + 2;
    return copied;
  }

  private void literal(int from, int to, char mark) {
    if (literals == starts.length) {
      starts = Arrays.copyOf(starts, literals * 2);
      ends = Arrays.copyOf(ends, literals * 2);
    }
    starts[literals] = from;
    ends[literals] = to;
    literals++;
    shape.append(text, copied, from).append(mark);
    copied = to;
  }

  private char charAt(int i) {
    return i < text.length() ? text.charAt(i) : '\n';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
