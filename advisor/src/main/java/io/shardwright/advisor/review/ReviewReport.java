package io.shardwright.advisor.review;

import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.review.Answer.Severity;
import io.shardwright.advisor.review.Answer.Status;
import io.shardwright.config.ReviewDeclarations.Declaration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tells a review to people, as lines, and to programs, as a document. */
public final class ReviewReport {
  private ReviewReport() {}

  /**
   * The gravest findings first, then what people say, then what was seen. Names come from databases
   * and logs: print them with care.
   */
  public static List<String> lines(Facts facts, List<Answer> answers) {
    List<String> lines = new ArrayList<>(sources(facts));
    for (Severity severity : Severity.values()) {
      List<Answer> found =
          answers.stream()
              .filter(a -> a.severity().filter(severity::equals).isPresent())
              .sorted(Comparator.comparing(Answer::rule))
              .toList();
      if (!found.isEmpty()) {
        lines.add("");
        lines.add(heading(severity, found.size()));
        findings(lines, found);
      }
    }
    section(lines, "Declared", answers, Status.DECLARED);
    section(lines, "Seen", answers, Status.EVIDENCE);
    lines.add("");
    lines.add(summary(answers));
    return lines;
  }

  /** What the answers rest on. */
  private static List<String> sources(Facts facts) {
    List<String> lines = new ArrayList<>();
    if (facts.databases().isEmpty()) {
      lines.add("offline: no database was asked, so what only databases show is unknown");
    } else {
      DatabaseFacts databases = facts.databases().get();
      lines.add(
          "read: %d of %d shards, %s"
              .formatted(
                  databases.schema().schemas().size(),
                  facts.configuration().shards().size(),
                  facts.configuration().catalog().isEmpty()
                      ? "no catalog in the file"
                      : databases.maps().isEmpty() ? "not the catalog" : "the catalog"));
      databases.unread().forEach(text -> lines.add("NOT READ: " + text));
    }
    if (facts.logs().isEmpty()) {
      lines.add("no log was given");
    } else {
      LogFacts logs = facts.logs().get();
      for (LogFile file : logs.files()) {
        lines.add(
            "%s: %s"
                .formatted(
                    file.path().getFileName(),
                    file.refusal()
                        .map(r -> "NOT READ, line " + r.line() + ": " + r.why())
                        .orElse(Observation.count(file.executions(), "statement"))));
      }
      lines.add(
          "%s on sharded tables in the logs, %d not understood"
              .formatted(Observation.count(logs.executions(), "statement"), logs.unread()));
    }
    return lines;
  }

  private static String heading(Severity severity, int number) {
    return switch (severity) {
      case ERROR -> "ERROR: " + Observation.count(number, "rule") + " broken";
      case WARNING -> "WARNING: " + Observation.count(number, "rule") + " broken or expired";
      case INFO -> "UNKNOWN: " + Observation.count(number, "rule") + " neither seen nor declared";
    };
  }

  /** Rules with one cause are told together. */
  private static void findings(List<String> lines, List<Answer> answers) {
    Map<List<String>, List<Answer>> causes = new LinkedHashMap<>();
    for (Answer answer : answers) {
      List<String> cause = answer.causes().stream().sorted().toList();
      causes.computeIfAbsent(cause, none -> new ArrayList<>()).add(answer);
    }
    causes.forEach(
        (cause, rules) -> {
          cause.forEach(text -> lines.add("- " + text));
          rules.stream()
              .flatMap(answer -> answer.actions().stream())
              .distinct()
              .forEach(action -> lines.add("  -> " + action));
          for (Answer answer : rules) {
            Rule rule = answer.rule();
            lines.add("  %-3s %s".formatted(rule.id(), rule.text()));
            if (answer.status() == Status.UNKNOWN) {
              lines.add("      or declare " + rule.question());
            }
          }
        });
  }

  private static void section(
      List<String> lines, String title, List<Answer> answers, Status status) {
    List<Answer> own = answers.stream().filter(a -> a.status() == status).toList();
    if (own.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(title + ": " + Observation.count(own.size(), "rule"));
    for (Answer answer : own) {
      lines.add(
          "%-3s %s"
              .formatted(
                  answer.rule().id(),
                  status == Status.DECLARED
                      ? declared(answer)
                      : Observation.listed(answer.evidence())));
    }
  }

  private static String declared(Answer answer) {
    Declaration by = answer.declaration().orElseThrow();
    return "%s (%s, %s%s)%s"
        .formatted(
            by.answer(),
            by.by(),
            by.when(),
            by.until().map(day -> ", until " + day).orElse(""),
            answer.causes().isEmpty() ? "" : " accepts: " + Observation.listed(answer.causes()));
  }

  /** {@code 64 rules: 20 seen, 3 declared, 40 unknown, 1 violated}. */
  public static String summary(List<Answer> answers) {
    Map<Status, Long> counts = new LinkedHashMap<>();
    answers.forEach(answer -> counts.merge(answer.status(), 1L, Long::sum));
    return String.format(
        Locale.ROOT,
        "%d rules: %d seen, %d declared, %d unknown, %d violated",
        answers.size(),
        counts.getOrDefault(Status.EVIDENCE, 0L),
        counts.getOrDefault(Status.DECLARED, 0L),
        counts.getOrDefault(Status.UNKNOWN, 0L),
        counts.getOrDefault(Status.VIOLATED, 0L));
  }

  /** Maps, lists, texts and numbers, in a fixed order. */
  public static Map<String, Object> document(Facts facts, List<Answer> answers, LocalDate today) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("date", today.toString());
    document.put("databases_asked", facts.databases().isPresent());
    document.put("not_read", facts.databases().map(DatabaseFacts::unread).orElse(List.of()));
    document.put("logs", facts.logs().map(logs -> logs.files().size()).orElse(0));
    document.put("log_executions", facts.logs().map(LogFacts::executions).orElse(0L));
    Map<String, Object> counts = new LinkedHashMap<>();
    for (Status status : Status.values()) {
      counts.put(status.word(), answers.stream().filter(a -> a.status() == status).count());
    }
    document.put("counts", counts);
    document.put("rules", answers.stream().map(ReviewReport::rule).toList());
    return document;
  }

  private static Map<String, Object> rule(Answer answer) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("rule", answer.rule().id());
    entry.put("section", answer.rule().section().name().toLowerCase(Locale.ROOT));
    entry.put("text", answer.rule().text());
    entry.put("status", answer.status().word());
    entry.put("severity", answer.severity().map(Severity::word));
    entry.put("evidence", answer.evidence());
    entry.put("causes", answer.causes());
    entry.put("actions", answer.actions());
    entry.put("to_declare", answer.rule().question());
    entry.put("declaration", answer.declaration().map(ReviewReport::declaration));
    return entry;
  }

  private static Map<String, Object> declaration(Declaration declaration) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("answer", declaration.answer());
    entry.put("by", declaration.by());
    entry.put("when", declaration.when().toString());
    entry.put("until", declaration.until().map(LocalDate::toString));
    entry.put("accepts", declaration.accepts());
    return entry;
  }
}
