package io.shardwright.query;

import io.shardwright.config.Configuration;
import io.shardwright.config.QueryAccess.Role;
import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.Limits;
import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.driver.ScatterLimits;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryRequest.Order;
import io.shardwright.routing.ShardId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The rows of an export, page by page: by time, id and bucket, merged by the driver, each page
 * behind the last row of the one before. A row's place in that order is the same wherever its
 * bucket is, so that a move between two pages, or during one, neither loses a row nor gives it
 * twice. Thread-safe.
 */
final class ExportPages {
  private final ShardwrightDataSource source;
  private final Configuration configuration;
  private final QueryRules rules;
  private final Tables tables;
  private final CursorCodec cursors;
  private final ScatterLimits limits;
  private final TableIndexes indexes;

  /**
   * @param rules of queries
   */
  ExportPages(
      ShardwrightDataSource source,
      Configuration configuration,
      QueryRules rules,
      Tables tables,
      CursorCodec cursors,
      ScatterLimits limits,
      TableIndexes indexes) {
    this.source = source;
    this.configuration = configuration;
    this.rules = forExports(rules);
    this.tables = tables;
    this.cursors = cursors;
    this.limits = limits;
    this.indexes = indexes;
  }

  /** An export has a span of its own. */
  private static QueryRules forExports(QueryRules rules) {
    Map<String, QueryTable> wider = new LinkedHashMap<>();
    rules
        .tables()
        .forEach(
            (name, table) ->
                wider.put(name, table.withSpan(rules.exports().span().orElse(table.span()))));
    return new QueryRules(
        rules.limits(),
        rules.cursorKeys(),
        wider,
        rules.access(),
        rules.directory(),
        rules.exports(),
        rules.async());
  }

  /** What the role says of pages is not about exports, which have many. */
  private static Caller forExports(Caller caller) {
    Role role = caller.role();
    return new Caller(
        caller.name(),
        new Role(
            role.name(),
            role.tables(),
            role.columns(),
            OptionalInt.empty(),
            role.span(),
            role.concurrency(),
            role.unmasked(),
            role.exports(),
            role.where()),
        caller.bounds());
  }

  /** Whether a column that was shown whole is masked now for those who are not unmasked. */
  boolean isMasked(String table, String column) {
    QueryTable rule = rules.tables().get(table);
    return rule == null || rule.masked().contains(column);
  }

  Limits limits() {
    return rules.limits();
  }

  /** Rows of a page. */
  int rows() {
    return Math.min(rules.limits().rows(), rules.exports().rate());
  }

  /**
   * @param after where the page before ended; empty: the first page
   * @param rows of the page at most
   * @throws io.shardwright.errors.ShardwrightException SW801 with all mistakes, SW802
   */
  PagePlan plan(
      ExportRequest request,
      Caller caller,
      Optional<String> after,
      int rows,
      RequestProblems problems)
      throws SQLException {
    Optional<TableShape> table = tables.shape(request.table(), problems);
    if (table.isEmpty()) {
      problems.throwIfAny();
    }
    return new PagePlanner(
            rules, table.orElseThrow(), tables.product(), cursors, forExports(caller), problems)
        .plan(query(request, after, rows));
  }

  private QueryRequest query(ExportRequest request, Optional<String> after, int rows) {
    return new QueryRequest(
        request.group(),
        request.table(),
        request.select(),
        request.time(),
        request.where(),
        order(request).map(List::of).orElse(List.of()),
        rows,
        QueryRequest.Consistency.SHARD_LATEST,
        QueryRequest.OnPartial.FAIL,
        Count.NONE,
        Optional.empty(),
        after,
        SettlementChoice.LAST,
        Optional.empty());
  }

  /** By time, the oldest first; empty when the time is wrong, which the planner tells. */
  private Optional<Order> order(ExportRequest request) {
    if (request.time() == null || !rules.tables().containsKey(request.table())) {
      return Optional.empty();
    }
    QueryTable table = rules.tables().get(request.table());
    return request
        .time()
        .column()
        .filter(column -> table.purposeOf(column).isPresent())
        .or(() -> request.time().purpose().map(table.times()::get))
        .map(column -> new Order(column, false));
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException SW804
   */
  void checkIndexes(PagePlan plan) {
    plan.index().check(indexes);
  }

  /**
   * @param values of each row, of the shown columns
   * @param first time of the first row; empty: there is none
   * @param end behind the last row; null when there is none
   * @param more whether rows follow
   */
  record Page(
      List<Object[]> values,
      Optional<Instant> first,
      Optional<Instant> last,
      String end,
      boolean more,
      int retries,
      long mapVersion) {}

  /**
   * A page of all shards.
   *
   * @throws IncompleteException SW803
   */
  Page read(PagePlan plan) throws SQLException {
    long end = System.nanoTime() + plan.timeout().toNanos();
    try (ShardsQuestion shards = new ShardsQuestion(source, limits, 1, end)) {
      return shards.ask(plan.sql(), plan.parameters(), rows -> page(plan, rows));
    }
  }

  private Page page(PagePlan plan, ResultSet rows) throws SQLException {
    Coverage coverage = complete(rows);
    List<Object[]> values = new ArrayList<>();
    Instant first = null;
    Instant last = null;
    String end = null;
    boolean more = rows.next();
    while (more && values.size() < plan.limit()) {
      values.add(values(plan.shown(), rows));
      if (values.size() == plan.limit()) {
        end = behind(plan, rows, coverage);
      }
      last = moment(plan.keys().get(0), rows);
      first = first == null ? last : first;
      more = rows.next();
    }
    complete(rows);
    return new Page(
        values,
        Optional.ofNullable(first),
        Optional.ofNullable(last),
        end,
        more,
        coverage.retries(),
        coverage.mapVersion().orElse(-1));
  }

  private String behind(PagePlan plan, ResultSet row, Coverage coverage) throws SQLException {
    List<String> values = new ArrayList<>();
    for (PagePlan.SortKey key : plan.keys()) {
      values.add(key.type().show(key.type().read(row, key.position())).toString());
    }
    return cursors.encode(
        new Cursor(plan.fingerprint(), coverage.mapVersion().orElse(-1), false, values));
  }

  private static Coverage complete(ResultSet rows) throws SQLException {
    Coverage coverage = ShardsQuestion.coverage(rows);
    if (!coverage.missing().isEmpty()) {
      throw new IncompleteException(coverage);
    }
    return coverage;
  }

  private static Object[] values(List<Shown> columns, ResultSet rows) throws SQLException {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).type().read(rows, i + 1);
    }
    return values;
  }

  private static Instant moment(PagePlan.SortKey key, ResultSet rows) throws SQLException {
    Object value = key.type().read(rows, key.position());
    return value instanceof OffsetDateTime moment
        ? moment.toInstant()
        : ((LocalDateTime) value).toInstant(ZoneOffset.UTC);
  }

  /** Of all shards, now. */
  Map<ShardId, Map<String, String>> positions() throws SQLException {
    return LogPositions.read(configuration);
  }
}
