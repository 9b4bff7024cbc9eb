package io.shardwright.advisor.templates;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Statements by which a session of MySQL turns the commit of each statement on or off. */
public final class Autocommit {
  /** Beside other settings perhaps, as drivers write it. */
  private static final Pattern SET =
      Pattern.compile(
          "(?:^\\s*SET\\s|,)\\s*(?:SESSION\\s+|LOCAL\\s+|@@(?:SESSION\\s*\\.|LOCAL\\s*\\.)?\\s*)?"
              + "`?AUTOCOMMIT`?\\s*:?=\\s*['\"]?(0|1|ON|OFF|TRUE|FALSE)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final int CHARS_MAX = 1_000;

  private Autocommit() {}

  /** What the statement sets it to; empty when it does not. */
  public static Optional<Boolean> set(String sql) {
    String text = sql.substring(0, Math.min(CHARS_MAX, sql.length())).stripLeading();
    if (!text.regionMatches(true, 0, "SET", 0, 3)) {
      return Optional.empty();
    }
    Matcher matcher = SET.matcher(text);
    if (!matcher.find()) {
      return Optional.empty();
    }
    String value = matcher.group(1);
    return Optional.of(
        value.equals("1") || value.equalsIgnoreCase("ON") || value.equalsIgnoreCase("TRUE"));
  }
}
