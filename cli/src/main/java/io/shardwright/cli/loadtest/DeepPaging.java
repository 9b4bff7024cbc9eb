package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Page;
import io.shardwright.cli.loadtest.Orders.Table;
import io.shardwright.cli.loadtest.Stand.Reply;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Pages of lines, the newest first, that are far behind the first one: by cursor, which says where
 * the page begins, and by OFFSET, for which all shards send what is in front of it. One after the
 * other, so that a slow one holds up nobody.
 */
final class DeepPaging {
  static final int ROWS_OF_PAGE = 10;

  private static final int PAGE_MAX = 10_000;
  private static final int WALK = 1_000;
  private static final PageQuery ALL =
      PageQuery.of(Table.LINES, Orders.FROM, Orders.TO.plusSeconds(1), ROWS_OF_PAGE);
  private static final String OFFSET =
      "SELECT line_id, buyer_id, quantity, price_cent, created_at FROM order_lines WHERE"
          + " created_at >= ? AND created_at < ? ORDER BY created_at DESC, line_id DESC, bucket_id"
          + " DESC LIMIT ? OFFSET ?";

  private final Stand stand;
  private final String token;
  private final Orders orders;
  private final boolean postgres;

  /** By number of the page, the cursor of the page before. */
  private final Map<Integer, String> cursors = new LinkedHashMap<>();

  DeepPaging(Stand stand, OwnSchema schema, Orders orders, boolean postgres) {
    this.stand = stand;
    this.token = schema.token();
    this.orders = orders;
    this.postgres = postgres;
  }

  /**
   * @param stopped whether to end early
   */
  Duration run(Measurement measurement, BooleanSupplier stopped) throws SQLException {
    walk(measurement, stopped);
    long start = System.nanoTime();
    do {
      for (int page : cursors.keySet()) {
        time(measurement, "cursor, page " + page, start, byCursor(page));
        time(measurement, "OFFSET, page " + page, start, byOffset(page));
      }
    } while (System.nanoTime() - start < measurement.planned().toNanos()
        && !stopped.getAsBoolean());
    int last = List.copyOf(cursors.keySet()).get(cursors.size() - 1);
    for (String way : List.of("cursor", "OFFSET")) {
      double first = measurement.series(way + ", page 1").middle();
      double deep = measurement.series(way + ", page " + last).middle();
      measurement.note(way + ": page " + last + " against page 1", deep / first, "times");
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void time(Measurement measurement, String series, long start, Call call) {
    long begin = System.nanoTime();
    Call.Judgement judgement = call.send();
    Duration time = Duration.ofNanos(System.nanoTime() - begin);
    measurement.ended(
        measurement.series(series), Duration.ofNanos(begin - start), time, judgement.judge());
  }

  /** In great steps to the deepest page; each row on the way is compared. */
  private void walk(Measurement measurement, BooleanSupplier stopped) {
    int pages = Math.min(PAGE_MAX, orders.rows(Table.LINES).size() / ROWS_OF_PAGE);
    cursors.put(1, "");
    String cursor = "";
    int at = 0;
    for (int wanted = 10; wanted / 10 < pages; wanted *= 10) {
      int page = Math.min(wanted, pages);
      int target = (page - 1) * ROWS_OF_PAGE;
      while (at < target && !stopped.getAsBoolean()) {
        int rows = Math.min(WALK, target - at);
        PageQuery query = ALL.after(cursor, rows);
        Reply reply = stand.ask(query.json(), token);
        measurement.add(call(query, at).judge(reply));
        cursor = reply.body().path("nextCursor").asText();
        at += rows;
      }
      cursors.put(page, cursor);
    }
  }

  private Call byCursor(int page) {
    return call(ALL.after(cursors.get(page), ROWS_OF_PAGE), (page - 1) * ROWS_OF_PAGE);
  }

  private QueryCall call(PageQuery query, int first) {
    return new QueryCall(stand, token, query, missing -> rows(first, query.limit()));
  }

  private Page rows(int first, int count) {
    List<Item> all = orders.rows(Table.LINES);
    int end = Math.min(all.size(), first + count);
    return new Page(all.subList(first, end), end < all.size());
  }

  private Call byOffset(int page) {
    int first = (page - 1) * ROWS_OF_PAGE;
    return () -> {
      try {
        List<Item> found = offset(first);
        return () ->
            new Outcome(
                Outcome.OK,
                stand.shards(),
                Map.of(),
                true,
                QueryCall.difference(found, rows(first, ROWS_OF_PAGE).items())
                    .map(what -> what + "; page " + page + " by OFFSET"));
      } catch (SQLException e) {
        return () -> Outcome.error("SQLSTATE " + e.getSQLState(), stand.shards());
      }
    };
  }

  private List<Item> offset(int first) throws SQLException {
    List<Item> found = new ArrayList<>();
    try (Connection connection = stand.source().getConnection();
        PreparedStatement select = connection.prepareStatement(OFFSET)) {
      select.setObject(1, moment(ALL.from()));
      select.setObject(2, moment(ALL.to()));
      select.setInt(3, ROWS_OF_PAGE);
      select.setInt(4, first);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(
              new Item(
                  rows.getLong(1),
                  rows.getLong(2),
                  rows.getInt(3),
                  rows.getLong(4),
                  ChronoUnit.MICROS.between(Instant.EPOCH, moment(rows))));
        }
      }
    }
    return found;
  }

  private Object moment(Instant instant) {
    return postgres
        ? instant.atOffset(ZoneOffset.UTC)
        : LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private Instant moment(ResultSet row) throws SQLException {
    return postgres
        ? row.getObject(5, OffsetDateTime.class).toInstant()
        : row.getObject(5, LocalDateTime.class).toInstant(ZoneOffset.UTC);
  }
}
