package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.Orders.Table;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * A question to the gateway whose answer is known.
 *
 * @param buyer 0: everybody
 * @param number status or quantity; -1: any
 * @param byMoney ordered by it, not by time; the greatest first
 * @param zone in which the times are written
 * @param timeoutMillis 0: that of the file
 * @param cursor empty: the first page
 */
record PageQuery(
    Table table,
    Instant from,
    Instant to,
    long buyer,
    int number,
    boolean byMoney,
    int limit,
    ZoneOffset zone,
    boolean partial,
    int timeoutMillis,
    String cursor) {

  static PageQuery of(Table table, Instant from, Instant to, int limit) {
    return new PageQuery(table, from, to, 0, -1, false, limit, ZoneOffset.UTC, false, 0, "");
  }

  PageQuery ofBuyer(long id) {
    return new PageQuery(
        table, from, to, id, number, byMoney, limit, zone, partial, timeoutMillis, cursor);
  }

  PageQuery withNumber(int wanted) {
    return new PageQuery(
        table, from, to, buyer, wanted, byMoney, limit, zone, partial, timeoutMillis, cursor);
  }

  PageQuery sortedByMoney() {
    return new PageQuery(
        table, from, to, buyer, number, true, limit, zone, partial, timeoutMillis, cursor);
  }

  PageQuery in(ZoneOffset offset) {
    return new PageQuery(
        table, from, to, buyer, number, byMoney, limit, offset, partial, timeoutMillis, cursor);
  }

  PageQuery within(int millis, boolean allowPartial) {
    return new PageQuery(
        table, from, to, buyer, number, byMoney, limit, zone, allowPartial, millis, cursor);
  }

  PageQuery after(String pageCursor, int rows) {
    return new PageQuery(
        table, from, to, buyer, number, byMoney, rows, zone, partial, timeoutMillis, pageCursor);
  }

  long fromMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, from);
  }

  long toMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, to);
  }

  /** The body of the request. No value of it needs to be escaped. */
  String json() {
    StringBuilder json = new StringBuilder("{\"table\": \"").append(table.word());
    json.append("\", \"select\": [\"").append(table.id()).append("\", \"buyer_id\", \"");
    json.append(table.number()).append("\", \"").append(table.money());
    json.append("\", \"created_at\"], \"time\": {\"column\": \"created_at\", \"from\": \"");
    json.append(text(from)).append("\", \"to\": \"").append(text(to));
    json.append("\"}, \"where\": [");
    if (buyer != 0) {
      json.append("{\"column\": \"buyer_id\", \"eq\": ").append(buyer).append('}');
    }
    if (number >= 0) {
      json.append(buyer == 0 ? "" : ", ").append("{\"column\": \"").append(table.number());
      json.append("\", \"eq\": ").append(number).append('}');
    }
    json.append("], \"order\": [{\"column\": \"").append(byMoney ? table.money() : "created_at");
    json.append("\", \"dir\": \"desc\"}], \"limit\": ").append(limit);
    json.append(", \"onPartial\": \"").append(partial ? "partial" : "fail").append('"');
    if (timeoutMillis > 0) {
      json.append(", \"timeoutMs\": ").append(timeoutMillis);
    }
    if (!cursor.isEmpty()) {
      json.append(", \"cursor\": \"").append(cursor).append('"');
    }
    return json.append('}').toString();
  }

  private String text(Instant moment) {
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(moment.atOffset(zone));
  }
}
