package io.shardwright.advisor.logs;

import io.shardwright.advisor.logs.LogFile.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The format of a file, told from its first lines: the first format of which a line has the sign.
 * The order matters, since statements may quote lines of other logs: formats whose sign is strict
 * come first, plain SQL last.
 *
 * @param wrapped true when each line is to be taken out of what a transport put around it
 * @param sample the first lines, unwrapped
 */
record Detection(Optional<LogFormat> format, boolean wrapped, List<String> sample) {
  static Detection of(List<String> lines) {
    Optional<LogFormat> documents = ofDocuments(lines);
    if (documents.isPresent()) {
      return new Detection(documents, false, lines);
    }
    Optional<LogFormat> plain = ofLines(lines);
    if (plain.isPresent()
        && plain.get() != LogFormat.POSTGRESQL_STDERR
        && plain.get() != LogFormat.SQL_SCRIPT) {
      return new Detection(plain, false, lines);
    }
    List<String> inner = new ArrayList<>();
    Unwrapper unwrapper = new Unwrapper();
    boolean wrapped = false;
    for (String line : lines) {
      for (Unwrapper.Inner found : unwrapper.lines(line)) {
        inner.add(found.text());
        wrapped |= !found.text().equals(line);
      }
    }
    return wrapped
        ? new Detection(ofLines(inner), true, inner)
        : new Detection(plain, false, lines);
  }

  private static Optional<LogFormat> ofDocuments(List<String> lines) {
    for (String line : lines) {
      if (!line.startsWith("{")) {
        continue;
      }
      Map<String, Object> document = JsonLines.parse(line);
      if (document == null) {
        continue;
      }
      if (PostgreSqlJson.isSign(document)) {
        return Optional.of(LogFormat.POSTGRESQL_JSON);
      }
      if (VtgateLog.isSign(document)) {
        return Optional.of(LogFormat.VTGATE);
      }
    }
    return Optional.empty();
  }

  private static Optional<LogFormat> ofLines(List<String> lines) {
    Optional<LogFormat> table = ofHeader(lines);
    if (table.isPresent()) {
      return table;
    }
    for (String line : lines) {
      Optional<LogFormat> format =
          MySqlSlowLog.isSign(line) || line.startsWith("# Time: ")
              ? Optional.of(LogFormat.MYSQL_SLOW)
              : ShardingSphereLog.isSign(line)
                  ? Optional.of(LogFormat.SHARDINGSPHERE)
                  : VtgateLog.isSign(line)
                      ? Optional.of(LogFormat.VTGATE)
                      : PostgreSqlCsv.isSign(line)
                          ? Optional.of(LogFormat.POSTGRESQL_CSV)
                          : MySqlGeneralLog.isSign(line)
                              ? Optional.of(LogFormat.MYSQL_GENERAL)
                              : Optional.empty();
      if (format.isPresent()) {
        return format;
      }
    }
    Optional<String> first = lines.stream().filter(line -> !SqlScript.isNeutral(line)).findFirst();
    if (first.isPresent() && SqlScript.isSign(first.get())) {
      return Optional.of(LogFormat.SQL_SCRIPT);
    }
    return lines.stream().anyMatch(PostgreSqlLog::isSign)
        ? Optional.of(LogFormat.POSTGRESQL_STDERR)
        : Optional.empty();
  }

  private static Optional<LogFormat> ofHeader(List<String> lines) {
    for (String line : lines) {
      if (!line.isBlank()) {
        return line.indexOf(',') < 0 && line.indexOf('\t') < 0 && line.indexOf(';') < 0
            ? Optional.empty()
            : StatementTable.formatOf(StatementTable.namesOfCsv(line));
      }
    }
    return Optional.empty();
  }

  /** The line that no format has. */
  Refusal refusal(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        return new Refusal(
            i + 1,
            lines.get(i),
            "no line of the first " + lines.size() + " begins a statement of a known format");
      }
    }
    return new Refusal(0, "", "the file has no line");
  }
}
