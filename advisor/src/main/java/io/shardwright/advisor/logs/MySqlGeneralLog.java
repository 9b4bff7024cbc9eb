package io.shardwright.advisor.logs;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * General logs of MySQL and MariaDB: {@code time id command argument}. Old servers write the time
 * only when the second changes, new ones on each line. Query and Execute are statements; Prepare is
 * not, its Execute comes with the values.
 */
final class MySqlGeneralLog implements LogParser {
  private static final int SESSIONS_MAX = 10_000;
  private static final String COMMANDS =
      "Query|Execute|Prepare|Connect Out|Connect|Quit|Init DB|Field List|Statistics|Close stmt|"
          + "Reset stmt|Long Data|Fetch|Ping|Change user|Refresh|Shutdown|Processlist|Kill|Debug|"
          + "Time|Delayed insert|Daemon|Binlog Dump GTID|Binlog Dump|Table Dump|"
          + "Register Slave|Register Replica|Set option|Create DB|Drop DB|Sleep|Error|"
          + "Reset Connection|Clone|Bulk Execute|Bulk_execute|Group Replication Data Stream "
          + "subscription";
  private static final Pattern NEW =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+(?:Z|[+-]\\d\\d:\\d\\d)?)\\s+(\\d+) ("
              + COMMANDS
              + ")(?:\\s(.*))?");
  private static final Pattern OLD =
      Pattern.compile(
          "(?:(\\d{6})\\s+(\\d{1,2}:\\d\\d:\\d\\d))?\\s+(\\d+) (" + COMMANDS + ")(?:\\s+(.*))?");
  private static final Pattern CONNECT = Pattern.compile("(\\S*)@\\S* (?:as \\S* )?on (\\S*).*");

  private final Tally tally;
  private final Times times;
  private Draft open;
  private Optional<Instant> last = Optional.empty();

  /** What the lines of a session have said; old sessions are forgotten. */
  private final Map<String, Session> sessions =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
          return size() > SESSIONS_MAX;
        }
      };

  private record Session(Optional<String> user, Optional<String> database) {}

  MySqlGeneralLog(Tally tally) {
    this.tally = tally;
    this.times = new Times(tally);
  }

  static boolean isSign(String line) {
    return mayBegin(line) && (NEW.matcher(line).matches() || OLD.matcher(line).matches());
  }

  /** Cheap, before the patterns. */
  private static boolean mayBegin(String line) {
    return !line.isEmpty() && (line.charAt(0) <= ' ' || Times.isDigit(line.charAt(0)));
  }

  @Override
  public void line(String line) {
    if (mayBegin(line)) {
      Matcher modern = NEW.matcher(line);
      if (modern.matches()) {
        last = times.in(modern.group(1));
        command(modern.group(2), modern.group(3), modern.group(4));
        return;
      }
      Matcher old = OLD.matcher(line);
      if (old.matches()) {
        if (old.group(1) != null) {
          last = times.ofShort(old.group(1), old.group(2));
        }
        command(old.group(3), old.group(4), old.group(5));
        return;
      }
    }
    if (open != null) {
      open.lines++;
      open.nextLine(line);
    } else if (line.isBlank()) {
      tally.skip(Tally.BLANK);
    } else {
      tally.skip(isBanner(line) ? "start banner of the server" : Tally.NOT_UNDERSTOOD);
    }
  }

  private static boolean isBanner(String line) {
    return line.endsWith("started with:")
        || line.startsWith("Tcp port: ")
        || line.startsWith("TCP Port: ")
        || (line.startsWith("Time") && line.endsWith("Argument"));
  }

  private void command(String session, String command, String argumentOrNull) {
    flush();
    String argument = argumentOrNull == null ? "" : argumentOrNull;
    Session known = sessions.getOrDefault(session, new Session(Optional.empty(), Optional.empty()));
    switch (command) {
      case "Query", "Execute" -> {
        open = new Draft(tally.lineNumber());
        open.time = last;
        open.session = Optional.of(session);
        open.user = known.user();
        open.database = known.database();
        open.text(argument);
        return;
      }
      case "Connect" -> {
        Matcher connect = CONNECT.matcher(argument);
        if (connect.matches()) {
          String database = connect.group(2).equals("using") ? "" : connect.group(2);
          sessions.put(session, new Session(Draft.named(connect.group(1)), Draft.named(database)));
        }
      }
      case "Init DB" -> sessions.put(session, new Session(known.user(), Draft.named(argument)));
      case "Quit" -> sessions.remove(session);
      default -> {}
    }
    skipping =
        "command " + command + (command.equals("Prepare") ? " (its Execute is counted)" : "");
    tally.skip(skipping);
    if (command.equals("Prepare")) {
      open = new Draft(tally.lineNumber());
      open.lines = 0;
      prepared = true;
    }
  }

  private String skipping = "";
  private boolean prepared;

  private void flush() {
    if (open != null && prepared) {
      tally.skip(skipping, open.lines, open.line);
    } else if (open != null) {
      open.emit(tally);
      String sql = open.sql();
      if (sql.regionMatches(true, 0, "use ", 0, 4) && open.session.isPresent()) {
        sessions.put(
            open.session.get(),
            new Session(open.user, Draft.named(sql.substring(4).replace("`", ""))));
      }
    }
    open = null;
    prepared = false;
  }

  @Override
  public void end() {
    flush();
  }
}
