package io.shardwright.driver;

import io.shardwright.driver.CorpusStatement.Reach;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes docs/sql-support.md from the statements of the corpus that ran. */
final class SqlSupportPage {
  private static final int EXAMPLE_MAX = 110;
  private static final List<Reach> REACHES =
      List.of(Reach.ONE_SHARD, Reach.NAMED_SHARDS, Reach.ALL_SHARDS);
  private static final String NONE = "-";

  private final StringBuilder page = new StringBuilder();

  /** The statements of one construct, on each database. */
  private record Construct(List<CorpusStatement> postgres, List<CorpusStatement> mariadb) {
    /** What both say, or what each says. */
    String both(Function<List<CorpusStatement>, String> cell) {
      String one = cell.apply(postgres);
      String other = cell.apply(mariadb);
      if (postgres.isEmpty() || mariadb.isEmpty() || one.equals(other)) {
        return postgres.isEmpty() ? other : one;
      }
      if (one.equals(NONE) || other.equals(NONE)) {
        return one.equals(NONE) ? other + " (MariaDB)" : one + " (PostgreSQL)";
      }
      return one + "; MariaDB: " + other;
    }

    Stream<CorpusStatement> all() {
      return Stream.concat(postgres.stream(), mariadb.stream());
    }
  }

  static String of(List<CorpusStatement> postgres, List<CorpusStatement> mariadb) {
    return new SqlSupportPage().write(postgres, mariadb);
  }

  private String write(List<CorpusStatement> postgres, List<CorpusStatement> mariadb) {
    page.append(
        """
        # SQL, construct by construct

        Written from the statements in `driver/src/test/resources/corpus`; do not edit. Each of them runs in every build on
        four shards through the driver and on one database with the same rows, PostgreSQL 17 or MariaDB 11.4, and both answers
        are equal: rows, order, columns, update counts, keys, warnings, the database's own errors. What the driver refuses, it
        refuses with the code named ([errors.md](errors.md)), before anything is changed. The rules behind the tables are in
        [sql.md](sql.md).

        "One shard": the key is given. "Named shards": several keys are given, on several shards. "All shards": no key. A
        dash means that the corpus has no such statement. "Part" beside a code: some forms run, others are refused; the
        example shows one of those. Statements for all shards run here by the policy `scatter: {reads: allow}`; what the
        policies do is in [configuration.md](configuration.md).

        On MariaDB not compared: warnings of statements over several shards, the width of computed columns, whether an instant
        is called datetime or timestamp, and the JDBC code of VARBINARY.

        """);
    page.append(summary("PostgreSQL", postgres)).append(' ').append(summary("MariaDB", mariadb));
    page.append("\n");
    Map<String, Construct> families = by(new Construct(postgres, mariadb), CorpusStatement::family);
    families.forEach(this::family);
    return page.toString();
  }

  private static String summary(String database, List<CorpusStatement> statements) {
    long refused = statements.stream().filter(s -> s.expected().isRefused()).count();
    return "%s: %d statements, of which %d are refused."
        .formatted(database, statements.size(), refused);
  }

  private void family(String name, Construct members) {
    page.append("\n## ").append(name).append("\n\n");
    boolean others = members.all().anyMatch(s -> isOther(s.wanted().reach()));
    page.append("| construct | one shard | named shards | all shards | ");
    page.append(others ? "other | " : "").append("example |\n");
    page.append(others ? "|---|---|---|---|---|---|\n" : "|---|---|---|---|---|\n");
    by(members, CorpusStatement::construct)
        .forEach(
            (construct, some) -> {
              List<String> cells = new ArrayList<>(List.of(construct));
              REACHES.forEach(reach -> cells.add(some.both(list -> cell(reach, list))));
              if (others) {
                cells.add(some.both(SqlSupportPage::others));
              }
              cells.add(example(some.all().toList()));
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
      return NONE;
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
    return words.isEmpty() ? NONE : String.join(", ", words);
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

  /** In the order of the files. */
  private static Map<String, Construct> by(
      Construct statements, Function<CorpusStatement, String> property) {
    Map<String, List<CorpusStatement>> all =
        statements
            .all()
            .sorted(
                Comparator.comparing(CorpusStatement::file).thenComparing(CorpusStatement::line))
            .collect(Collectors.groupingBy(property, LinkedHashMap::new, Collectors.toList()));
    Map<String, Construct> split = new LinkedHashMap<>();
    all.forEach(
        (name, some) ->
            split.put(
                name,
                new Construct(
                    some.stream().filter(statements.postgres()::contains).toList(),
                    some.stream().filter(statements.mariadb()::contains).toList())));
    return split;
  }
}
