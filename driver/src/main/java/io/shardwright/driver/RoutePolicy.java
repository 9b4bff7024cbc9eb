package io.shardwright.driver;

import io.shardwright.lookup.Lookups;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ScatterRule;
import io.shardwright.sql.Hints;
import io.shardwright.sql.Hints.Freshness;
import io.shardwright.sql.ListAccess;
import io.shardwright.sql.ListIndex;
import io.shardwright.sql.Merge;
import io.shardwright.sql.Plan;
import io.shardwright.sql.Route;
import io.shardwright.sql.RouteContext;
import io.shardwright.sql.Schema;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the connection, then the configuration, decide for the statements of one object, and what
 * their routes ask of indexes. Not thread-safe.
 */
final class RoutePolicy implements RouteContext {
  private static final String SOURCE = "connection";

  /** A page that is short is seldom short of one row only. */
  private static final int PAGE_GROWTH = 4;

  private final ShardwrightConnection connection;
  private final StatementSettings statement;

  /** Of the route that was made last; null when it asked nothing. */
  private Lookups lookups;

  private boolean cached;

  /** Whose route is made; null when it must not ask list indexes. */
  private Execution execution;

  /** What it asked list indexes; null: nothing. */
  private ListReader lists;

  /** Of the attempt whose route is made; null when nothing moves. */
  private Ownership ownership;

  private Hints hints = Hints.NONE;
  private int pageFactor = 1;

  RoutePolicy(ShardwrightConnection connection, StatementSettings statement) {
    this.connection = connection;
    this.statement = statement;
  }

  /** Before a route of a batch is made, which asks no list indexes. */
  void beginInBatch(Ownership attempt) {
    ownership = attempt;
    lookups = null;
    cached = false;
    execution = null;
    lists = null;
  }

  /**
   * Before a route is made. Places may be answered by caches for a SELECT, which finds out that one
   * was out of date.
   */
  void begin(Plan plan, Execution asking) {
    ownership = asking.ownership();
    lookups = null;
    cached = plan.kind() == Plan.Kind.SELECT;
    execution = asking;
    lists = null;
    hints = plan.hints();
  }

  /** Questions for keys of rows that the route asked. */
  List<Lookups.Asked> listsAsked() {
    return lists == null ? List.of() : lists.asked();
  }

  /** Physical statements that list indexes were asked by. */
  int listStatements() {
    return lists == null ? 0 : lists.statements();
  }

  /** A page had fewer rows than its keys. */
  void askForMoreKeys() {
    pageFactor *= PAGE_GROWTH;
  }

  /** For the next execution. */
  void askForKeysOnce() {
    pageFactor = 1;
  }

  /** The indexes of a route that may lack what was committed before the statement began. */
  Set<String> lagging(Route route) {
    Set<String> names = route.lists();
    return names.isEmpty()
        ? names
        : names.stream().filter(this::isLagging).collect(Collectors.toUnmodifiableSet());
  }

  private boolean isLagging(String index) {
    return connection
        .cluster()
        .database()
        .list(index)
        .filter(list -> freshness(list) == Freshness.LAGGING)
        .isPresent();
  }

  private Freshness freshness(io.shardwright.lookup.ListIndex list) {
    return hints
        .freshness()
        .or(connection.settings()::freshness)
        .orElseGet(
            () ->
                switch (list.freshness()) {
                  case LAGGING -> Freshness.LAGGING;
                  case OWN_WRITES -> Freshness.OWN_WRITES;
                });
  }

  /** What the route asked; null: nothing. */
  Lookups lookups() {
    return lookups;
  }

  @Override
  public Optional<Set<BucketId>> lookUp(Schema.LookupIndex index, List<List<Object>> values) {
    Optional<Indexes.InUse> readable = connection.cluster().indexes().readable(index.name());
    if (readable.isEmpty()) {
      return Optional.empty();
    }
    if (lookups == null) {
      lookups = connection.cluster().indexes().lookups(cached);
    }
    try {
      return Optional.of(lookups.buckets(readable.get().index(), readable.get().version(), values));
    } catch (SQLException e) {
      throw Indexes.unreadable(index.name(), e);
    }
  }

  @Override
  public Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
    Optional<io.shardwright.lookup.ListIndex> readable =
        execution == null
            ? Optional.empty()
            : connection.cluster().indexes().readableList(index.name());
    if (readable.isEmpty()) {
      return Optional.empty();
    }
    if (lists == null) {
      lists = new ListReader(execution);
    }
    boolean lagging = freshness(readable.get()) == Freshness.LAGGING;
    if (lagging && complete) {
      return Optional.empty();
    }
    List<ListIndex.Row> pending =
        lagging ? List.of() : answer(readable.get(), () -> lists.waiting(readable.get(), values));
    return Optional.of(new Access(readable.get(), values.size(), pending));
  }

  private interface Question {
    List<ListIndex.Row> ask() throws SQLException;
  }

  private static List<ListIndex.Row> answer(
      io.shardwright.lookup.ListIndex index, Question question) {
    try {
      return question.ask();
    } catch (SQLException e) {
      throw Indexes.unreadable(index.name().placement(), e);
    }
  }

  /** An index that the route in hand asks. */
  private final class Access implements ListAccess {
    private final io.shardwright.lookup.ListIndex index;
    private final int values;
    private final List<ListIndex.Row> pending;

    Access(io.shardwright.lookup.ListIndex index, int values, List<ListIndex.Row> pending) {
      this.index = index;
      this.values = values;
      this.pending = pending;
    }

    @Override
    public List<ListIndex.Row> pending() {
      return pending;
    }

    @Override
    public int pageFactor() {
      return pageFactor;
    }

    @Override
    public List<ListIndex.Row> rows(Merge.Part keys) {
      return answer(index, () -> lists.rows(index, values, keys));
    }
  }

  @Override
  public ScatterRule reads(String group) {
    return connection
        .settings()
        .reads()
        .map(policy -> new ScatterRule(policy, SOURCE))
        .orElseGet(() -> connection.cluster().scatter(group).reads());
  }

  @Override
  public ScatterRule writes(String group) {
    return connection
        .settings()
        .writes()
        .map(policy -> new ScatterRule(policy, SOURCE))
        .orElseGet(() -> connection.cluster().scatter(group).writes());
  }

  @Override
  public Optional<BucketId> bucket(String group) {
    Map<String, BucketId> buckets = connection.settings().routeBuckets();
    return buckets.isEmpty() ? Optional.empty() : Optional.ofNullable(buckets.get(group));
  }

  @Override
  public BucketSet announced(String group) {
    return ownership == null ? BucketSet.EMPTY : ownership.announced(group);
  }

  @Override
  public Optional<String> bound() {
    if (statement.maxRows() > 0) {
      return Optional.of("setMaxRows");
    }
    if (statement.fetchSize() > 0) {
      return Optional.of("setFetchSize");
    }
    return connection.settings().maxRows().isPresent()
        ? Optional.of("the connection's max_rows")
        : Optional.empty();
  }
}
