package io.shardwright.advisor.templates;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFormat.Family;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What statements use, against labels that were written by hand. */
class LabelledStatementsTest {
  private static final String RESOURCE = "/io/shardwright/advisor/labelled-statements.txt";

  private record Label(Family family, String sql, String expected) {}

  @Test
  void everyLabel_isReadExactly() throws IOException {
    List<Label> labels = labels();
    List<String> wrong = new ArrayList<>();
    for (Label label : labels) {
      String found = described(label);
      if (!found.equals(normalised(label.expected()))) {
        wrong.add(
            label.sql() + "\n  expected " + normalised(label.expected()) + "\n  found    " + found);
      }
    }

    assertThat(labels).hasSizeGreaterThanOrEqualTo(100);
    assertThat(labels).extracting(Label::family).contains(Family.MYSQL, Family.POSTGRESQL);
    assertThat(wrong).as(String.join("\n", wrong)).isEmpty();
  }

  private static String described(Label label) {
    try {
      StatementUse use = Templates.use(label.sql(), label.family());
      Set<String> parts =
          use.columns().stream()
              .map(
                  column ->
                      role(column.role())
                          + " "
                          + column.table().orElse("?")
                          + "."
                          + column.column())
              .collect(Collectors.toCollection(TreeSet::new));
      return use.kind()
          + " r="
          + new TreeSet<>(use.reads())
          + " w="
          + new TreeSet<>(use.writes())
          + " "
          + parts;
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private static String role(ColumnRole role) {
    return switch (role) {
      case EQUALITY -> "eq";
      case UPDATE_SET -> "set";
      case INSERT -> "ins";
      default -> role.name().toLowerCase(java.util.Locale.ROOT);
    };
  }

  private static String normalised(String expected) {
    List<String> parts = Arrays.stream(expected.split("\\|", -1)).map(String::strip).toList();
    String[] head = parts.get(0).split(" ", -1);
    return head[0]
        + " r="
        + names(head[1].substring(2))
        + " w="
        + names(head[2].substring(2))
        + " "
        + new TreeSet<>(parts.subList(1, parts.size()));
  }

  private static Set<String> names(String list) {
    return list.isEmpty() ? new TreeSet<>() : new TreeSet<>(Arrays.asList(list.split(",", -1)));
  }

  private static List<Label> labels() throws IOException {
    List<Label> labels = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                LabelledStatementsTest.class.getResourceAsStream(RESOURCE),
                StandardCharsets.UTF_8))) {
      String statement = null;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("= ")) {
          Family family = statement.startsWith("my ") ? Family.MYSQL : Family.POSTGRESQL;
          labels.add(new Label(family, statement.substring(3), line.substring(2)));
        } else if (!line.startsWith("#") && !line.isBlank()) {
          statement = line;
        }
      }
    }
    return labels;
  }
}
