package io.shardwright.lookup;

import io.shardwright.catalog.IndexName;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What one execution of a statement asked of indexes, so that an answer of nothing can be checked.
 * Not thread-safe.
 */
public final class Lookups {
  private final Entries entries;
  private final List<Question> questions = new ArrayList<>();
  private int statements;

  private record Question(UniqueIndex index, List<Value> values, Entries.Answer answer) {}

  /**
   * A question and its answer.
   *
   * @param shards of the index that were asked
   * @param values how many
   * @param buckets where their rows may be
   */
  public record Asked(
      IndexName index, SortedSet<ShardId> shards, int values, SortedSet<BucketId> buckets) {}

  public Lookups(Entries entries) {
    this.entries = entries;
  }

  /**
   * The buckets where rows with the values may be.
   *
   * @param values each at the positions of the index's columns, none of them null
   */
  public Set<BucketId> buckets(UniqueIndex index, List<List<Object>> values) throws SQLException {
    List<Value> keyed = new ArrayList<>();
    for (List<Object> columns : values) {
      Value.of(index, columns).ifPresent(keyed::add);
    }
    Entries.Answer answer = entries.read(index, keyed);
    statements += answer.statements();
    questions.add(new Question(index, keyed, answer));
    return buckets(answer);
  }

  private static SortedSet<BucketId> buckets(Entries.Answer answer) {
    SortedSet<BucketId> buckets = new TreeSet<>();
    answer.candidates().forEach(candidate -> buckets.add(candidate.row().bucket()));
    return buckets;
  }

  /** All questions that took a statement. */
  public List<Asked> asked() {
    return questions.stream()
        .filter(question -> !question.values().isEmpty())
        .map(
            question ->
                new Asked(
                    question.index().name(),
                    question.values().stream()
                        .map(entries::shardOf)
                        .collect(Collectors.toCollection(TreeSet::new)),
                    question.values().size(),
                    buckets(question.answer())))
        .toList();
  }

  /**
   * True when a row that was found must be the one that was asked for: one value was asked, and its
   * index knows one place.
   */
  public boolean isOneCandidate() {
    return questions.size() == 1
        && questions.get(0).values().size() == 1
        && questions.get(0).answer().candidates().size() <= 1;
  }

  /** True when no index knew any place: then there was no such row at the time of the question. */
  public boolean isNothing() {
    return questions.stream().allMatch(question -> question.answer().candidates().isEmpty());
  }

  /**
   * Asks again. When nothing has changed since, no row has moved from one place to another while
   * the statement looked at them.
   */
  public boolean isUnchanged() throws SQLException {
    for (Question question : questions) {
      Entries.Answer later = entries.read(question.index(), question.values());
      statements += later.statements();
      if (!question.answer().sameAs(later)) {
        return false;
      }
    }
    return true;
  }

  /** That the questions took. */
  public int statements() {
    return statements;
  }
}
