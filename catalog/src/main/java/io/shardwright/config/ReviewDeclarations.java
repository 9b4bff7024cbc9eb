package io.shardwright.config;

import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What people declare where no program can see: answers to rules of the design review
 * (docs/review.md).
 *
 * @param all in file order, of each rule at most one
 */
public record ReviewDeclarations(List<Declaration> all) {
  public static final ReviewDeclarations NONE = new ReviewDeclarations(List.of());

  private static final int VERSION = 1;
  private static final List<String> ROOT_KEYS = List.of("version", "declarations");
  private static final List<String> KEYS =
      List.of("rule", "answer", "by", "when", "until", "accept");
  private static final String WRITE =
      "write - {rule: Q16, answer: what is the case, by: who says so, when: 2026-05-04}";
  private static final String WRITE_DATE = "write a date, 2026-05-04";

  public ReviewDeclarations {
    all = List.copyOf(all);
  }

  /**
   * One answer.
   *
   * @param when said
   * @param until the last day on which it holds; empty: for good
   * @param accepts whether a violation that is seen is accepted, which ends with {@code until}
   * @param line in the file, from 1
   */
  public record Declaration(
      String rule,
      String answer,
      String by,
      LocalDate when,
      Optional<LocalDate> until,
      boolean accepts,
      int line) {
    public boolean isExpired(LocalDate today) {
      return until.filter(today::isAfter).isPresent();
    }
  }

  public Optional<Declaration> of(String rule) {
    return all.stream().filter(one -> one.rule().equals(rule)).findFirst();
  }

  /**
   * Reads a file; variables are taken from the environment.
   *
   * @param rules that there are
   * @param today of UTC; a declaration of a later day, anywhere, is a mistake
   * @throws ConfigurationException SW101 with every mistake of the file
   * @throws ShardwrightException SW102 when the file cannot be read as UTF-8 text
   */
  public static ReviewDeclarations read(Path file, Collection<String> rules, LocalDate today) {
    String yaml = ConfigurationReader.content("declarations file ", file);
    return parse(file.toString(), yaml, rules, today);
  }

  /** The same for a text. */
  public static ReviewDeclarations parse(
      String fileName, String yaml, Collection<String> rules, LocalDate today) {
    return ConfigurationReader.parse(
        fileName,
        yaml,
        System.getenv(),
        "start with version: 1 and declarations",
        root -> read(root.allow(ROOT_KEYS), rules, today));
  }

  private static ReviewDeclarations read(YamlMap root, Collection<String> rules, LocalDate today) {
    root.requireInteger("version", VERSION, VERSION);
    List<Declaration> all = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    for (YamlMap entry : root.maps("declarations")) {
      declaration(entry.allow(KEYS), Set.copyOf(rules), today)
          .ifPresent(
              found -> {
                Integer first = lines.putIfAbsent(found.rule(), found.line());
                if (first != null) {
                  entry.problem(
                      "rule",
                      "declares " + found.rule() + " a second time (first in line " + first + ")",
                      "keep one of them");
                }
                all.add(found);
              });
    }
    return new ReviewDeclarations(all);
  }

  private static Optional<Declaration> declaration(
      YamlMap entry, Set<String> rules, LocalDate today) {
    Optional<String> rule = entry.requireText("rule", WRITE);
    rule.filter(id -> !rules.contains(id))
        .ifPresent(
            id ->
                entry.problem(
                    "rule",
                    "is " + entry.shown("rule") + ", which no rule is called",
                    "write one that shardwright review --rules lists"));
    Optional<String> answer =
        entry.requireText("answer", WRITE).filter(t -> isSaid(entry, "answer", t));
    Optional<String> by = entry.requireText("by", WRITE).filter(t -> isSaid(entry, "by", t));
    Optional<LocalDate> when =
        entry.requireText("when", WRITE_DATE).flatMap(text -> date(entry, "when", text));
    // Where the day begins before that of UTC, it is tomorrow already.
    when.filter(today.plusDays(1)::isBefore)
        .ifPresent(day -> entry.problem("when", "is " + day + ", a day to come", WRITE_DATE));
    Optional<LocalDate> until = entry.text("until").flatMap(text -> date(entry, "until", text));
    if (when.isPresent() && until.filter(when.get()::isAfter).isPresent()) {
      entry.problem("until", "is before when", "write the last day on which it holds");
    }
    boolean accepts = entry.text("accept").filter(text -> isTrue(entry, text)).isPresent();
    if (accepts && !entry.has("until")) {
      entry.problem("until", "is missing", "a violation is accepted for a time: " + WRITE_DATE);
    }
    return rule.isPresent() && answer.isPresent() && by.isPresent() && when.isPresent()
        ? Optional.of(
            new Declaration(
                rule.get(), answer.get(), by.get(), when.get(), until, accepts, entry.line("rule")))
        : Optional.empty();
  }

  private static boolean isSaid(YamlMap entry, String key, String text) {
    if (text.isBlank()) {
      entry.problem(key, "is empty", WRITE);
    }
    return !text.isBlank();
  }

  private static boolean isTrue(YamlMap entry, String text) {
    if (!text.equals("true") && !text.equals("false")) {
      entry.problem("accept", "is " + entry.shown("accept"), "write true or false");
    }
    return text.equals("true");
  }

  private static Optional<LocalDate> date(YamlMap entry, String key, String text) {
    try {
      return Optional.of(LocalDate.parse(text));
    } catch (DateTimeParseException e) {
      entry.problem(key, "is " + entry.shown(key), WRITE_DATE);
      return Optional.empty();
    }
  }
}
