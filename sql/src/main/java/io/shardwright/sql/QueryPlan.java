package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Facts.InList;
import io.shardwright.sql.Merge.Window;
import io.shardwright.sql.Rendering.Share;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A SELECT, UPDATE or DELETE on sharded tables. When all buckets are on one shard that shard gets
 * the statement as it is, plus bucket conditions; otherwise each shard gets its part.
 */
final class QueryPlan implements TextPlan {
  // Long because: the ways of one statement to its shards stand side by side.

  private static final Merge PASS_THROUGH = new Merge.PassThrough();

  private final Traits traits;
  private final WindowSlots window;
  private final SqlTokens tokens;
  private final Placement placement;
  private final Keys keys;
  private final List<Edit> bucketEdits;

  /** Whether they want the bucket of each element of a list. */
  private final boolean pairs;

  private final Later<Splitting> splitting;

  /** True when parameters tell whether the statement is keyed. */
  private final boolean open;

  private final Optional<ScatterReason> scatterReason;
  private final Optional<BucketId> hinted;
  private final String reason;

  /**
   * The text for one bucket of each cluster, with {@code Int64} arguments to be replaced: it is the
   * same for every execution, so it is rendered once.
   */
  private volatile Optional<ShardStatementText> single = Optional.empty();

  /** The same with the condition on every table, for a bucket from outside. */
  private volatile Optional<ShardStatementText> meantSingle = Optional.empty();

  /**
   * What decides the shards.
   *
   * @param bucketEdits the bucket condition of each occurrence that is pinned by its conditions
   * @param everywhere the same of each sharded occurrence, empty when some cannot have one
   * @param notForeign leaves out rows that a shard has and does not own
   */
  record Keys(
      Placement placement,
      List<Edit> bucketEdits,
      Later<Optional<List<Edit>>> everywhere,
      Later<List<Edit>> notForeign,
      Later<Scatter> scatter,
      Later<Boolean> showsRows,
      Later<ListReads> lists) {
    Keys with(Placement other) {
      return with(other, bucketEdits);
    }

    Keys with(Placement other, List<Edit> edits) {
      return new Keys(other, edits, everywhere, notForeign, scatter, showsRows, lists);
    }
  }

  /** How the statement is split over shards, or why it cannot be. */
  sealed interface Splitting {
    record Possible(List<Edit> edits, Function<Window, Merge> merge) implements Splitting {}

    /** Rows of several shards have to come together in one place. */
    record Gathered(Pieces pieces) implements Splitting {}

    record Impossible(ErrorCode code, String why) implements Splitting {}
  }

  QueryPlan(Traits traits, WindowSlots window, Keys keys, Later<Splitting> splitting) {
    this.traits = traits;
    this.window = window;
    this.tokens = traits.tokens();
    this.keys = keys;
    this.placement = keys.placement();
    this.open = placement.isOpen();
    this.bucketEdits = Rendering.sorted(keys.bucketEdits());
    this.pairs = bucketEdits.stream().anyMatch(Edit.PairCondition.class::isInstance);
    this.splitting = splitting;
    this.scatterReason =
        isKeyed() ? Optional.empty() : Optional.of(ScatterReason.of(tokens, placement));
    this.hinted =
        MeantBucket.hinted(tokens.hints(), placement.tables().get(0).sharding().orElseThrow());
    this.reason = describe();
  }

  private boolean isKeyed() {
    return placement.pinned() || placement.rootCondition().isPresent();
  }

  private void requirePossible() {
    if (splitting.get() instanceof Splitting.Impossible impossible) {
      throw new ShardwrightException(impossible.code(), impossible.why());
    }
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public boolean showsRows() {
    return keys.showsRows().get();
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public Optional<ScatterReason> scatterReason() {
    return scatterReason;
  }

  @Override
  public Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    if (open) {
      Keys bound = keys.with(placement.bound(parameters, context));
      return new QueryPlan(traits, window, bound, splitting).route(parameters, maps, context);
    }
    BucketMap map = maps.apply(placement.group());
    // No lambda: this is on the path of every statement.
    for (int i = 0; i < placement.bucketChecks().size(); i++) {
      check(placement.bucketChecks().get(i), parameters);
    }
    if (placement.stored().isPresent()) {
      Placement.Stored stored = placement.stored().get();
      for (BucketId bucket : stored.key().bucketsThatExist(parameters)) {
        stored.texts().check(bucket, parameters);
      }
    }
    Optional<MeantBucket> meant = MeantBucket.of(hinted, placement.group(), context);
    if (meant.isPresent()) {
      return toMeant(meant.get(), parameters, map);
    }
    if (!isKeyed()) {
      return toEvery(parameters, maps, context);
    }
    if (placement.pinned() && placement.clusters().size() == 1) {
      KeyCondition condition = placement.clusters().get(0);
      if (condition.alternatives().size() == 1) {
        Optional<BucketId> bucket =
            condition.alternatives().get(0).bucket(condition.sharding(), parameters);
        return bucket.isPresent()
            ? toBucket(bucket.get(), map)
            : toOneShard(Share.WHOLE, map.shards().get(0), map);
      }
    }
    return toBuckets(parameters, maps, context);
  }

  private void check(Placement.BucketCheck check, List<?> parameters) {
    Set<BucketId> own = check.key().bucketsThatExist(parameters);
    Set<BucketId> named = check.bucket().bucketsThatExist(parameters);
    if (!own.isEmpty() && !named.isEmpty() && Collections.disjoint(own, named)) {
      throw MeantBucket.contradiction(
          "the statement's own key for "
              + tableNames()
              + " belongs to bucket "
              + own.iterator().next()
              + " and its condition on bucket_id names "
              + named.iterator().next());
    }
  }

  /** Only rows of one bucket: every sharded table gets the condition, and one shard all. */
  private Route toMeant(MeantBucket meant, List<?> parameters, BucketMap map) {
    for (KeyCondition condition : placement.clusters()) {
      condition.bucketsThatExist(parameters).forEach(bucket -> meant.check(bucket, tableNames()));
    }
    if (meantSingle.isEmpty()) {
      List<Edit> edits =
          keys.everywhere()
              .get()
              .orElseThrow(
                  () ->
                      BlockReader.unsupported(
                          "a "
                              + meant.source()
                              + " for a statement with RIGHT, FULL or LEFT JOIN ... USING of"
                              + " sharded tables"));
      List<List<BucketId>> buckets = List.of(List.of(meant.bucket()));
      meantSingle = Optional.of(Rendering.render(tokens, Rendering.sorted(edits), share(buckets)));
    }
    ShardStatement statement =
        new ShardStatement(
            map.shardOf(meant.bucket()),
            List.of(meant.bucket()),
            meantSingle.get().withBucket(meant.bucket()));
    return route(List.of(statement), PASS_THROUGH, map, meant.source() + ", for " + tableNames());
  }

  /** Without a key: to all shards, if the policy lets it. */
  private Route toEvery(
      List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    BucketMap map = maps.apply(placement.group());
    Window wanted = window.window(parameters);
    ListReads.Answer list =
        keys.lists().get().answer(new ListRead.Execution(parameters, maps, context, wanted));
    if (list.route().isPresent()) {
      return list.route().get();
    }
    if (list.rows().isPresent()) {
      return toRows(list.rows().get(), parameters, maps, context);
    }
    String why = list.why().isEmpty() ? reason : reason + "; " + list.why();
    if (traits.kind() == Kind.SELECT) {
      // First what would still stand in the way if the policy let it pass.
      requirePossible();
    }
    boolean limited = wanted.limit().isPresent();
    String admitted = keys.scatter().get().admit(context, limited, tableNames(), why);
    requirePossible();
    Route route =
        map.shards().size() == 1
            ? toOneShard(Share.WHOLE, map.shards().get(0), map)
            : toSeveralShards(parameters, maps, context, Optional.empty());
    return route.because(why + "; " + admitted);
  }

  /** To the rows that a list index names: only these of the table, and what hangs on them. */
  private Route toRows(
      ListedRows rows, List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    Placement placed = rows.in(placement);
    Keys narrowed = keys.with(placed, keys.lists().get().edits(placed, rows));
    return new QueryPlan(traits, window, narrowed, splitting)
        .route(parameters, maps, context)
        .by(rows.use(), rows.describe(tableNames()));
  }

  private Route toBucket(BucketId bucket, BucketMap map) {
    ShardId shard = map.shardOf(bucket);
    if (single.isEmpty()) {
      single = Optional.of(Rendering.render(tokens, bucketEdits, share(List.of(List.of(bucket)))));
    }
    ShardStatementText text = single.get().withBucket(bucket);
    return route(List.of(new ShardStatement(shard, List.of(bucket), text)), PASS_THROUGH, map);
  }

  private Route toBuckets(
      List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    BucketMap map = maps.apply(placement.group());
    List<Named> byCluster = new ArrayList<>();
    Set<ShardId> shards = new HashSet<>();
    for (KeyCondition condition : placement.clusters()) {
      Named named = new Named(condition, condition.buckets(parameters));
      for (Optional<BucketId> bucket : named.buckets()) {
        if (bucket.isPresent()) {
          shards.add(map.shardOf(bucket.get()));
        }
      }
      byCluster.add(named);
    }
    Optional<Named> root = placement.rootCluster().map(byCluster::get);
    if (shards.size() > 1) {
      return toSeveralShards(parameters, maps, context, root);
    }
    ShardId shard = shards.isEmpty() ? map.shards().get(0) : shards.iterator().next();
    List<List<BucketId>> buckets = byCluster.stream().map(Named::existing).toList();
    Share share = pairs && root.isPresent() ? root.get().ofList(buckets) : share(buckets);
    return toOneShard(share, shard, map);
  }

  /**
   * A condition and the bucket of each of its alternatives, so that keys are hashed once.
   *
   * @param buckets empty where no row can match
   */
  private record Named(KeyCondition condition, List<Optional<BucketId>> buckets) {
    /** Ascending, each once. */
    List<BucketId> existing() {
      return buckets.stream().flatMap(Optional::stream).distinct().sorted().toList();
    }

    /** With the bucket of each element of the list that the shard gets whole. */
    Share ofList(List<List<BucketId>> byCluster) {
      List<Integer> elements = new ArrayList<>();
      List<BucketId> own = new ArrayList<>();
      for (int i = 0; i < buckets.size(); i++) {
        if (buckets.get(i).isPresent()) {
          elements.add(i);
          own.add(buckets.get(i).get());
        }
      }
      return new Share(byCluster, elements, own, condition.list(), OptionalLong.empty(), List.of());
    }
  }

  private Route toOneShard(Share share, ShardId shard, BucketMap map) {
    ShardStatementText text = Rendering.render(tokens, bucketEdits, share);
    NavigableSet<BucketId> buckets = new TreeSet<>();
    share.bucketsByCluster().forEach(buckets::addAll);
    return route(List.of(new ShardStatement(shard, List.copyOf(buckets), text)), PASS_THROUGH, map);
  }

  private static Share share(List<List<BucketId>> byCluster) {
    return new Share(byCluster, List.of(), List.of(), OptionalLong.empty());
  }

  private Route toSeveralShards(
      List<?> parameters,
      Function<String, BucketMap> maps,
      RouteContext context,
      Optional<Named> condition) {
    requirePossible();
    if (splitting.get() instanceof Splitting.Gathered gathered) {
      String why = reason + "; rows of several shards come together";
      return gathered.pieces().route(parameters, maps, context, why);
    }
    return split(parameters, maps.apply(placement.group()), context, condition);
  }

  /** One statement per shard: of the condition's buckets, or of all shards without a condition. */
  private Route split(
      List<?> parameters, BucketMap map, RouteContext context, Optional<Named> condition) {
    Splitting.Possible possible = (Splitting.Possible) splitting.get();
    Window rest = window.window(parameters);
    OptionalLong limit = shardLimit(rest);
    // Bucket conditions first: they close the WHERE clause that other edits stand behind.
    List<Edit> edits = new ArrayList<>(condition.isEmpty() ? List.of() : bucketEdits);
    edits.addAll(possible.edits());
    Map<ShardId, Part> parts = new HashMap<>();
    Optional<InList> written = condition.flatMap(named -> named.condition().list());
    if (condition.isEmpty()) {
      map.shards().forEach(shard -> parts.put(shard, new Part(map, 0)));
    } else {
      written.ifPresent(list -> edits.add(new Edit.KeepElements(list)));
      List<Optional<BucketId>> buckets = condition.get().buckets();
      int usual = buckets.size() / map.shards().size();
      for (int i = 0; i < buckets.size(); i++) {
        if (buckets.get(i).isPresent()) {
          BucketId bucket = buckets.get(i).get();
          Part part = parts.computeIfAbsent(map.shardOf(bucket), shard -> new Part(map, usual));
          part.buckets.set(bucket.value());
          part.elements.add(i);
          if (pairs) {
            part.elementBuckets.add(bucket);
          }
        }
      }
      if (parts.isEmpty()) {
        return toOneShard(Share.WHOLE, map.shards().get(0), map);
      }
    }
    List<Edit> sorted = Rendering.sorted(edits);
    BucketSet announced = context.announced(map.group());
    List<ShardStatement> statements = new ArrayList<>();
    new TreeMap<>(parts)
        .forEach(
            (shard, part) -> {
              List<BucketId> buckets = part.buckets();
              List<List<BucketId>> byCluster =
                  Collections.nCopies(placement.clusters().size(), buckets);
              List<BucketSet.Range> foreign = map.foreign(shard, announced);
              Share share =
                  new Share(byCluster, part.elements, part.elementBuckets, written, limit, foreign);
              boolean filtered = condition.isEmpty() && !foreign.isEmpty();
              List<Edit> own = filtered ? withoutForeign(edits) : sorted;
              statements.add(
                  new ShardStatement(shard, buckets, Rendering.render(tokens, own, share)));
            });
    return route(statements, possible.merge().apply(rest), map);
  }

  /** First, as it closes the WHERE clause that other edits stand behind. */
  private List<Edit> withoutForeign(List<Edit> edits) {
    List<Edit> all = new ArrayList<>(keys.notForeign().get());
    all.addAll(edits);
    return Rendering.sorted(all);
  }

  /** What one shard takes part in, while it is gathered. */
  private static final class Part {
    private final BitSet buckets;
    private final List<Integer> elements;

    /** Where pairs are made of them. */
    private final List<BucketId> elementBuckets = new ArrayList<>();

    /**
     * @param usual number of elements; more than half as many again are rare
     */
    Part(BucketMap map, int usual) {
      buckets = new BitSet(map.buckets());
      elements = new ArrayList<>(usual + usual / 2 + 8);
    }

    List<BucketId> buckets() {
      List<BucketId> ids = new ArrayList<>(buckets.cardinality());
      for (int bucket = buckets.nextSetBit(0);
          bucket >= 0;
          bucket = buckets.nextSetBit(bucket + 1)) {
        ids.add(new BucketId(bucket));
      }
      return Collections.unmodifiableList(ids);
    }
  }

  private static OptionalLong shardLimit(Window window) {
    if (window.limit().isEmpty()) {
      return OptionalLong.empty();
    }
    long sum = window.limit().getAsLong() + window.offset();
    return OptionalLong.of(sum < 0 ? Long.MAX_VALUE : sum);
  }

  private Route route(List<ShardStatement> statements, Merge merge, BucketMap map) {
    return route(statements, merge, map, reason);
  }

  private static Route route(
      List<ShardStatement> statements, Merge merge, BucketMap map, String reason) {
    return new Route(
        Route.Target.SHARDS, statements, ShardStatementText.NONE, merge, map.routed(), reason);
  }

  private String describe() {
    if (scatterReason.isPresent()) {
      return "scatter: " + scatterReason.get().describe(keyNames(), tableNames());
    }
    KeyAlternative first =
        placement
            .rootCondition()
            .orElseGet(() -> placement.clusters().get(0))
            .alternatives()
            .get(0);
    int count =
        placement.clusters().stream().mapToInt(c -> c.alternatives().size()).max().orElse(0);
    String what = first.describe(placement.tables().get(0).sharding().orElseThrow());
    return what + " of " + tableNames() + (count > 1 ? ", " + count + " values" : "");
  }

  private String tableNames() {
    return String.join(
        ", ", placement.tables().stream().map(Schema.Table::name).distinct().toList());
  }

  private String keyNames() {
    return "(" + String.join(", ", placement.tables().get(0).sharding().orElseThrow().key()) + ")";
  }
}
