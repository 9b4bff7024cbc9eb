package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.sql.Facts.InList;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The text for one shard: the original with edits spliced in, and what fills each of its {@code ?}.
 * Text that is copied brings its own parameters along.
 */
final class Rendering {

  /**
   * What one shard takes part in.
   *
   * @param bucketsByCluster buckets of each cluster of tables, ascending
   * @param elements numbers of the VALUES rows or elements of the list that it gets; of a list that
   *     is not cut, those that have a bucket
   * @param elementBuckets the bucket of each of these, where an edit wants it
   * @param list whose elements they are
   * @param limit of the shard's own answer
   * @param foreign buckets that it does not own, and may have rows of all the same
   */
  record Share(
      List<List<BucketId>> bucketsByCluster,
      List<Integer> elements,
      List<BucketId> elementBuckets,
      Optional<InList> list,
      OptionalLong limit,
      List<BucketSet.Range> foreign) {
    /** Nobody else's rows are here, and nothing is of a list. */
    Share(
        List<List<BucketId>> bucketsByCluster,
        List<Integer> elements,
        List<BucketId> elementBuckets,
        OptionalLong limit) {
      this(bucketsByCluster, elements, elementBuckets, Optional.empty(), limit, List.of());
    }

    static final Share WHOLE = new Share(List.of(), List.of(), List.of(), OptionalLong.empty());

    List<BucketId> buckets(int cluster) {
      return cluster < bucketsByCluster.size() ? bucketsByCluster.get(cluster) : List.of();
    }
  }

  private static final Argument.Parameter[] PARAMETERS = new Argument.Parameter[1024];

  static {
    for (int i = 0; i < PARAMETERS.length; i++) {
      PARAMETERS[i] = new Argument.Parameter(i);
    }
  }

  private final SqlTokens tokens;
  private final Share share;
  private final StringBuilder text;
  private final List<Argument> arguments;

  private Rendering(SqlTokens tokens, Share share) {
    this.tokens = tokens;
    this.share = share;
    this.text = new StringBuilder(tokens.sql().length() + 64);
    this.arguments = new ArrayList<>(share.elements().size() * 2 + 8);
  }

  static ShardStatementText render(SqlTokens tokens, List<Edit> edits, Share share) {
    Rendering rendering = new Rendering(tokens, share);
    int at = 0;
    for (Edit edit : edits) {
      rendering.copy(at, edit.from());
      edit.render(rendering);
      at = edit.to();
    }
    rendering.copy(at, tokens.sql().length());
    // Not copied: nobody else has it.
    return new ShardStatementText(
        rendering.text.toString(), Collections.unmodifiableList(rendering.arguments));
  }

  /** Edits in text order; insertions at one place keep their given order. */
  static List<Edit> sorted(List<Edit> edits) {
    return edits.stream().sorted(Comparator.comparingInt(Edit::from)).toList();
  }

  Share share() {
    return share;
  }

  Rendering append(String piece) {
    text.append(piece);
    return this;
  }

  /** A {@code ?} for a parameter of the statement. */
  void parameterHere(int index) {
    text.append('?');
    arguments.add(parameter(index));
  }

  void collected(int column) {
    text.append('?');
    arguments.add(new Argument.Collected(column));
  }

  void argument(long value) {
    arguments.add(new Argument.Int64(value));
  }

  void given(Object value) {
    text.append('?');
    arguments.add(new Argument.Given(value));
  }

  void issuedId(Argument.IssuedId id) {
    text.append('?');
    arguments.add(id);
  }

  void copy(int from, int to) {
    text.append(tokens.sql(), from, to);
    for (int i = tokens.parametersBefore(from); tokens.isParameterBefore(i, to); i++) {
      arguments.add(parameter(i));
    }
  }

  /** Whether the statement has a {@code ?} between two places of its text. */
  boolean hasParameters(int from, int to) {
    return tokens.isParameterBefore(tokens.parametersBefore(from), to);
  }

  static Argument parameter(int index) {
    return index < PARAMETERS.length ? PARAMETERS[index] : new Argument.Parameter(index);
  }
}
