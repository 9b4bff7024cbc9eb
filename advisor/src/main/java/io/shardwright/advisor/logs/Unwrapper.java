package io.shardwright.advisor.logs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes log lines out of what transports put around them: syslog, Heroku's logplex, containers
 * (CRI), and JSON documents of Docker and of clouds, with the line in {@code textPayload}, {@code
 * log} or {@code message}. A line without wrapping stays as it is.
 */
final class Unwrapper {
  private static final Pattern SYSLOG =
      Pattern.compile(
          "(?:<\\d+>\\d* ?)?(?:[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|(\\d{4}-\\d\\d-\\d\\dT\\S+))"
              + " (?:\\S+ )?[\\w./-]+\\[(?:\\w+\\.)?(\\d+)\\]:? (.*)",
          Pattern.DOTALL);

  /** {@code [7-2] }: message and part; other brackets may be in front. */
  private static final Pattern PART =
      Pattern.compile("((?:\\[[A-Z]+\\] )?)\\[\\d+-(\\d+)\\] ?(.*)", Pattern.DOTALL);

  private static final Pattern CRI =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\S+) (?:stdout|stderr) ([FP]) (.*)", Pattern.DOTALL);
  private static final List<String> TEXTS =
      List.of("textPayload", "log", "message", "@message", "msg", "line", "body");
  private static final List<String> TIMES = List.of("timestamp", "@timestamp", "time");

  /**
   * A line as the database wrote it.
   *
   * @param session process of the database, where the transport names it; else empty
   * @param continued true for a further part of the session's message
   * @param time of the transport, empty without
   */
  record Inner(String text, String session, boolean continued, String time) {}

  private final StringBuilder partial = new StringBuilder();

  /** The lines within one line; none for the first parts of a line that was cut. */
  List<Inner> lines(String line) {
    if (line.startsWith("{")) {
      Map<String, Object> document = JsonLines.parse(line);
      return document == null ? List.of(plain(line)) : ofJson(document, line);
    }
    Matcher cri = CRI.matcher(line);
    if (cri.matches()) {
      partial.append(cri.group(3));
      if (cri.group(2).equals("P") && partial.length() < Draft.SQL_CHARS_MAX) {
        return List.of();
      }
      String whole = partial.toString();
      partial.setLength(0);
      return List.of(new Inner(whole, "", false, ""));
    }
    Matcher syslog = SYSLOG.matcher(line);
    if (syslog.matches()) {
      return List.of(ofSyslog(syslog));
    }
    return List.of(plain(line));
  }

  private static Inner plain(String line) {
    return new Inner(line, "", false, "");
  }

  private static Inner ofSyslog(Matcher syslog) {
    String time = syslog.group(1) == null ? "" : syslog.group(1);
    String text = syslog.group(3).replace("#011", "\t");
    Matcher part = PART.matcher(text);
    if (!part.matches()) {
      return new Inner(text, syslog.group(2), false, time);
    }
    boolean continued = !part.group(2).equals("1");
    return new Inner(part.group(3), syslog.group(2), continued, time);
  }

  private static List<Inner> ofJson(Map<String, Object> document, String line) {
    String text = text(document);
    if (text == null && document.get("properties") instanceof Map<?, ?> properties) {
      text = properties.get("message") instanceof String inner ? inner : null;
    }
    if (text == null) {
      return List.of(plain(line));
    }
    String time = "";
    for (String key : TIMES) {
      if (document.get(key) instanceof String found) {
        time = found;
        break;
      }
    }
    List<Inner> inner = new ArrayList<>();
    String whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    for (String part : whole.split("\n", -1)) {
      inner.add(new Inner(part, "", !inner.isEmpty() && part.startsWith("\t"), time));
    }
    return inner;
  }

  private static String text(Map<String, Object> document) {
    for (String key : TEXTS) {
      if (document.get(key) instanceof String found) {
        return found;
      }
    }
    return null;
  }
}
