package io.shardwright.query;

import io.shardwright.config.Configuration;
import io.shardwright.config.QueryRules;
import io.shardwright.driver.Completeness;
import io.shardwright.driver.ScatterLimits;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.driver.ShardwrightSession;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.PagePlan.SortKey;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryRequest.OnPartial;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Answers questions across all shards: request, plan, one statement that the driver sends to all
 * shards and merges, answer with its coverage. Thread-safe; the data source is the caller's.
 */
public final class QueryGateway {
  private static final int RETRIES = 1;

  private final ShardwrightDataSource source;
  private final QueryRules rules;
  private final Tables tables;
  private final CursorCodec cursors;
  private final CircuitBreaker breaker;

  /**
   * @throws ShardwrightException SW101 when the file has no {@code query:}, SW105 when it does not
   *     fit the tables
   */
  public QueryGateway(ShardwrightDataSource source, Configuration configuration) {
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
    this.cursors =
        new CursorCodec(
            rules.cursorKeys().stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toList());
    tables.checkAll();
  }

  /**
   * @param json as docs/gateway.md describes it, in UTF-8
   * @throws RequestRefusedException SW801 with all mistakes of it
   * @throws IncompleteException SW803
   * @throws SQLException from the shards
   */
  public QueryAnswer ask(byte[] json) throws SQLException {
    RequestProblems problems = new RequestProblems();
    Optional<QueryRequest> request = RequestReader.read(json, problems);
    if (request.isEmpty()) {
      problems.throwIfAny();
    }
    return ask(request.orElseThrow(), problems);
  }

  /** The same for a request in Java. */
  public QueryAnswer ask(QueryRequest request) throws SQLException {
    return ask(request, new RequestProblems());
  }

  private QueryAnswer ask(QueryRequest request, RequestProblems problems) throws SQLException {
    long start = System.nanoTime();
    Optional<TableShape> table = tables.shape(request.table(), problems);
    if (table.isEmpty()) {
      problems.throwIfAny();
    }
    PagePlan plan =
        new PagePlanner(rules, table.orElseThrow(), tables.product(), cursors, problems)
            .plan(request);
    try (Connection connection = source.getConnection()) {
      ShardwrightSession session = connection.unwrap(ShardwrightSession.class);
      session.set("scatter", "allow");
      session.set("partial", "allow");
      session.set("timeout", plan.timeout().toMillis() + "ms");
      session.scatterWithin(new ScatterLimits(rules.limits().shardTimeout(), RETRIES, breaker));
      try (PreparedStatement statement = connection.prepareStatement(plan.sql())) {
        for (int i = 0; i < plan.parameters().size(); i++) {
          statement.setObject(i + 1, plan.parameters().get(i));
        }
        try (ResultSet rows = statement.executeQuery()) {
          return answer(request, plan, rows, start);
        }
      }
    }
  }

  private QueryAnswer answer(QueryRequest request, PagePlan plan, ResultSet rows, long start)
      throws SQLException {
    Completeness made = rows.unwrap(Completeness.class);
    Coverage coverage =
        new Coverage(
            made.expected(), made.missing(), made.elapsed(), made.retries(), made.mapVersion());
    if (!made.isComplete() && request.onPartial() == OnPartial.FAIL) {
      throw new IncompleteException(coverage);
    }
    List<List<Object>> page = new ArrayList<>();
    boolean lacking = plan.lackingBefore() || !made.isComplete();
    String end = null;
    boolean more = rows.next();
    while (more && page.size() < plan.limit()) {
      page.add(row(plan.shown(), rows));
      if (page.size() == plan.limit()) {
        end = cursors.encode(cursor(plan, rows, made, lacking));
      }
      more = rows.next();
    }
    return new QueryAnswer(
        UUID.randomUUID().toString(),
        plan.shown().stream().map(Shown::name).toList(),
        page,
        more,
        more ? Optional.of(end) : Optional.empty(),
        !plan.lackingBefore(),
        coverage,
        request.consistency(),
        new QueryAnswer.Time(plan.time().name(), plan.time().purpose()),
        Duration.ofNanos(System.nanoTime() - start));
  }

  /** Behind the row on which the result is. */
  private static Cursor cursor(PagePlan plan, ResultSet row, Completeness made, boolean lacking)
      throws SQLException {
    List<String> values = new ArrayList<>();
    for (SortKey key : plan.keys()) {
      Object value = key.type().read(row, key.position());
      values.add(value == null ? null : key.type().show(value).toString());
    }
    return new Cursor(plan.fingerprint(), made.mapVersion().orElse(-1), lacking, values);
  }

  private static List<Object> row(List<Shown> columns, ResultSet rows) throws SQLException {
    List<Object> row = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      ColumnType type = columns.get(i).type();
      Object value = type.read(rows, i + 1);
      row.add(value == null ? null : type.show(value));
    }
    return row;
  }
}
