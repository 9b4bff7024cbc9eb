package io.shardwright.advisor.review;

import io.shardwright.config.ReviewDeclarations.Declaration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a review says of one rule.
 *
 * @param severity empty when it is no finding
 * @param evidence all that was seen, and not seen, in sentences with numbers
 * @param causes those of them that make it a finding, or are accepted
 * @param actions what to do; none when it is no finding
 * @param declaration what people say, also when it does not count
 */
public record Answer(
    Rule rule,
    Status status,
    Optional<Severity> severity,
    List<String> evidence,
    List<String> causes,
    List<String> actions,
    Optional<Declaration> declaration) {
  public Answer {
    evidence = List.copyOf(evidence);
    causes = List.copyOf(causes);
    actions = List.copyOf(actions);
  }

  /** Where the answer comes from. */
  public enum Status {
    /** Fulfilled, and that was seen. */
    EVIDENCE,
    /** People say so, and nothing that was seen is against it; or they accept what was. */
    DECLARED,
    /** Nobody knows: neither seen nor declared, or declared once and expired. */
    UNKNOWN,
    /** Broken, and that was seen. */
    VIOLATED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The gravest first. */
  public enum Severity {
    ERROR,
    WARNING,
    INFO;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean isFinding() {
    return severity.isPresent();
  }
}
