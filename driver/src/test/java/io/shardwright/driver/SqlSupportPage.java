package io.shardwright.driver;

import io.shardwright.driver.CorpusStatement.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes docs/sql-support.md from the statements of the corpus that ran. */
final class SqlSupportPage {
  private static final int EXAMPLE_MAX = 110;
  private static final List<Reach> REACHES =
      List.of(Reach.ONE_SHARD, Reach.NAMED_SHARDS, Reach.ALL_SHARDS);

  private final List<CorpusStatement> statements;
  private final StringBuilder page = new StringBuilder();

  private SqlSupportPage(List<CorpusStatement> statements) {
    this.statements = statements;
  }

  static String of(List<CorpusStatement> statements) {
    return new SqlSupportPage(statements).write();
  }

  private String write() {
    long refused = statements.stream().filter(s -> s.expected().isRefused()).count();
    page.append(
        """
        # SQL, construct by construct

        Written from the statements in `driver/src/test/resources/corpus`; do not edit. Each of them runs in every build on
        four shards through the driver and on one PostgreSQL 17 with the same rows, and both answers are equal: rows, order,
        columns, update counts, keys, warnings, the database's own errors. What the driver refuses, it refuses with the code
        named ([errors.md](errors.md)), before anything is sent. The rules behind the tables are in [sql.md](sql.md).

        "One shard": the key is given. "Named shards": several keys are given, on several shards. "All shards": no key. A
        dash means that the corpus has no such statement. "Part" beside a code: some forms run, others are refused; the
        example shows one of those. Statements for all shards run here by the policy `scatter: {reads: allow}`; what the
        policies do is in [configuration.md](configuration.md).

        """);
    page.append("%d statements, of which %d are refused.\n".formatted(statements.size(), refused));
    by(statements, CorpusStatement::family).forEach(this::family);
    return page.toString();
  }

  private void family(String name, List<CorpusStatement> members) {
    page.append("\n## ").append(name).append("\n\n");
    boolean others = members.stream().anyMatch(s -> isOther(s.wanted().reach()));
    page.append("| construct | one shard | named shards | all shards | ");
    page.append(others ? "other | " : "").append("example |\n");
    page.append(others ? "|---|---|---|---|---|---|\n" : "|---|---|---|---|---|\n");
    by(members, CorpusStatement::construct)
        .forEach(
            (construct, some) -> {
              List<String> cells = new ArrayList<>(List.of(construct));
              REACHES.forEach(reach -> cells.add(cell(reach, some)));
              if (others) {
                cells.add(others(some));
              }
              cells.add(example(some));
              page.append("| ").append(String.join(" | ", cells)).append(" |\n");
            });
  }

  private static boolean isOther(Reach reach) {
    return !REACHES.contains(reach);
  }

  private static String cell(Reach reach, List<CorpusStatement> construct) {
    List<CorpusStatement> wanted =
        construct.stream().filter(s -> s.wanted().reach() == reach).toList();
    if (wanted.isEmpty()) {
      return "-";
    }
    boolean runs = wanted.stream().anyMatch(s -> !s.expected().isRefused());
    List<String> words = new ArrayList<>(codes(wanted));
    if (runs) {
      words.add(0, words.isEmpty() ? "yes" : "part");
    }
    boolean wider =
        wanted.stream()
            .map(s -> s.expected().reach())
            .anyMatch(sent -> REACHES.indexOf(sent) > REACHES.indexOf(reach));
    return String.join(", ", words) + (wider ? ", sent to more shards" : "");
  }

  private static List<String> codes(List<CorpusStatement> statements) {
    return statements.stream()
        .filter(s -> s.expected().isRefused())
        .map(s -> s.expected().code())
        .distinct()
        .sorted()
        .toList();
  }

  /** What is refused by rule wherever it goes, and statements on tables that are not sharded. */
  private static String others(List<CorpusStatement> construct) {
    List<CorpusStatement> others =
        construct.stream().filter(s -> isOther(s.wanted().reach())).toList();
    List<String> words = new ArrayList<>();
    Arrays.stream(Reach.values())
        .filter(reach -> reach != Reach.NOWHERE)
        .filter(reach -> others.stream().anyMatch(s -> s.expected().reach() == reach))
        .forEach(reach -> words.add(reach.word()));
    words.addAll(codes(others));
    return words.isEmpty() ? "-" : String.join(", ", words);
  }

  private static String example(List<CorpusStatement> construct) {
    Optional<CorpusStatement> runs =
        construct.stream().filter(s -> !s.expected().isRefused()).findFirst();
    Optional<CorpusStatement> refused =
        construct.stream().filter(s -> s.expected().isRefused()).findFirst();
    List<String> examples = new ArrayList<>();
    runs.ifPresent(s -> examples.add(code(s.sql())));
    refused.ifPresent(s -> examples.add(s.expected().code() + ": " + code(s.sql())));
    return String.join("<br>", examples);
  }

  private static String code(String sql) {
    String line = sql.replaceAll("\\s+", " ");
    String cut = line.length() <= EXAMPLE_MAX ? line : line.substring(0, EXAMPLE_MAX - 3) + "...";
    return "`" + cut.replace("|", "\\|") + "`";
  }

  private static Map<String, List<CorpusStatement>> by(
      List<CorpusStatement> statements,
      java.util.function.Function<CorpusStatement, String> property) {
    return statements.stream()
        .collect(Collectors.groupingBy(property, LinkedHashMap::new, Collectors.toList()));
  }
}
