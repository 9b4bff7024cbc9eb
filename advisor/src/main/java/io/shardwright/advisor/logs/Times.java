package io.shardwright.advisor.logs;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Times as logs write them. One file, one thread: zones are looked up once. */
final class Times {
  static final String NO_ZONE = "times without zone, read as UTC";
  private static final String UNKNOWN_ZONE = "times of an unknown zone, read as UTC: ";
  private static final int NANO_DIGITS = 9;
  private static final int OFFSET_CHARS_MAX = 6;

  /** Names of zones that PostgreSQL prints and Java does not know. */
  private static final Map<String, String> ABBREVIATIONS =
      Map.ofEntries(
          Map.entry("CEST", "+02:00"),
          Map.entry("EEST", "+03:00"),
          Map.entry("WEST", "+01:00"),
          Map.entry("BST", "+01:00"),
          Map.entry("MSK", "+03:00"),
          Map.entry("EDT", "-04:00"),
          Map.entry("CST", "-06:00"),
          Map.entry("CDT", "-05:00"),
          Map.entry("MDT", "-06:00"),
          Map.entry("PST", "-08:00"),
          Map.entry("PDT", "-07:00"),
          Map.entry("JST", "+09:00"),
          Map.entry("KST", "+09:00"),
          Map.entry("AEST", "+10:00"),
          Map.entry("AEDT", "+11:00"));

  /** What stands behind a time and is no zone. */
  private static final Set<String> NO_ZONES =
      Set.of("LOG", "INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL");

  private final Tally tally;
  private final Map<String, ZoneId> zones = new HashMap<>();

  Times(Tally tally) {
    this.tally = tally;
  }

  /** The first {@code 2021-12-03 07:14:48.591 UTC} (or with T, Z, an offset, no zone) of a text. */
  Optional<Instant> in(String text) {
    int end = text.length() - 18;
    for (int i = 0; i < end; i++) {
      if (isDateTime(text, i)) {
        return at(text, i);
      }
    }
    return epochIn(text);
  }

  private static boolean isDateTime(String text, int i) {
    return text.charAt(i + 4) == '-'
        && text.charAt(i + 7) == '-'
        && (text.charAt(i + 10) == ' ' || text.charAt(i + 10) == 'T')
        && text.charAt(i + 13) == ':'
        && text.charAt(i + 16) == ':'
        && digits(text, i, 4)
        && digits(text, i + 17, 2);
  }

  /** {@code %n} of PostgreSQL: seconds since 1970 with milliseconds. */
  private static Optional<Instant> epochIn(String text) {
    for (int i = 0; i + 14 <= text.length(); i++) {
      if (text.charAt(i + 10) == '.'
          && digits(text, i, 10)
          && digits(text, i + 11, 3)
          && (i == 0 || !isDigit(text.charAt(i - 1)))) {
        return Optional.of(
            Instant.ofEpochSecond(
                Long.parseLong(text.substring(i, i + 10)), number(text, i + 11, 3) * 1_000_000L));
      }
    }
    return Optional.empty();
  }

  private Optional<Instant> at(String text, int start) {
    int end = start + 19;
    int nanos = 0;
    if (end < text.length() && (text.charAt(end) == '.' || text.charAt(end) == ',')) {
      int from = ++end;
      while (end < text.length() && isDigit(text.charAt(end))) {
        if (end - from < NANO_DIGITS) {
          nanos = nanos * 10 + (text.charAt(end) - '0');
        }
        end++;
      }
      for (int i = end - from; i < NANO_DIGITS; i++) {
        nanos *= 10;
      }
    }
    try {
      LocalDateTime local =
          LocalDateTime.of(
              number(text, start, 4),
              number(text, start + 5, 2),
              number(text, start + 8, 2),
              number(text, start + 11, 2),
              number(text, start + 14, 2),
              Math.min(59, number(text, start + 17, 2)),
              nanos);
      return Optional.of(local.atZone(zone(text, end)).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private ZoneId zone(String text, int at) {
    int start = at < text.length() && text.charAt(at) == ' ' ? at + 1 : at;
    int end = start;
    if (start < text.length() && "+-".indexOf(text.charAt(start)) >= 0) {
      end++;
      while (end < text.length() && (isDigit(text.charAt(end)) || isColonOfOffset(text, end))) {
        end++;
      }
      if (end - start < 3) {
        end = start;
      }
    } else {
      while (end < text.length() && text.charAt(end) >= 'A' && text.charAt(end) <= 'Z') {
        end++;
      }
    }
    String name = text.substring(start, end);
    // A severity, or a name that belongs to what follows.
    boolean none = name.isEmpty() || name.length() > OFFSET_CHARS_MAX || NO_ZONES.contains(name);
    if (none) {
      tally.note(NO_ZONE);
      return ZoneOffset.UTC;
    }
    ZoneId known = zones.get(name);
    if (known == null) {
      known = lookUp(name);
      zones.put(name, known);
    }
    return known;
  }

  private static boolean isColonOfOffset(String text, int at) {
    return text.charAt(at) == ':' && at + 2 < text.length() && digits(text, at + 1, 2);
  }

  private ZoneId lookUp(String name) {
    try {
      return ZoneId.of(ABBREVIATIONS.getOrDefault(name, name));
    } catch (DateTimeException e) {
      tally.note(UNKNOWN_ZONE + name);
      return ZoneOffset.UTC;
    }
  }

  /** {@code 071015 21:43:52}, hours perhaps of one digit, of the server's zone. */
  Optional<Instant> ofShort(String date, String time) {
    if (date.length() != 6 || !digits(date, 0, 6)) {
      return Optional.empty();
    }
    String[] parts = time.split(":", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      tally.note(NO_ZONE);
      int year = number(date, 0, 2);
      return Optional.of(
          LocalDateTime.of(
                  year < 70 ? 2000 + year : 1900 + year,
                  number(date, 2, 2),
                  number(date, 4, 2),
                  Integer.parseInt(parts[0].strip()),
                  Integer.parseInt(parts[1]),
                  Integer.parseInt(parts[2]))
              .toInstant(ZoneOffset.UTC));
    } catch (DateTimeException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Seconds with a fraction; empty for what is none, negative or more than 10 years. */
  static Optional<Duration> seconds(String text) {
    return scaled(text, 1_000_000_000.0);
  }

  static Optional<Duration> millis(String text) {
    return scaled(text, 1_000_000.0);
  }

  static Optional<Duration> picos(String text) {
    return scaled(text, 0.001);
  }

  private static Optional<Duration> scaled(String text, double nanosPerUnit) {
    try {
      double nanos = Double.parseDouble(text.strip()) * nanosPerUnit;
      boolean sane = nanos >= 0 && nanos < 10 * 366 * 86_400e9;
      return sane ? Optional.of(Duration.ofNanos(Math.round(nanos))) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** {@code 00:00:01.25} of the table mysql.slow_log, or seconds. */
  static Optional<Duration> clockOrSeconds(String text) {
    String[] parts = text.strip().split(":", -1);
    if (parts.length != 3) {
      return seconds(text);
    }
    try {
      long hours = Long.parseLong(parts[0]);
      int minutes = Integer.parseInt(parts[1]);
      boolean sane = hours >= 0 && hours < 10 * 366 * 24 && minutes >= 0 && minutes < 60;
      return sane
          ? seconds(parts[2]).map(rest -> rest.plusMinutes(hours * 60 + minutes))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static boolean digits(String text, int from, int count) {
    if (from < 0 || from + count > text.length()) {
      return false;
    }
    for (int i = from; i < from + count; i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      value = value * 10 + (text.charAt(i) - '0');
    }
    return value;
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
