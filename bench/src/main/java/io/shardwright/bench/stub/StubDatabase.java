package io.shardwright.bench.stub;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A shard without a server. The benchmark's statements on orders and buyers are answered from
 * memory: every SELECT with the same row, every write with one row changed. Any other statement
 * (identity, schema, settings: what a driver asks when it opens) is passed once to a real database
 * and answered from that recording afterwards, until {@link #seal} cuts the real one off.
 *
 * <p>Counts what would be round trips. Thread-safe.
 */
public final class StubDatabase {
  private static final StubAnswer ONE_ORDER =
      one(List.of("order_id", "status", "total_amount"), 4_711L, "PAID", new BigDecimal("12.34"));

  private static final StubAnswer ONE_NEW_ORDER =
      one(
          List.of("order_id", "status", "total_amount", "created_at"),
          4_711L,
          "PAID",
          new BigDecimal("12.34"),
          new Timestamp(1_767_225_600_000L));

  private static final StubAnswer ONE_BUYER = one(List.of("buyer_id", "name"), 42L, "Buyer 42");

  /** Beginnings of statements, and their answers. */
  private static final Map<String, StubAnswer> KNOWN = new LinkedHashMap<>();

  static {
    KNOWN.put("select order_id, status, total_amount, created_at", ONE_NEW_ORDER);
    KNOWN.put("select order_id, status, total_amount", ONE_ORDER);
    KNOWN.put("select buyer_id, name", ONE_BUYER);
    for (String table : List.of("orders", "order_items", "payments", "order_events")) {
      KNOWN.put("insert into " + table, StubAnswer.ONE_ROW_CHANGED);
    }
    KNOWN.put("update orders", StubAnswer.ONE_ROW_CHANGED);
    KNOWN.put("delete from orders", StubAnswer.ONE_ROW_CHANGED);
    KNOWN.put("set ", StubAnswer.ONE_ROW_CHANGED);
  }

  private final String url;
  private final String user;
  private final String password;
  private final Map<List<Object>, StubAnswer> recorded = new ConcurrentHashMap<>();
  private final Map<String, Boolean> unknownTexts = new ConcurrentHashMap<>();
  private final Map<String, StubAnswer> knownTexts = new ConcurrentHashMap<>();
  private final AtomicLong executions = new AtomicLong();
  private final AtomicLong transactionEnds = new AtomicLong();
  private Connection metaConnection;
  private DatabaseMetaData metaData;
  private volatile boolean sealed;

  /**
   * @param url of the real database that is asked what is not known
   */
  StubDatabase(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /** Of the database behind. */
  String name() {
    return url.substring(url.lastIndexOf('/') + 1);
  }

  /** Statements executed so far; one batch is one. */
  public long executions() {
    return executions.get();
  }

  /** Commits and rollbacks so far. */
  public long transactionEnds() {
    return transactionEnds.get();
  }

  /**
   * From here on what is neither known nor recorded fails. The meta data keep what pgjdbc knows
   * without asking.
   */
  public synchronized void seal() {
    sealed = true;
    if (metaConnection != null) {
      try {
        metaConnection.close();
      } catch (SQLException e) {
        throw new IllegalStateException("stub: the server behind cannot be left", e);
      }
    }
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
    for (Map.Entry<String, StubAnswer> answer : KNOWN.entrySet()) {
      if (sql.regionMatches(true, 0, answer.getKey(), 0, answer.getKey().length())) {
        return answer.getValue();
      }
    }
    return null;
  }

  private static StubAnswer one(List<String> columns, Object... values) {
    List<StubAnswer.Type> types = new ArrayList<>();
    for (Object value : values) {
      types.add(type(value));
    }
    return new StubAnswer(List.of(new StubAnswer.Rows(columns, types, List.of(List.of(values)))));
  }

  private static StubAnswer.Type type(Object value) {
    if (value instanceof Long) {
      return new StubAnswer.Type(Types.BIGINT, "int8", false);
    }
    if (value instanceof BigDecimal) {
      return new StubAnswer.Type(Types.NUMERIC, "numeric", false);
    }
    return value instanceof Timestamp
        ? new StubAnswer.Type(Types.TIMESTAMP, "timestamptz", false)
        : new StubAnswer.Type(Types.VARCHAR, "text", false);
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

  synchronized DatabaseMetaData metaData() throws SQLException {
    if (metaData == null) {
      metaConnection = connect();
      metaData = metaConnection.getMetaData();
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
    ResultSetMetaData described = source.getMetaData();
    int width = described.getColumnCount();
    List<String> columns = new ArrayList<>();
    List<StubAnswer.Type> types = new ArrayList<>();
    for (int column = 1; column <= width; column++) {
      columns.add(described.getColumnLabel(column));
      types.add(
          new StubAnswer.Type(
              described.getColumnType(column),
              described.getColumnTypeName(column),
              described.isAutoIncrement(column)));
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
    return new StubAnswer.Rows(columns, types, rows);
  }
}
