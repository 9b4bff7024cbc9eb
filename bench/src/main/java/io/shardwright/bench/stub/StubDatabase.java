package io.shardwright.bench.stub;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A shard without a server. Statements on the table {@code orders} are answered from memory: every
 * SELECT with the same row of three columns, every write with one row changed. Any other statement
 * (identity, schema, settings: what a driver asks when it opens) is passed once to a real database
 * and answered from that recording afterwards, until {@link #seal} cuts the real one off.
 *
 * <p>Counts what would be round trips. Thread-safe.
 */
public final class StubDatabase {
  private static final StubAnswer ONE_ORDER =
      new StubAnswer(
          List.of(
              new StubAnswer.Rows(
                  List.of("order_id", "status", "total_amount"),
                  List.of(List.of(4_711L, "PAID", new BigDecimal("12.34"))))));

  private final String url;
  private final String user;
  private final String password;
  private final Map<List<Object>, StubAnswer> recorded = new ConcurrentHashMap<>();
  private final Map<String, Boolean> unknownTexts = new ConcurrentHashMap<>();
  private final Map<String, StubAnswer> knownTexts = new ConcurrentHashMap<>();
  private final AtomicLong executions = new AtomicLong();
  private final AtomicLong transactionEnds = new AtomicLong();
  private volatile DatabaseMetaData metaData;
  private volatile boolean sealed;

  /**
   * @param url of the real database that is asked what is not known
   */
  StubDatabase(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /** Statements executed so far; one batch is one. */
  public long executions() {
    return executions.get();
  }

  /** Commits and rollbacks so far. */
  public long transactionEnds() {
    return transactionEnds.get();
  }

  /** From here on what is neither known nor recorded fails. */
  public void seal() {
    sealed = true;
  }

  void countExecution() {
    executions.getAndIncrement();
  }

  void countTransactionEnd() {
    transactionEnds.getAndIncrement();
  }

  /** Like {@link #known}, at the cost of one look-up from the second time on. */
  StubAnswer knownPrepared(String sql) {
    StubAnswer answer = knownTexts.get(sql);
    if (answer == null && !unknownTexts.containsKey(sql)) {
      answer = known(sql);
      if (answer == null) {
        unknownTexts.put(sql, true);
      } else {
        knownTexts.put(sql, answer);
      }
    }
    return answer;
  }

  /** The answer that needs no recording, or null. */
  StubAnswer known(String sql) {
    String text = sql.strip().toLowerCase(Locale.ROOT);
    boolean select = text.startsWith("select order_id, status, total_amount");
    boolean write =
        text.startsWith("insert into orders")
            || text.startsWith("update orders")
            || text.startsWith("delete from orders");
    if (select) {
      return ONE_ORDER;
    }
    return write || text.startsWith("set ") ? StubAnswer.ONE_ROW_CHANGED : null;
  }

  StubAnswer recorded(String sql, List<Object> parameters) throws SQLException {
    List<Object> key = List.of(sql, parameters.toString());
    StubAnswer answer = recorded.get(key);
    if (answer == null) {
      if (sealed) {
        throw new SQLException("stub: nobody to ask: " + sql);
      }
      answer = ask(sql, parameters);
      recorded.put(key, answer);
    }
    return answer;
  }

  DatabaseMetaData metaData() throws SQLException {
    if (metaData == null) {
      try (Connection connection = connect()) {
        metaData = connection.getMetaData();
      }
    }
    return metaData;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }

  private StubAnswer ask(String sql, List<Object> parameters) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        Object value = parameters.get(i);
        statement.setObject(
            i + 1,
            value instanceof StubArray array
                ? connection.createArrayOf(array.getBaseTypeName(), array.getArray())
                : value);
      }
      List<StubAnswer.Rows> results = new ArrayList<>();
      boolean rows = statement.execute();
      while (rows) {
        results.add(copy(statement.getResultSet()));
        rows = statement.getMoreResults();
      }
      return new StubAnswer(results);
    }
  }

  private static StubAnswer.Rows copy(ResultSet source) throws SQLException {
    int width = source.getMetaData().getColumnCount();
    List<String> columns = new ArrayList<>();
    for (int column = 1; column <= width; column++) {
      columns.add(source.getMetaData().getColumnLabel(column));
    }
    List<List<Object>> rows = new ArrayList<>();
    while (source.next()) {
      Object[] values = new Object[width];
      for (int column = 1; column <= width; column++) {
        Object value = source.getObject(column);
        values[column - 1] =
            value instanceof Array array
                ? new StubArray(array.getBaseTypeName(), (Object[]) array.getArray())
                : value;
      }
      rows.add(Arrays.asList(values));
    }
    return new StubAnswer.Rows(columns, rows);
  }
}
