package io.shardwright.advisor.advice;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What people say of the data. Names of columns and tables are as statements write them.
 *
 * @param mutable columns whose values change
 * @param immutable columns whose values never change
 * @param unique columns of which each value has one row
 * @param genes columns of ids that may be issued anew, so that they carry their bucket
 * @param retention days after which rows of a table are archived or deleted
 * @param entries entry points, messages and callbacks that write, and the columns that each carries
 * @param decisions what was decided
 */
public record Declarations(
    Set<String> mutable,
    Set<String> immutable,
    Set<String> unique,
    Set<String> genes,
    Map<String, Integer> retention,
    Map<String, Set<String>> entries,
    Map<Decision, String> decisions) {
  public Declarations {
    mutable = Set.copyOf(mutable);
    immutable = Set.copyOf(immutable);
    unique = Set.copyOf(unique);
    genes = Set.copyOf(genes);
    retention = Map.copyOf(retention);
    entries = Map.copyOf(entries);
    decisions = Map.copyOf(decisions);
  }

  /** What a business has to decide before a key can be chosen. */
  public enum Decision {
    OWNER("whose data it is: the one whose transactions must stay on one shard"),
    GLOBAL_QUERIES("how late and how large a query over everybody's data may be"),
    INCOMPLETE(
        "what a query does that a shard does not answer: fail, wait, or say what is missing");

    private final String question;

    Decision(String question) {
      this.question = question;
    }

    public String question() {
      return question;
    }

    /** As the workload file names it. */
    public String written() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Declarations none() {
    return new Declarations(Set.of(), Set.of(), Set.of(), Set.of(), Map.of(), Map.of(), Map.of());
  }

  Optional<String> decision(Decision decision) {
    return Optional.ofNullable(decisions.get(decision));
  }
}
