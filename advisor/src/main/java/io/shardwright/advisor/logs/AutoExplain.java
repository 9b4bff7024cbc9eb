package io.shardwright.advisor.logs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statement in a plan of auto_explain, as text or JSON.
 *
 * @param parameters of {@code Query Parameters}, which PostgreSQL 16 writes
 */
record AutoExplain(String sql, List<Optional<String>> parameters) {
  private static final String TEXT = "Query Text: ";
  private static final Pattern PARAMETERS = Pattern.compile("\nQuery Parameters: ([^\n]*)");

  /** The first node; all nodes have costs. */
  private static final Pattern NODE = Pattern.compile("\n[^\n]*\\(cost=\\d+\\.\\d+\\.\\.\\d+");

  /**
   * @param plan what is behind {@code plan:}
   * @return empty for XML and YAML
   */
  static Optional<AutoExplain> of(String plan) {
    String text = plan.strip();
    if (text.startsWith("{")) {
      Map<String, Object> document = JsonLines.parse(text);
      return document != null && document.get("Query Text") instanceof String sql
          ? Optional.of(
              new AutoExplain(sql, parameters(String.valueOf(document.get("Query Parameters")))))
          : Optional.empty();
    }
    Matcher node = NODE.matcher(text);
    if (!text.startsWith(TEXT) || !node.find()) {
      return Optional.empty();
    }
    String head = text.substring(TEXT.length(), node.start());
    Matcher parameters = PARAMETERS.matcher(head);
    return parameters.find()
        ? Optional.of(
            new AutoExplain(head.substring(0, parameters.start()), parameters(parameters.group(1))))
        : Optional.of(new AutoExplain(head, List.of()));
  }

  private static List<Optional<String>> parameters(String text) {
    return PostgreSqlSessions.parameters("parameters: " + text);
  }
}
