package io.shardwright.lookup;

import java.util.List;
import java.util.StringJoiner;

/** Conditions on the order of a key of several columns. */
final class KeyOrder {
  private KeyOrder() {}

  /** {@code a > ? OR a = ? AND b > ?}: not all databases scan a range for (a, b) > (?, ?). */
  static String behind(List<String> columns, List<String> parameters) {
    StringJoiner alternatives = new StringJoiner(" OR ");
    StringBuilder equal = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      alternatives.add(equal + columns.get(i) + " > " + parameters.get(i));
      equal.append(columns.get(i)).append(" = ").append(parameters.get(i)).append(" AND ");
    }
    return alternatives.toString();
  }
}
