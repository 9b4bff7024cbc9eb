package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Facts.ColumnRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the sharded tables of a statement live relative to each other.
 *
 * @param tables the sharded ones, in order of appearance
 * @param occurrences of these tables, in the same order
 * @param clusters distinct key conditions; the buckets of a cluster are computed once per execution
 * @param clusterOf the cluster of each table occurrence that is pinned
 * @param root the occurrence that every result row has a row of, and on whose bucket all others
 *     depend; empty when the statement cannot be split by shard
 * @param pinned true when every occurrence is pinned, so that one shard may do the statement whole
 * @param bucketChecks what must agree
 * @param stored what an UPDATE stores that carries the key
 */
record Placement(
    String group,
    List<Schema.Table> tables,
    List<Source> occurrences,
    List<KeyCondition> clusters,
    Map<Source, Integer> clusterOf,
    Optional<Source> root,
    boolean pinned,
    List<BucketCheck> bucketChecks,
    Optional<Stored> stored) {

  /** Texts that rows of one occurrence get, which must carry its key. */
  record Stored(KeyCondition key, CarriedKeys texts) {}

  /** A key and a bucket_id that one occurrence must have both. */
  record BucketCheck(KeyCondition key, KeyCondition bucket) {}

  /**
   * Finds out.
   *
   * @return empty when no sharded table is touched
   * @throws ShardwrightException SW207 for tables of several groups
   */
  static Optional<Placement> of(BlockReader.Blocks blocks) {
    Map<Source, Block> sharded = new HashMap<>();
    List<Source> order = new ArrayList<>();
    for (Block block : blocks.all()) {
      for (Source source : block.sources) {
        if (source.isSharded()) {
          sharded.put(source, block);
          order.add(source);
        }
      }
    }
    if (order.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Search(sharded, order, blocks.top()).run());
  }

  /** True when parameters tell whether it pins. */
  boolean isOpen() {
    return clusters.stream().anyMatch(KeyCondition::isOpen);
  }

  /**
   * With single values only; where those would be too many, or have to be looked up in an index
   * that cannot be used, as if nothing were said about keys.
   */
  Placement bound(List<?> parameters, RouteContext context) {
    List<Optional<KeyCondition>> bound =
        clusters.stream().map(condition -> condition.bound(parameters, context)).toList();
    if (bound.stream().anyMatch(Optional::isEmpty)) {
      return new Placement(
          group,
          tables,
          occurrences,
          List.of(),
          Map.of(),
          root,
          false,
          List.of(),
          Optional.empty());
    }
    List<BucketCheck> checks =
        bucketChecks.stream()
            .filter(check -> !check.key().isOpen() && !check.bucket().isOpen())
            .toList();
    List<KeyCondition> single = bound.stream().map(Optional::orElseThrow).toList();
    return new Placement(
        group, tables, occurrences, single, clusterOf, root, pinned, checks, stored);
  }

  /**
   * The same for an UPDATE that stores these texts in rows of {@code target}.
   *
   * @throws ShardwrightException SW206 when the statement does not say the key of its rows
   */
  Placement storing(Source target, CarriedKeys texts) {
    KeyCondition key =
        Optional.ofNullable(clusterOf.get(target))
            .map(clusters::get)
            .filter(condition -> !condition.isOpen())
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.ROUTE_KEY_UPDATE,
                        "the UPDATE sets "
                            + texts.columns()
                            + " of "
                            + texts.table().name()
                            + ", which carries where the row lives, without the key of its"
                            + " rows; give it in WHERE"));
    return new Placement(
        group,
        tables,
        occurrences,
        clusters,
        clusterOf,
        root,
        pinned,
        bucketChecks,
        Optional.of(new Stored(key, texts)));
  }

  /** The condition whose buckets decide when the statement is split by shard. */
  Optional<KeyCondition> rootCondition() {
    return rootCluster().map(clusters::get);
  }

  /** Which of {@link #clusters} has it. */
  Optional<Integer> rootCluster() {
    return root.map(clusterOf::get);
  }

  /** True when equal values of {@code columns} imply one bucket of {@code source}. */
  static boolean covers(Source source, Set<ColumnRef> columns, Facts facts) {
    Schema.Sharding sharding = source.sharding().orElseThrow();
    boolean byKey =
        !sharding.isSpread()
            && sharding.key().stream()
                .allMatch(key -> columns.stream().anyMatch(c -> facts.same(c, source.column(key))));
    boolean byId =
        sharding
            .id()
            .filter(id -> columns.stream().anyMatch(c -> facts.same(c, source.column(id.column()))))
            .isPresent();
    boolean byBucket =
        columns.stream().anyMatch(c -> facts.same(c, source.column(KeyCondition.BUCKET_COLUMN)));
    return byKey || byId || byBucket;
  }

  /**
   * The rows of {@code root} that matter are in these buckets, and so are those that hang on it.
   */
  Placement allIn(KeyCondition condition) {
    Map<Source, Integer> all = new HashMap<>();
    occurrences.forEach(source -> all.put(source, 0));
    return new Placement(
        group,
        tables,
        occurrences,
        List.of(condition),
        all,
        root,
        true,
        List.of(),
        Optional.empty());
  }

  private static final class Search {
    private final Map<Source, Block> blockOf;
    private final List<Source> sources;
    private final Optional<Block> top;
    private final List<KeyCondition> clusters = new ArrayList<>();
    private final Map<Source, Integer> clusterOf = new HashMap<>();
    private final List<BucketCheck> bucketChecks = new ArrayList<>();

    Search(Map<Source, Block> blockOf, List<Source> sources, Optional<Block> top) {
      this.blockOf = blockOf;
      this.sources = sources;
      this.top = top;
    }

    Placement run() {
      String group = sources.get(0).sharding().orElseThrow().group();
      for (Source source : sources) {
        String other = source.sharding().orElseThrow().group();
        if (!other.equals(group)) {
          throw new ShardwrightException(
              ErrorCode.TABLES_NOT_COLOCATED,
              "the statement uses tables of the groups "
                  + group
                  + " and "
                  + other
                  + ", which live on different shards; read them in two statements");
        }
      }
      for (Source source : sources) {
        KeyCondition.of(source).ifPresent(condition -> pin(source, condition));
      }
      boolean changed = true;
      while (changed) {
        changed = borrow();
      }
      List<Schema.Table> tables = sources.stream().map(s -> s.table.orElseThrow()).toList();
      return new Placement(
          group,
          tables,
          List.copyOf(sources),
          List.copyOf(clusters),
          clusterOf,
          root(),
          clusterOf.size() == sources.size(),
          List.copyOf(bucketChecks),
          Optional.empty());
    }

    private void pin(Source source, KeyCondition condition) {
      clusterOf.put(source, clusterOf(condition));
      if (!(condition.alternatives().get(0) instanceof KeyAlternative.Bucket)) {
        KeyCondition.ofBucket(source)
            .ifPresent(bucket -> bucketChecks.add(new BucketCheck(condition, bucket)));
      }
    }

    private int clusterOf(KeyCondition condition) {
      for (int i = 0; i < clusters.size(); i++) {
        if (clusters.get(i).saysTheSame(condition)) {
          return i;
        }
      }
      clusters.add(condition);
      return clusters.size() - 1;
    }

    /** Pins an occurrence that is tied to a pinned one which its rows depend on. */
    private boolean borrow() {
      boolean changed = false;
      for (Source source : sources) {
        for (Source anchor : sources) {
          if (!clusterOf.containsKey(source)
              && clusterOf.containsKey(anchor)
              && isAnchor(anchor, source)
              && colocated(source, anchor)) {
            clusterOf.put(source, clusterOf.get(anchor));
            changed = true;
          }
        }
      }
      return changed;
    }

    /** True when every row of {@code source} that matters goes with a row of {@code anchor}. */
    private boolean isAnchor(Source anchor, Source source) {
      List<Block> levels = blockOf.get(source).levels();
      Source item = anchor;
      Block at = blockOf.get(anchor);
      while (true) {
        boolean always = item.join == Source.Join.INNER && !at.hasJoin(Source.Join.OTHER);
        for (Block level : levels) {
          if (level == at && always) {
            return true;
          }
          if (encloses(at, level)) {
            return true;
          }
        }
        if (!always || at.parent.isEmpty()) {
          return false;
        }
        item = at.item.orElseThrow();
        at = at.parent.get();
      }
    }

    private static boolean encloses(Block outer, Block inner) {
      Optional<Block> at = inner.outer;
      while (at.isPresent()) {
        if (at.get() == outer) {
          return true;
        }
        at = at.get().outer;
      }
      return false;
    }

    private boolean colocated(Source left, Source right) {
      Schema.Sharding leftSharding = left.sharding().orElseThrow();
      Schema.Sharding rightSharding = right.sharding().orElseThrow();
      boolean byKey = !leftSharding.isSpread();
      for (int i = 0; i < leftSharding.key().size(); i++) {
        byKey &=
            left.facts.same(
                left.column(leftSharding.key().get(i)), right.column(rightSharding.key().get(i)));
      }
      boolean byId =
          leftSharding.id().isPresent()
              && rightSharding.id().isPresent()
              && left.facts.same(
                  left.column(leftSharding.id().get().column()),
                  right.column(rightSharding.id().get().column()));
      boolean byBucket =
          left.facts.same(
              left.column(KeyCondition.BUCKET_COLUMN), right.column(KeyCondition.BUCKET_COLUMN));
      return byKey || byId || byBucket;
    }

    /**
     * The statement can be split by shard when all occurrences hang together by equal keys or ids,
     * starting from one that no result row can be without.
     */
    private Optional<Source> root() {
      List<Source> candidates = sources.stream().filter(this::isInEveryRow).toList();
      boolean outerJoins =
          sources.stream()
              .flatMap(source -> blockOf.get(source).levels().stream())
              .anyMatch(block -> block.hasJoin(Source.Join.OTHER));
      Optional<Source> root =
          candidates.stream()
              .filter(clusterOf::containsKey)
              .findFirst()
              .or(() -> candidates.stream().findFirst());
      return root.filter(r -> !outerJoins && allHangOn(r));
    }

    /**
     * True when each row of the statement's own block has a row of it, and derived tables on the
     * way there are computed by each shard from rows of its own.
     */
    private boolean isInEveryRow(Source source) {
      Source item = source;
      for (Block level : blockOf.get(source).levels()) {
        if (item.join != Source.Join.INNER) {
          return false;
        }
        if (level.parent.isEmpty()) {
          return top.filter(block -> block == level).isPresent();
        }
        item = level.item.orElseThrow();
        boolean whole =
            level.rowByRow || (level.takesConditions && covers(source, copies(item), level.facts));
        // The order of rows inside is often that outside, too.
        if (!whole || level.clauses.find("ORDER").isPresent()) {
          return false;
        }
      }
      return false;
    }

    private static Set<ColumnRef> copies(Source item) {
      Set<ColumnRef> copies = new HashSet<>();
      item.names().forEach(name -> item.find(name).ifPresent(copies::add));
      return copies;
    }

    private boolean allHangOn(Source root) {
      Set<Source> connected = new HashSet<>(Set.of(root));
      boolean changed = true;
      while (changed) {
        changed = false;
        for (Source source : sources) {
          for (Source to : sources) {
            if (related(source, to)
                && connected.contains(to)
                && !connected.contains(source)
                && (colocated(source, to)
                    || (blockOf.get(source) == blockOf.get(to)
                        && colocated(to, source)
                        && to.join == Source.Join.INNER))) {
              connected.add(source);
              changed = true;
            }
          }
        }
      }
      return connected.size() == sources.size();
    }

    /** True when the facts of {@code source} may tell which rows of {@code to} its own go with. */
    private boolean related(Source source, Source to) {
      for (Block level : blockOf.get(source).levels()) {
        for (Block other : blockOf.get(to).levels()) {
          if (level == other || encloses(other, level)) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
