package io.shardwright.cli;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.regex.Pattern;

/**
 * Text that is safe on a terminal and loses nothing: whatever would act on the terminal, change the
 * direction of writing or become a question mark is escaped.
 */
final class Printable {
  private static final Pattern LINE_END = Pattern.compile("\\R");

  private Printable() {}

  /** For messages: line ends stay, other unprintable characters are escaped. */
  static String text(String text, Charset charset) {
    CharsetEncoder encoder = charset.newEncoder();
    StringBuilder printed = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\n' || isPrintable(c, encoder)) {
                printed.appendCodePoint(c);
              } else {
                escape(printed, c);
              }
            });
    return printed.toString();
  }

  /** For one line: a line end in it, of a name or a statement, is a space. */
  static String line(String text, Charset charset) {
    return text(LINE_END.matcher(text).replaceAll(" "), charset);
  }

  /**
   * For a cell of a table: text as it is where it cannot be mistaken; else as a JSON string in
   * double quotes. That is the case for empty text, the text {@code NULL}, text that begins with a
   * double quote or that begins or ends with a space, and for unprintable characters.
   */
  static String cell(String text, Charset charset) {
    CharsetEncoder encoder = charset.newEncoder();
    boolean plain =
        !text.isEmpty()
            && !text.equals("NULL")
            && text.charAt(0) != '"'
            && text.charAt(0) != ' '
            && text.charAt(text.length() - 1) != ' '
            && text.codePoints().allMatch(c -> isPrintable(c, encoder));
    if (plain) {
      return text;
    }
    StringBuilder quoted = new StringBuilder(text.length() + 8).append('"');
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (isPrintable(c, encoder)) {
                quoted.appendCodePoint(c);
              } else {
                escape(quoted, c);
              }
            });
    return quoted.append('"').toString();
  }

  /** Columns that a terminal gives the text: two for East Asian wide characters, none for marks. */
  static int width(String text) {
    return text.codePoints().map(Printable::width).sum();
  }

  private static int width(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (c >= 0x1100 && c <= 0x115F)
            || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F)
            || (c >= 0xAC00 && c <= 0xD7A3)
            || (c >= 0xF900 && c <= 0xFAFF)
            || (c >= 0xFE30 && c <= 0xFE6F)
            || (c >= 0xFF00 && c <= 0xFF60)
            || (c >= 0xFFE0 && c <= 0xFFE6)
            || (c >= 0x1F300 && c <= 0x1FAFF)
            || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
  }

  private static boolean isPrintable(int c, CharsetEncoder encoder) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> encoder.canEncode(Character.toString(c));
    };
  }

  private static void escape(StringBuilder out, int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        for (char unit : Character.toChars(c)) {
          out.append(String.format("\\u%04x", (int) unit));
        }
      }
    }
  }
}
