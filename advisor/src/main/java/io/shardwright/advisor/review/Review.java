package io.shardwright.advisor.review;

import io.shardwright.advisor.review.Answer.Severity;
import io.shardwright.advisor.review.Answer.Status;
import io.shardwright.advisor.review.Observation.Kind;
import io.shardwright.config.ReviewDeclarations;
import io.shardwright.config.ReviewDeclarations.Declaration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers all rules. What is seen comes before what is declared: a declaration answers a rule of
 * which nothing bad is seen, and one that accepts a violation says so and ends. Stateless.
 */
public final class Review {
  private Review() {}

  /** In the order of the rules. */
  public static List<Answer> run(Facts facts, ReviewDeclarations declarations, LocalDate today) {
    List<Answer> answers = new ArrayList<>();
    for (Rule rule : Rule.values()) {
      answers.add(answer(rule, rule.observe(facts), declarations.of(rule.id()), today));
    }
    return answers;
  }

  static Answer answer(
      Rule rule, List<Observation> seen, Optional<Declaration> declared, LocalDate today) {
    boolean holds = declared.filter(d -> !d.isExpired(today)).isPresent();
    List<Observation> bad =
        seen.stream().filter(o -> o.kind().compareTo(Kind.WARNING) >= 0).toList();
    if (!bad.isEmpty()) {
      boolean accepted = holds && declared.get().accepts();
      List<String> causes = new ArrayList<>(texts(bad));
      declared
          .filter(d -> d.accepts() && d.isExpired(today))
          .ifPresent(
              d ->
                  causes.add(
                      "that " + d.by() + " accepted it ended on " + d.until().orElseThrow()));
      boolean error = bad.stream().anyMatch(o -> o.kind() == Kind.ERROR);
      return new Answer(
          rule,
          accepted ? Status.DECLARED : Status.VIOLATED,
          accepted ? Optional.empty() : Optional.of(error ? Severity.ERROR : Severity.WARNING),
          texts(seen),
          causes,
          accepted ? List.of() : actions(bad),
          declared);
    }
    List<Observation> missing = seen.stream().filter(o -> o.kind() == Kind.MISSING).toList();
    if (missing.isEmpty()) {
      return new Answer(
          rule, Status.EVIDENCE, Optional.empty(), texts(seen), List.of(), List.of(), declared);
    }
    if (holds) {
      return new Answer(
          rule, Status.DECLARED, Optional.empty(), texts(seen), List.of(), List.of(), declared);
    }
    List<String> causes = new ArrayList<>(texts(missing));
    List<String> actions = new ArrayList<>(actions(missing));
    declared.ifPresent(
        expired -> {
          causes.add(
              0, "what " + expired.by() + " declared ended on " + expired.until().orElseThrow());
          actions.add(0, "declare it anew, or let it be seen");
        });
    return new Answer(
        rule,
        Status.UNKNOWN,
        Optional.of(declared.isPresent() ? Severity.WARNING : Severity.INFO),
        texts(seen),
        causes,
        actions.stream().distinct().toList(),
        declared);
  }

  private static List<String> texts(List<Observation> observations) {
    return observations.stream().map(Observation::text).distinct().toList();
  }

  private static List<String> actions(List<Observation> observations) {
    return observations.stream().map(Observation::action).distinct().toList();
  }

  /** How many findings are at least as grave. */
  public static long findings(List<Answer> answers, Severity least) {
    return answers.stream()
        .filter(answer -> answer.severity().filter(s -> s.compareTo(least) <= 0).isPresent())
        .count();
  }
}
