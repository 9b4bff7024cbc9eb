package io.shardwright.query;

import io.shardwright.query.PagePlan.LatePlan;
import io.shardwright.query.PagePlan.SortKey;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryRequest.OnPartial;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the page of a plan. For one request. */
final class PageReader {
  private final PagePlan plan;
  private final CursorCodec cursors;
  private final OnPartial onPartial;

  /**
   * @param end the cursor behind the page; empty: no more rows follow
   */
  record Page(List<List<Object>> rows, Optional<String> end, Coverage coverage) {}

  /** The sort keys of one row more than the page has, when there is one. */
  private record Keys(List<List<Object>> values, Coverage coverage) {}

  /** Rows by their sort keys. */
  private record Rows(Map<List<Object>, List<Object>> byKeys, Coverage coverage) {}

  PageReader(PagePlan plan, CursorCodec cursors, OnPartial onPartial) {
    this.plan = plan;
    this.cursors = cursors;
    this.onPartial = onPartial;
  }

  /**
   * @throws IncompleteException SW803 when shards are missing that the caller does not do without
   */
  Page read(ShardsQuestion shards) throws SQLException {
    return plan.late().isPresent()
        ? keysThenRows(shards, plan.late().get())
        : shards.ask(plan.sql(), plan.parameters(), this::page);
  }

  private Page page(ResultSet rows) throws SQLException {
    Coverage coverage = checked(ShardsQuestion.coverage(rows));
    List<List<Object>> page = new ArrayList<>();
    String end = null;
    boolean more = rows.next();
    while (more && page.size() < plan.limit()) {
      page.add(row(rows));
      if (page.size() == plan.limit()) {
        end = cursor(keys(rows, false), coverage);
      }
      more = rows.next();
    }
    return new Page(page, more ? Optional.of(end) : Optional.empty(), coverage);
  }

  /**
   * Wide columns of rows that are not in the page stay where they are. Each row is as of the second
   * reading; one that is gone by then, or stands elsewhere, would leave a hole in the page: then it
   * is read as one.
   */
  private Page keysThenRows(ShardsQuestion shards, LatePlan late) throws SQLException {
    Keys keys = shards.ask(late.keysSql(), plan.parameters(), this::keys);
    int size = Math.min(plan.limit(), keys.values().size());
    if (size == 0) {
      return new Page(List.of(), Optional.empty(), keys.coverage());
    }
    List<List<Object>> wanted = keys.values().subList(0, size);
    Rows found = shards.ask(late.rowsSql(size), late.parameters(wanted), this::rows);
    Coverage coverage = keys.coverage().with(found.coverage());
    List<List<Object>> page = new ArrayList<>();
    for (List<Object> key : wanted) {
      List<Object> row = found.byKeys().get(key);
      if (row != null) {
        page.add(row);
      } else if (found.coverage().missing().isEmpty()) {
        Page whole = shards.ask(plan.sql(), plan.parameters(), this::page);
        return new Page(whole.rows(), whole.end(), keys.coverage().with(whole.coverage()));
      }
    }
    boolean more = keys.values().size() > plan.limit();
    return new Page(
        page,
        more ? Optional.of(cursor(wanted.get(size - 1), coverage)) : Optional.empty(),
        coverage);
  }

  private Coverage checked(Coverage coverage) {
    if (!coverage.missing().isEmpty() && onPartial != OnPartial.PARTIAL) {
      throw new IncompleteException(coverage);
    }
    return coverage;
  }

  private Keys keys(ResultSet rows) throws SQLException {
    Coverage coverage = checked(ShardsQuestion.coverage(rows));
    List<List<Object>> values = new ArrayList<>();
    while (rows.next()) {
      values.add(keys(rows, true));
    }
    return new Keys(values, coverage);
  }

  private Rows rows(ResultSet rows) throws SQLException {
    Coverage coverage = checked(ShardsQuestion.coverage(rows));
    Map<List<Object>, List<Object>> byKeys = new HashMap<>();
    while (rows.next()) {
      byKeys.put(keys(rows, false), row(rows));
    }
    return new Rows(byKeys, coverage);
  }

  /**
   * @param alone whether they are all that the row has
   */
  private List<Object> keys(ResultSet row, boolean alone) throws SQLException {
    List<Object> values = new ArrayList<>(plan.keys().size());
    for (int i = 0; i < plan.keys().size(); i++) {
      SortKey key = plan.keys().get(i);
      values.add(key.type().read(row, alone ? i + 1 : key.position()));
    }
    return Collections.unmodifiableList(values);
  }

  private List<Object> row(ResultSet rows) throws SQLException {
    List<Object> row = new ArrayList<>(plan.shown().size());
    for (int i = 0; i < plan.shown().size(); i++) {
      Object value = plan.shown().get(i).type().read(rows, i + 1);
      row.add(plan.shown().get(i).show(value));
    }
    return row;
  }

  /** Behind the row that has these sort keys. */
  private String cursor(List<Object> keys, Coverage coverage) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Object value = keys.get(i);
      values.add(value == null ? null : plan.keys().get(i).type().show(value).toString());
    }
    boolean lacking = plan.lackingBefore() || !coverage.missing().isEmpty();
    return cursors.encode(
        new Cursor(plan.fingerprint(), coverage.mapVersion().orElse(-1), lacking, values));
  }
}
