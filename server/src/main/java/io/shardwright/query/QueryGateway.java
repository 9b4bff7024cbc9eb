package io.shardwright.query;

import io.shardwright.config.Configuration;
import io.shardwright.config.QueryRules;
import io.shardwright.driver.ScatterLimits;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.WriteToken;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.PagePlan.CountPlan;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import io.shardwright.routing.ShardId;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers questions across all shards: request, plan, one statement that the driver sends to all
 * shards and merges, answer with its coverage. Thread-safe; the data source is the caller's.
 */
public final class QueryGateway implements AutoCloseable {
  // Long because: each kind of question is put together here, and answered elsewhere.

  private static final int RETRIES = 1;
  private static final int BACKGROUND_THREADS = 16;

  private final ShardwrightDataSource source;
  private final QueryRules rules;
  private final Tables tables;
  private final CursorCodec cursors;
  private final CircuitBreaker breaker;
  private final RateBudgets budgets;
  private final TableIndexes indexes;
  private final Estimates estimates;
  private final Optional<GatewayDirectory> directory;
  private final Optional<ExportJobs> exports;
  private final Optional<Settlements> settlements;

  /** Reads the indexes of shards: those that are silent hold up no others. */
  private final ExecutorService background =
      Executors.newFixedThreadPool(
          BACKGROUND_THREADS,
          task -> {
            Thread thread = new Thread(task, "shardwright-gateway");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @throws ShardwrightException SW101 when the file has no {@code query:}, SW105 when it does not
   *     fit the tables, SW808 when another gateway holds its directory
   */
  public QueryGateway(ShardwrightDataSource source, Configuration configuration) {
    this(source, configuration, InstantSource.system());
  }

  /**
   * @param clock by which exports expire
   */
  public QueryGateway(
      ShardwrightDataSource source, Configuration configuration, InstantSource clock) {
    this.source = source;
    this.rules =
        configuration
            .query()
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.CONFIGURATION_INVALID,
                        "query is missing in the file; declare what may be asked:"
                            + " query: {tables: {orders: {id: [order_id], times: {created:"
                            + " created_at}}}}"));
    this.tables = new Tables(source, rules, configuration.product());
    this.breaker = new CircuitBreaker(rules.limits().shardTimeout(), System::nanoTime);
    this.budgets = new RateBudgets(rules.limits().rate(), System::nanoTime);
    this.indexes =
        new TableIndexes(
            configuration, background, rules.limits().shardTimeout(), System::nanoTime);
    this.estimates = new Estimates(configuration, background, breaker);
    this.cursors =
        new CursorCodec(
            rules.cursorKeys().stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toList());
    Opened opened = new Opened();
    try {
      tables.checkAll();
      opened.directory = rules.directory().map(GatewayDirectory::open);
      opened.settlements =
          opened.directory.map(
              held ->
                  new Settlements(
                      source, configuration, held, InstantSource.system(), System::nanoTime));
      opened.exports = opened.directory.map(kept -> exports(kept, configuration, clock));
      opened.whole = true;
    } finally {
      if (!opened.whole) {
        background.shutdownNow();
        opened.close();
      }
    }
    this.directory = opened.directory;
    this.settlements = opened.settlements;
    this.exports = opened.exports;
  }

  /** What a start that fails has to close. */
  private static final class Opened {
    private Optional<GatewayDirectory> directory = Optional.empty();
    private Optional<Settlements> settlements = Optional.empty();
    private Optional<ExportJobs> exports = Optional.empty();
    private boolean whole;

    void close() {
      exports.ifPresent(ExportJobs::close);
      settlements.ifPresent(Settlements::close);
      directory.ifPresent(GatewayDirectory::close);
    }
  }

  private ExportJobs exports(
      GatewayDirectory kept, Configuration configuration, InstantSource clock) {
    ScatterLimits limits = new ScatterLimits(rules.limits().shardTimeout(), RETRIES, breaker);
    ExportPages pages =
        new ExportPages(source, configuration, rules, tables, cursors, limits, indexes);
    return new ExportJobs(kept.under("exports"), pages, rules.exports(), rules.access(), clock);
  }

  /** Empty when the file names no directory to keep them in. */
  public Optional<ExportJobs> exports() {
    return exports;
  }

  /** Where it keeps what has to survive it; empty when the file names none. */
  public Optional<GatewayDirectory> directory() {
    return directory;
  }

  /**
   * @param json as docs/gateway.md describes it, in UTF-8
   * @throws RequestRefusedException SW801 with all mistakes of it
   * @throws RefusedForNowException SW805
   * @throws ShardwrightException SW802, SW804
   * @throws IncompleteException SW803
   * @throws SQLException from the shards
   */
  public QueryAnswer ask(byte[] json, Caller caller) throws SQLException {
    RequestProblems problems = new RequestProblems();
    Optional<QueryRequest> request = RequestReader.read(json, problems);
    if (request.isEmpty()) {
      problems.throwIfAny();
    }
    return ask(request.orElseThrow(), caller, problems);
  }

  /** Whether it is a request that its caller wants to be asked again until it is complete. */
  public static boolean isAsync(byte[] json) {
    return RequestReader.read(json, new RequestProblems())
        .filter(request -> request.onPartial() == OnPartial.ASYNC)
        .isPresent();
  }

  /** The same for a request in Java. */
  public QueryAnswer ask(QueryRequest request) throws SQLException {
    return ask(request, Caller.ANYONE);
  }

  /** The same with what the caller may ask. */
  public QueryAnswer ask(QueryRequest request, Caller caller) throws SQLException {
    return ask(request, caller, new RequestProblems());
  }

  private QueryAnswer ask(QueryRequest request, Caller caller, RequestProblems problems)
      throws SQLException {
    long start = System.nanoTime();
    Optional<TableShape> table = tables.shape(request.table(), problems);
    if (table.isEmpty()) {
      problems.throwIfAny();
    }
    PagePlanner planner =
        new PagePlanner(rules, table.orElseThrow(), tables.product(), cursors, caller, problems);
    if (request.consistency() == Consistency.SETTLEMENT) {
      return settled(
          request, settlementPlanner(planner, table.get(), caller, problems), caller, start);
    }
    PagePlan plan = planner.plan(request);
    plan.index().check(indexes);
    Optional<String> advice = plan.byKey() ? Optional.empty() : checkRate(plan.shape());
    if (request.writeToken().isPresent()) {
      Duration left = plan.timeout().minusNanos(System.nanoTime() - start);
      source.awaitWrites(WriteToken.parse(request.writeToken().get()), left);
    }
    int statements = (plan.late().isPresent() ? 2 : 1) + (plan.count().isPresent() ? 1 : 0);
    try (ShardsQuestion shards = question(start, plan.timeout(), statements)) {
      PageReader.Page page = new PageReader(plan, cursors, request.onPartial()).read(shards);
      Optional<QueryAnswer.Counted> counted = Optional.empty();
      Coverage coverage = page.coverage();
      if (plan.count().isPresent()) {
        CountPlan count = plan.count().get();
        RowCount number =
            count.count().kind() == Count.Kind.ESTIMATE
                ? estimate(count, coverage, start + plan.timeout().toNanos())
                : shards.ask(count.sql(), count.parameters(), rows -> count(count, rows));
        coverage = coverage.with(number.coverage());
        counted = Optional.of(new QueryAnswer.Counted(count.count(), number.value()));
      }
      if (!coverage.missing().isEmpty() && request.onPartial() != OnPartial.PARTIAL) {
        throw new IncompleteException(coverage);
      }
      return new QueryAnswer(
          UUID.randomUUID().toString(),
          plan.shape(),
          plan.shown().stream().map(Shown::name).toList(),
          page.rows(),
          page.end().isPresent(),
          page.end(),
          !plan.lackingBefore(),
          counted,
          advice,
          coverage,
          request.consistency(),
          new QueryAnswer.Time(plan.time().name(), plan.time().purpose()),
          Duration.ofNanos(System.nanoTime() - start),
          Optional.empty());
    }
  }

  /**
   * Counts, sums and the like over rows of all shards.
   *
   * @param json as docs/gateway.md describes it, in UTF-8
   * @throws RequestRefusedException SW801 with all mistakes of it, or when there are too many
   *     groups
   * @throws RefusedForNowException SW805
   * @throws ShardwrightException SW804
   * @throws IncompleteException SW803
   * @throws SQLException from the shards
   */
  public AggregateAnswer aggregate(byte[] json, Caller caller) throws SQLException {
    RequestProblems problems = new RequestProblems();
    Optional<AggregateRequest> request = AggregateReader.read(json, problems);
    if (request.isEmpty()) {
      problems.throwIfAny();
    }
    return aggregate(request.orElseThrow(), caller, problems);
  }

  /** The same for a request in Java. */
  public AggregateAnswer aggregate(AggregateRequest request, Caller caller) throws SQLException {
    return aggregate(request, caller, new RequestProblems());
  }

  private AggregateAnswer aggregate(
      AggregateRequest request, Caller caller, RequestProblems problems) throws SQLException {
    long start = System.nanoTime();
    Optional<TableShape> table = tables.shape(request.table(), problems);
    if (table.isEmpty()) {
      problems.throwIfAny();
    }
    AggregatePlan plan =
        new AggregatePlanner(rules, table.orElseThrow(), tables.product(), caller, problems)
            .plan(request);
    plan.index().check(indexes);
    Optional<String> advice = plan.byKey() ? Optional.empty() : checkRate(plan.shape());
    Aggregation aggregation = new Aggregation(plan);
    int statements = plan.exact().isPresent() && plan.values().isPresent() ? 2 : 1;
    Optional<Coverage> coverage = Optional.empty();
    try (ShardsQuestion shards = question(start, plan.timeout(), statements)) {
      if (plan.exact().isPresent()) {
        coverage =
            Optional.of(
                shards.ask(plan.exact().get(), plan.parameters(), covered(aggregation::addExact)));
      }
      if (plan.values().isPresent()) {
        Coverage made =
            shards.stream(plan.values().get(), plan.parameters(), covered(aggregation::addValues));
        coverage = Optional.of(coverage.map(made::with).orElse(made));
      }
    }
    if (!coverage.orElseThrow().missing().isEmpty() && request.onPartial() == OnPartial.FAIL) {
      throw new IncompleteException(coverage.get());
    }
    return new AggregateAnswer(
        UUID.randomUUID().toString(),
        plan.shape(),
        aggregation.groups(),
        advice,
        coverage.get(),
        request.consistency(),
        new QueryAnswer.Time(plan.time().name(), plan.time().purpose()),
        Duration.ofNanos(System.nanoTime() - start));
  }

  private interface Rows {
    void read(ResultSet rows) throws SQLException;
  }

  private static ShardsQuestion.Reader<Coverage> covered(Rows rows) {
    return found -> {
      Coverage coverage = ShardsQuestion.coverage(found);
      rows.read(found);
      return coverage;
    };
  }

  private ShardsQuestion question(long startNanos, Duration timeout, int statements)
      throws SQLException {
    ScatterLimits limits = new ScatterLimits(rules.limits().shardTimeout(), RETRIES, breaker);
    return new ShardsQuestion(source, limits, statements, startNanos + timeout.toNanos());
  }

  private SettlementPlanner settlementPlanner(
      PagePlanner planner, TableShape table, Caller caller, RequestProblems problems) {
    return new SettlementPlanner(
        planner, rules.tables().get(table.name()), table, caller, cursors, problems);
  }

  /** From a number that is kept, or that is made for it. */
  private QueryAnswer settled(
      QueryRequest request, SettlementPlanner planner, Caller caller, long start)
      throws SQLException {
    SettlementPlan plan = planner.plan(request);
    Settlements kept =
        settlements.orElseThrow(
            () ->
                new ShardwrightException(
                    ErrorCode.SETTLEMENT_REFUSED,
                    "consistency settlement keeps what it gives out, and query.directory is missing"
                        + " in the file; write directory: /var/lib/shardwright"));
    SettlementPlan.Content content = plan.content();
    SettlementPlan.Page page =
        plan.page().isPresent()
            ? plan.page().get()
            : new SettlementPlan.Page(
                kept.number(
                    content,
                    request.settlement(),
                    caller.name(),
                    start + plan.timeout().toNanos(),
                    () -> permit(content, caller)),
                0);
    Settlements.Read read = kept.read(plan, page, request.settlement().differenceFrom());
    Settlement settlement = read.view().settlement();
    Optional<String> next = Optional.empty();
    if (read.more()) {
      List<String> place = List.of(String.valueOf(page.number()), String.valueOf(read.end()));
      next =
          Optional.of(
              cursors.encode(
                  new Cursor(
                      plan.fingerprint(), settlement.mapVersion().orElse(-1), false, place)));
    }
    return new QueryAnswer(
        UUID.randomUUID().toString(),
        content.shape(),
        plan.shown().stream().map(Shown::name).toList(),
        read.rows(),
        read.more(),
        next,
        true,
        counted(request.count(), settlement.rows()),
        Optional.empty(),
        new Coverage(
            List.copyOf(settlement.shards().keySet()),
            Map.of(),
            Map.of(),
            0,
            settlement.mapVersion()),
        request.consistency(),
        new QueryAnswer.Time(content.time().name(), content.time().purpose()),
        Duration.ofNanos(System.nanoTime() - start),
        Optional.of(read.view()));
  }

  private void permit(SettlementPlan.Content content, Caller caller) throws SQLException {
    if (!caller.role().exports()) {
      throw new ShardwrightException(
          ErrorCode.SETTLEMENT_REFUSED,
          "role "
              + caller.role().name()
              + " may not have a number made, which keeps files; set exports: true for it, or read"
              + " one that is there");
    }
    content.index().check(indexes);
    if (!content.byKey()) {
      checkRate(content.shape());
    }
  }

  private static Optional<QueryAnswer.Counted> counted(Count count, long rows) {
    return switch (count.kind()) {
      case NONE -> Optional.empty();
      // It costs nothing to be exact.
      case EXACT, ESTIMATE -> Optional.of(new QueryAnswer.Counted(Count.EXACT, rows));
      case AT_LEAST -> Optional.of(new QueryAnswer.Counted(count, Math.min(rows, count.atLeast())));
    };
  }

  private record RowCount(long value, Coverage coverage) {}

  /** What a caller who asks often is told. */
  private Optional<String> checkRate(String shape) {
    RateBudgets.Decision decision = budgets.ask(shape);
    if (decision.refusedFor() != null) {
      throw new RefusedForNowException(
          ErrorCode.QUERY_RATE,
          "queries of this shape went to all shards more often than query.rate allows ("
              + rules.limits().rate()
              + " in a second); nothing was sent; ask again later, name the route key, or have a"
              + " copy of the rows answer what is asked so often",
          decision.refusedFor());
    }
    return decision.isFrequent()
        ? Optional.of(
            "queries of this shape went to all shards "
                + decision.inWindow()
                + " times in ten seconds: a projection, ordered by time, should answer them")
        : Optional.empty();
  }

  private RowCount estimate(CountPlan plan, Coverage page, long endNanos) {
    Estimates.Estimate made =
        estimates.of(
            page.answered(),
            plan.sql(),
            plan.parameters(),
            Duration.ofNanos(endNanos - System.nanoTime()));
    return new RowCount(
        made.rows(), new Coverage(page.expected(), made.missing(), Map.of(), 0, page.mapVersion()));
  }

  private static RowCount count(CountPlan plan, ResultSet rows) throws SQLException {
    Coverage coverage = ShardsQuestion.coverage(rows);
    long value = 0;
    if (plan.count().kind() == Count.Kind.EXACT) {
      rows.next();
      value = rows.getLong(1);
    } else {
      while (rows.next()) {
        value++;
      }
    }
    return new RowCount(value, coverage);
  }

  /** Shards that are not asked for a while because they kept failing, and why. */
  public Map<ShardId, String> resting() {
    return breaker.resting();
  }

  @Override
  public void close() {
    exports.ifPresent(ExportJobs::close);
    background.shutdownNow();
    settlements.ifPresent(Settlements::close);
    directory.ifPresent(GatewayDirectory::close);
  }
}
