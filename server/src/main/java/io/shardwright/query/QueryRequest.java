package io.shardwright.query;

import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.driver.WriteToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A question for rows of all shards, as docs/gateway.md describes it. What is wrong with it is told
 * by {@link QueryGateway#ask}.
 *
 * @param group of the table; empty: whichever it is in
 * @param select columns in the order wanted
 * @param order before the tie-breakers; empty: by time, the newest first
 * @param limit rows of one page
 * @param timeout empty: that of the file
 * @param cursor of the page before; empty: the first page
 * @param settlement which number, for that consistency
 * @param writeToken of the writes that the answer has to show, for read-your-writes
 */
public record QueryRequest(
    Optional<String> group,
    String table,
    List<String> select,
    TimeRange time,
    List<Condition> where,
    List<Order> order,
    int limit,
    Consistency consistency,
    OnPartial onPartial,
    Count count,
    Optional<Duration> timeout,
    Optional<String> cursor,
    SettlementChoice settlement,
    Optional<String> writeToken) {
  public static final int LIMIT_DEFAULT = 50;

  public QueryRequest {
    select = List.copyOf(select);
    where = List.copyOf(where);
    order = List.copyOf(order);
  }

  /** The rows of a table in a range of time, the newest first, 50 at most, of all shards. */
  public static QueryRequest of(String table, List<String> select, TimeRange time) {
    return new QueryRequest(
        Optional.empty(),
        table,
        select,
        time,
        List.of(),
        List.of(),
        LIMIT_DEFAULT,
        Consistency.SHARD_LATEST,
        OnPartial.FAIL,
        Count.NONE,
        Optional.empty(),
        Optional.empty(),
        SettlementChoice.LAST,
        Optional.empty());
  }

  public QueryRequest where(Condition... conditions) {
    return with(List.of(conditions), order, limit, onPartial, cursor);
  }

  public QueryRequest orderBy(Order... items) {
    return with(where, List.of(items), limit, onPartial, cursor);
  }

  public QueryRequest limit(int rows) {
    return with(where, order, rows, onPartial, cursor);
  }

  public QueryRequest onPartial(OnPartial what) {
    return with(where, order, limit, what, cursor);
  }

  /** The page behind the one whose cursor this is. */
  public QueryRequest after(String pageCursor) {
    return with(where, order, limit, onPartial, Optional.of(pageCursor));
  }

  public QueryRequest count(Count what) {
    return new QueryRequest(
        group,
        table,
        select,
        time,
        where,
        order,
        limit,
        consistency,
        onPartial,
        what,
        timeout,
        cursor,
        settlement,
        writeToken);
  }

  /** Rows with all that was written before the token was made. */
  public QueryRequest seeing(WriteToken token) {
    return new QueryRequest(
        group,
        table,
        select,
        time,
        where,
        order,
        limit,
        Consistency.READ_YOUR_WRITES,
        onPartial,
        count,
        timeout,
        cursor,
        SettlementChoice.LAST,
        Optional.of(token.toString()));
  }

  /** Rows of a settlement: the range ends with the cut-off. */
  public QueryRequest settlement(SettlementChoice which) {
    return new QueryRequest(
        group,
        table,
        select,
        time,
        where,
        order,
        limit,
        Consistency.SETTLEMENT,
        onPartial,
        count,
        timeout,
        cursor,
        which,
        Optional.empty());
  }

  private QueryRequest with(
      List<Condition> conditions,
      List<Order> items,
      int rows,
      OnPartial what,
      Optional<String> page) {
    return new QueryRequest(
        group,
        table,
        select,
        time,
        conditions,
        items,
        rows,
        consistency,
        what,
        count,
        timeout,
        page,
        settlement,
        writeToken);
  }

  /**
   * Instants with {@code from <= value < to}.
   *
   * @param purpose which question it is; empty: that of the column
   * @param column empty: that of the purpose
   */
  public record TimeRange(
      Optional<Purpose> purpose, Optional<String> column, Instant from, Instant to) {
    public static TimeRange of(String column, Instant from, Instant to) {
      return new TimeRange(Optional.empty(), Optional.of(column), from, to);
    }
  }

  /**
   * @param values one, but for IN (one at least) and for tests of NULL (none). Whole numbers,
   *     decimals, texts, booleans; times as ISO 8601
   */
  public record Condition(String column, Test test, List<Object> values) {
    public Condition {
      values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    public static Condition equal(String column, Object value) {
      return new Condition(column, Test.EQ, List.of(value));
    }

    public static Condition in(String column, Object... values) {
      return new Condition(column, Test.IN, List.of(values));
    }
  }

  /** What a condition compares by. */
  public enum Test {
    EQ("eq", "="),
    IN("in", "IN"),
    GT("gt", ">"),
    GTE("gte", ">="),
    LT("lt", "<"),
    LTE("lte", "<="),
    /** {@code "null": true} */
    NULL("null", "IS NULL"),
    /** {@code "null": false} */
    NOT_NULL("null", "IS NOT NULL");

    private final String word;
    private final String sql;

    Test(String word, String sql) {
      this.word = word;
      this.sql = sql;
    }

    /** As it is written in requests. */
    public String word() {
      return word;
    }

    String sql() {
      return sql;
    }
  }

  public record Order(String column, boolean descending) {}

  /** Of which moment the answer is. */
  public enum Consistency {
    /** Each shard as of its own now. */
    SHARD_LATEST("shard-latest"),
    /** As shard-latest, and what was written before a token was made is in it. */
    READ_YOUR_WRITES("read-your-writes"),
    WATERMARK("watermark"),
    SETTLEMENT("settlement");

    private final String word;

    Consistency(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** What becomes of a query when shards do not answer. */
  public enum OnPartial {
    /** It fails. */
    FAIL("fail"),
    /** The rows of the others, and which are missing. */
    PARTIAL("partial"),
    /** A job of the gateway asks again until all answer; in Java, who asks does that: it fails. */
    ASYNC("async");

    private final String word;

    OnPartial(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }
}
