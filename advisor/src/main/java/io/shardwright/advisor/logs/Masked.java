package io.shardwright.advisor.logs;

import java.util.regex.Pattern;

/** Text of unknown form for users who may not see values. */
public final class Masked {
  /** One that is not closed goes to the end; backslashes and doubled quotes stay within. */
  private static final Pattern QUOTED =
      Pattern.compile(
          "'(?:[^'\\\\]|\\\\.|'')*+(?:'|\\\\?$)|\"(?:[^\"\\\\]|\\\\.|\"\")*+(?:\"|\\\\?$)");

  private static final Pattern NUMBER = Pattern.compile("(?<![\\p{L}_])\\d[\\w.:+-]*");
  private static final int CHARS_MAX = 120;

  private Masked() {}

  /** At most {@value #CHARS_MAX} characters of it, strings and numbers as question marks. */
  public static String text(String text) {
    // Longer ones are cut before: what is behind is not shown.
    String begin = text.substring(0, Math.min(text.length(), 10 * CHARS_MAX));
    String masked = QUOTED.matcher(begin.replaceAll("\\s+", " ").strip()).replaceAll("?");
    masked = NUMBER.matcher(masked).replaceAll("?");
    return masked.length() > CHARS_MAX ? masked.substring(0, CHARS_MAX) + "..." : masked;
  }
}
