package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.Declarations.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What has to be written down before the first bucket moves: three decisions of the business and
 * nine points of design, each filled from log, schema, declarations or the product's own contract,
 * or open.
 */
public final class DesignRecord {
  private final Advice advice;
  private final List<Point> points = new ArrayList<>();

  /**
   * One point.
   *
   * @param answer empty: open
   * @param next what closes it, or what to read
   */
  public record Point(String question, Optional<String> answer, String next) {}

  private DesignRecord(Advice advice) {
    this.advice = advice;
  }

  static List<Point> of(Advice advice) {
    DesignRecord design = new DesignRecord(advice);
    for (Decision decision : Decision.values()) {
      design.points.add(
          new Point(
              "Decided: " + decision.question(),
              advice.settings().declared().decision(decision),
              "decision." + decision.written() + " in the workload file"));
    }
    design.keys();
    design.hashAndBuckets();
    design.statementsWithoutKey();
    design.operation();
    return List.copyOf(design.points);
  }

  private List<Group> recommended() {
    return advice.groups().stream().filter(Group::isSharded).toList();
  }

  private void keys() {
    List<String> sources = new ArrayList<>();
    List<String> together = new ArrayList<>();
    boolean entriesKnown = !advice.settings().declared().entries().isEmpty();
    boolean complete = entriesKnown;
    for (Group group : recommended()) {
      if (group.best().isEmpty()) {
        continue;
      }
      KeyScore best = group.best().get();
      Propagation propagation = best.propagation();
      complete &= propagation.entriesWithout().isEmpty() && propagation.without().isEmpty();
      sources.add(
          String.format(
              Locale.ROOT,
              "%s by %s: %d of %d templates that write have it%s",
              group.tables(),
              best.candidate().name(),
              propagation.carrying(),
              propagation.writes(),
              propagation.entriesWithout().isEmpty()
                  ? ""
                  : "; not carried by " + propagation.entriesWithout()));
      together.add(
          group.tables()
              + " by "
              + best.candidate().name()
              + (best.missing().isEmpty() ? "" : ", which " + best.missing() + " do not show yet"));
    }
    point(
        "Where does the route key come from?",
        entriesKnown && !sources.isEmpty() ? String.join("; ", sources) : "",
        complete
            ? "hold every new entry point to it"
            : entriesKnown
                ? "give the key to those without it, or a lookup index for what they have"
                : (sources.isEmpty() ? "" : String.join("; ", sources) + ". ")
                    + "Declare entry points, messages and callbacks: entry.NAME = columns");
    point(
        "How do related tables reach the same shard?",
        together.isEmpty() ? "" : String.join("; ", together) + references(),
        "tables of one group have one key, one V and one map: docs/configuration.md");
  }

  private String references() {
    return advice.references().isEmpty() ? "" : "; copies on every shard of " + advice.references();
  }

  private void hashAndBuckets() {
    point(
        "Which bytes are hashed, and how?",
        "XXH64 of the key's canonical bytes, format 1",
        "docs/routing-contract.md, with vectors for other languages");
    point(
        "Is the number of buckets fixed?",
        advice.settings().buckets()
            + " for good, on "
            + advice.settings().judgedShards()
            + " shards now; "
            + advice.growth().stream()
                .skip(1)
                .map(y -> y.shards() + " after " + y.year() + (y.year() == 1 ? " year" : " years"))
                .collect(Collectors.joining(", ")),
        "growth moves buckets, never keys between buckets");
  }

  private void statementsWithoutKey() {
    Map<String, Double> shares = new TreeMap<>();
    for (Group group : recommended()) {
      group
          .best()
          .ifPresent(
              best ->
                  best.paths().stream()
                      .filter(path -> !path.landing().isCovered())
                      .forEach(
                          path ->
                              shares.merge(
                                  path.landing().written(), path.template().share(), Double::sum)));
    }
    String landings =
        shares.entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%.1f%% %s", e.getValue() * 100, e.getKey()))
            .collect(Collectors.joining(", "));
    point(
        "What becomes of statements without the key?",
        recommended().isEmpty()
            ? ""
            : (landings.isEmpty() ? "there are none" : landings)
                + "; writes are refused, reads of all shards need a bound (scatter)",
        "each template's way is listed above");
  }

  private void operation() {
    point(
        "How is a new map published?",
        "as a version in the catalog; drivers acknowledge it, and shards refuse writes by an old"
            + " one (SW001), which the driver repeats on the new one",
        "docs/moves.md, What is guaranteed");
    point(
        "Who writes a bucket while it moves?",
        "its source until the cutover, its target after; for the milliseconds between nobody",
        "docs/moves.md, The fence and its cost");
    point(
        "How does a rollback keep what was written after the cutover?",
        "changes on the target are noted until the move is cleaned up, and taken along by move"
            + " rollback",
        "choose --window; docs/moves.md");
    point(
        "Which figures allow the next step?",
        "a move compares counts and checksums before its cutover, and pauses are told;"
            + " invariants of the business are open",
        "write groups.<g>.invariants as SQL: docs/moves.md, Invariants");
  }

  private void point(String question, String answer, String next) {
    points.add(
        new Point(question, answer.isEmpty() ? Optional.empty() : Optional.of(answer), next));
  }
}
