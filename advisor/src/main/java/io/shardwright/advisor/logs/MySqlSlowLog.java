package io.shardwright.advisor.logs;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Slow logs of MySQL 5.0 to 8.x, Percona Server and MariaDB: lines of {@code #} before each
 * statement, whose names and order differ by version, then {@code use}, {@code SET timestamp} and
 * the statement itself, over any number of lines. A sampled log ({@code Log_slow_rate_limit: N},
 * type query) stands for N times as many statements.
 */
final class MySqlSlowLog implements LogParser {
  private static final String BANNER = "start banner of the server";
  private static final String ADMINISTRATOR = "administrator commands";
  private static final String NO_START = "rest of an entry that began before the file";

  /** The end of the year 9999: a later time is none. */
  private static final long EPOCH_SECONDS_MAX = 253_402_300_799L;

  /** Servers sample up to one of some thousands; more would overflow sums. */
  private static final long RATE_MAX = 1_000_000;

  private final Tally tally;
  private final Times times;
  private Draft entry;
  private boolean inHeader;
  private boolean inStatement;
  private boolean administrator;
  private String use = "";
  private Optional<Instant> headerTime = Optional.empty();
  private Optional<Instant> timestamp = Optional.empty();
  private long rate = 1;
  private boolean ofSessions;
  private boolean userSeen;

  /** The database of the last {@code use}; the server writes it when it changed. */
  private Optional<String> database = Optional.empty();

  MySqlSlowLog(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
  }

  static boolean isSign(String line) {
    return line.startsWith("# User@Host:") || line.startsWith("# Query_time:");
  }

  @Override
  public void line(String line) {
    if (line.startsWith("#") && isHeader(line)) {
      header(line);
    } else if (isBanner(line)) {
      flush();
      tally.skip(BANNER);
    } else if (entry == null) {
      tally.skip(line.isBlank() ? Tally.BLANK : line.startsWith("#") ? NO_START : reason(line));
    } else {
      entry.lines++;
      body(line);
    }
  }

  private static String reason(String line) {
    String lower = line.toLowerCase(Locale.ROOT);
    return lower.startsWith("set timestamp=") ? NO_START : Tally.NOT_UNDERSTOOD;
  }

  /** SQL may have lines that begin with #, too. */
  private boolean isHeader(String line) {
    return line.startsWith("# Time: ")
        || line.startsWith("# User@Host: ")
        || line.startsWith("# Query_time: ")
        || line.startsWith("# Thread_id: ")
        || line.startsWith("# Schema: ")
        || (entry != null && inHeader);
  }

  private static boolean isBanner(String line) {
    return (line.endsWith("started with:") && line.contains(", Version: "))
        || (line.startsWith("Tcp port: ") && line.contains("Unix socket: "))
        || line.startsWith("TCP Port: ")
        || (line.startsWith("Time") && line.contains("Command") && line.endsWith("Argument"));
  }

  private void header(String line) {
    boolean begins =
        line.startsWith("# Time: ")
            || (line.startsWith("# User@Host: ") && (!inHeader || userSeen));
    if (entry == null || begins || !inHeader) {
      flush();
      entry = new Draft(tally.lineNumber());
      inHeader = true;
      userSeen = false;
    } else {
      entry.lines++;
    }
    if (line.startsWith("# administrator command:")) {
      administrator = true;
      inHeader = false;
      return;
    }
    String rest = line;
    if (rest.startsWith("# Time: ")) {
      int second = rest.indexOf("# User@Host:", 8);
      time(rest.substring(8, second < 0 ? rest.length() : second).strip());
      rest = second < 0 ? "" : rest.substring(second);
    }
    if (rest.startsWith("# User@Host: ")) {
      userSeen = true;
      user(rest);
    }
    fields(rest);
  }

  private void time(String text) {
    headerTime = times.in(text);
    if (headerTime.isEmpty()) {
      int blank = text.indexOf(' ');
      headerTime =
          blank < 0
              ? Optional.empty()
              : times.ofShort(text.substring(0, blank), text.substring(blank + 1).strip());
    }
  }

  private void user(String line) {
    String text = line.substring("# User@Host: ".length());
    int bracket = text.indexOf('[');
    int close = text.indexOf(']');
    if (bracket >= 0 && close > bracket) {
      String name = text.substring(bracket + 1, close);
      entry.user = Draft.named(name.isEmpty() ? text.substring(0, bracket) : name);
    }
  }

  /** {@code Name: value} pairs. */
  private void fields(String line) {
    int at = 0;
    while (true) {
      int colon = line.indexOf(": ", at);
      if (colon < 0) {
        return;
      }
      int nameStart = line.lastIndexOf(' ', colon) + 1;
      int valueStart = colon + 2;
      while (valueStart < line.length() && line.charAt(valueStart) == ' ') {
        valueStart++;
      }
      int valueEnd = line.indexOf(' ', valueStart);
      valueEnd = valueEnd < 0 ? line.length() : valueEnd;
      String value = line.substring(valueStart, valueEnd);
      // An empty value: what follows is the next name.
      if (value.endsWith(":")) {
        at = valueStart;
        continue;
      }
      field(line.substring(nameStart, colon), value);
      at = Math.max(colon + 2, valueEnd);
    }
  }

  private void field(String name, String value) {
    switch (name) {
      case "Id", "Thread_id" -> entry.session = Draft.named(value);
      case "Schema" -> {
        entry.database = Draft.named(value);
        if (entry.database.isPresent()) {
          database = entry.database;
        }
      }
      case "Query_time" -> entry.duration = Times.seconds(value);
      case "Lock_time" -> entry.lockTime = Times.seconds(value);
      case "Rows_sent" -> entry.rowsSent = whole(value);
      case "Rows_examined" -> entry.rowsExamined = whole(value);
      case "Rows_affected" -> entry.rowsAffected = whole(value);
      case "InnoDB_trx_id" -> entry.transaction = Draft.named(value);
      case "Log_slow_rate_type" -> ofSessions = value.equals("session");
      case "Log_slow_rate_limit" -> rate = ofSessions ? 1 : rate(value);
      default -> {}
    }
  }

  private long rate(String value) {
    long limit = whole(value).orElse(RATE_MAX + 1);
    if (limit > RATE_MAX) {
      tally.note("rates of sampling that are not believed, statements counted once");
      return 1;
    }
    return limit;
  }

  static OptionalLong whole(String value) {
    try {
      long number = Long.parseLong(value.strip());
      return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private void body(String line) {
    inHeader = false;
    if (line.startsWith("# administrator command:")) {
      administrator = true;
      return;
    }
    if (!inStatement && isPreamble(line)) {
      return;
    }
    if (!inStatement && line.isBlank()) {
      return;
    }
    inStatement = true;
    entry.nextLine(line);
  }

  /** The server's own lines before the statement. */
  private boolean isPreamble(String line) {
    if (line.regionMatches(true, 0, "use ", 0, 4) && line.endsWith(";") && use.isEmpty()) {
      use = line;
      database = Draft.named(line.substring(4, line.length() - 1).replace("`", ""));
      return true;
    }
    int at = line.indexOf("timestamp=");
    if (line.regionMatches(true, 0, "SET ", 0, 4)
        && line.endsWith(";")
        && (at == 4 || line.startsWith("last_insert_id=", 4) || line.startsWith("insert_id=", 4))) {
      if (at > 0) {
        String digits = line.substring(at + 10, line.length() - 1);
        timestamp = epoch(digits);
      }
      return true;
    }
    return false;
  }

  private static Optional<Instant> epoch(String digits) {
    OptionalLong seconds = whole(digits);
    return seconds.isPresent() && seconds.getAsLong() <= EPOCH_SECONDS_MAX
        ? Optional.of(Instant.ofEpochSecond(seconds.getAsLong()))
        : Optional.empty();
  }

  private void flush() {
    if (entry == null) {
      return;
    }
    if (administrator) {
      tally.skip(ADMINISTRATOR, entry.lines, entry.line);
    } else {
      if (!entry.hasText()) {
        entry.text(use);
      }
      // The header's time is finer, unless it has no zone and the epoch is there.
      entry.time =
          timestamp.isEmpty() || headerTime.filter(MySqlSlowLog::isFine).isPresent()
              ? headerTime
              : timestamp;
      if (entry.database.isEmpty()) {
        entry.database = database;
      }
      sampled();
      entry.emit(tally);
    }
    // A time holds until the next one: old servers write it when the second changes.
    entry = null;
    inHeader = false;
    inStatement = false;
    administrator = false;
    use = "";
    timestamp = Optional.empty();
    rate = 1;
    ofSessions = false;
  }

  private static boolean isFine(Instant time) {
    return !time.equals(time.truncatedTo(ChronoUnit.SECONDS));
  }

  private void sampled() {
    if (rate <= 1) {
      return;
    }
    entry.count = rate;
    entry.duration = entry.duration.map(time -> time.multipliedBy(rate));
    entry.lockTime = entry.lockTime.map(time -> time.multipliedBy(rate));
    entry.rowsSent = times(entry.rowsSent);
    entry.rowsExamined = times(entry.rowsExamined);
    entry.rowsAffected = times(entry.rowsAffected);
    tally.note("statements of a sampled log, counted by its rate");
  }

  private OptionalLong times(OptionalLong rows) {
    return rows.isPresent() && rows.getAsLong() <= Long.MAX_VALUE / rate
        ? OptionalLong.of(rows.getAsLong() * rate)
        : OptionalLong.empty();
  }

  @Override
  public void end() {
    flush();
  }
}
