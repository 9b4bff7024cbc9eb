package io.shardwright.lookup;

import io.shardwright.catalog.IndexName;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private final LookupCaches caches;
  private final boolean cached;
  private final List<Question> questions = new ArrayList<>();
  private int statements;

  /**
   * @param cache that answered; empty: the index did
   */
  private record Question(
      UniqueIndex index, List<Value> values, Places answer, Optional<ValueCache> cache) {}

  /**
   * A question and its answer.
   *
   * @param shards of the index that were asked; none when a cache answered
   * @param values how many
   * @param buckets where their rows may be
   */
  public record Asked(
      IndexName index, SortedSet<ShardId> shards, int values, SortedSet<BucketId> buckets) {}

  /**
   * @param cached whether a place may be one that was right a while ago, as long as what is found
   *     there is what was asked for
   */
  public Lookups(Entries entries, LookupCaches caches, boolean cached) {
    this.entries = entries;
    this.caches = caches;
    this.cached = cached;
  }

  /**
   * The buckets where rows with the values may be.
   *
   * @param version of the index's state in the catalog
   * @param values each at the positions of the index's columns, none of them null
   */
  public Set<BucketId> buckets(UniqueIndex index, long version, List<List<Object>> values)
      throws SQLException {
    List<Value> keyed = new ArrayList<>();
    for (List<Object> columns : values) {
      Value.of(index, columns).ifPresent(keyed::add);
    }
    Optional<ValueCache> cache =
        cached && keyed.size() == 1 ? caches.of(index, version) : Optional.empty();
    Optional<Places> known = cache.flatMap(c -> c.known(keyed.get(0)));
    Places answer;
    if (known.isPresent()) {
      answer = known.get();
    } else if (cache.isPresent()) {
      ValueCache.Loaded loaded = cache.get().load(keyed.get(0));
      answer = loaded.places();
      statements += loaded.statements();
    } else {
      Entries.Answer read = entries.read(index, keyed);
      answer = read.places();
      statements += read.statements();
    }
    questions.add(new Question(index, keyed, answer, known.isPresent() ? cache : Optional.empty()));
    return answer.buckets();
  }

  /** All questions that an index or its cache answered. */
  public List<Asked> asked() {
    return questions.stream()
        .filter(question -> !question.values().isEmpty())
        .map(
            question ->
                new Asked(
                    question.index().name(),
                    question.cache().isPresent()
                        ? new TreeSet<>()
                        : question.values().stream()
                            .map(entries::shardOf)
                            .collect(Collectors.toCollection(TreeSet::new)),
                    question.values().size(),
                    question.answer().buckets()))
        .toList();
  }

  /**
   * True when a row that was found must be the one that was asked for: one value was asked, and its
   * index knows one place.
   */
  public boolean isOneCandidate() {
    return questions.size() == 1
        && questions.get(0).values().size() == 1
        && questions.get(0).answer().size() <= 1;
  }

  /**
   * True when no index knew any place: then there was no such row at the time of the question, or
   * as long before as misses are kept.
   */
  public boolean isNothing() {
    return questions.stream().allMatch(question -> question.answer().isEmpty());
  }

  /**
   * Asks again. When nothing has changed since, no row has moved from one place to another while
   * the statement looked at them.
   */
  public boolean isUnchanged() throws SQLException {
    for (Question question : questions) {
      Entries.Answer later = entries.read(question.index(), question.values());
      statements += later.statements();
      if (!question.answer().equals(later.places())) {
        question.cache().ifPresent(cache -> cache.put(question.values().get(0), later.places()));
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
