package io.shardwright.driver;

import io.shardwright.testkit.Choices;
import java.util.ArrayList;
import java.util.List;

/**
 * Random statements over orders, items and countries of {@link TestingShards}, within what a user
 * might write: conditions on and beside the key, joins, subqueries, groups, order, limit. Pure
 * function of its draws.
 */
final class RandomStatements extends RandomTerms {

  private static final List<String> COLUMNS =
      List.of(
          "tenant_id",
          "buyer_id",
          "order_id",
          "status",
          "amount",
          "ratio",
          "quantity",
          "created_at");

  private RandomStatements(Choices choices) {
    super(choices);
  }

  static Statement draw(Choices choices) {
    return new RandomStatements(choices).statement();
  }

  static Statement drawWrite(Choices choices) {
    return new RandomStatements(choices).write();
  }

  private Statement write() {
    String returning = pick(List.of("", " RETURNING order_id, status", " RETURNING quantity"));
    String where = " WHERE " + (below(4) == 0 ? condition("", 2) : key(""));
    return switch (below(5)) {
      case 0 -> done("DELETE FROM orders" + where + returning, false);
      case 1 ->
          done(
              "UPDATE orders o SET status = 'x', quantity = coalesce(o.quantity, 0) + "
                  + number(below(9))
                  + " FROM items i WHERE i.order_id = o.order_id AND i.line = 1 AND ("
                  + key("o.")
                  + ")",
              false);
      case 2 -> done("UPDATE orders SET buyer_id = " + number(below(9)) + where, false);
      default ->
          done(
              "UPDATE orders SET quantity = "
                  + number(below(9))
                  + ", status = "
                  + pick(List.of("'b'", "NULL", "status || 'z'"))
                  + where
                  + returning,
              false);
    };
  }

  private Statement statement() {
    return switch (below(9)) {
      case 0, 1, 2 -> rows();
      case 3, 4, 5 -> groups();
      case 6 -> distinct();
      case 7 -> windows();
      default -> joined();
    };
  }

  private Statement rows() {
    String list = below(3) == 0 ? "o.*" : columns("o.");
    String where = where("o.", 2);
    String order = "";
    boolean ordered = below(2) == 0;
    if (ordered) {
      order = " ORDER BY " + sortItems("o.") + "o.order_id" + pick(List.of("", " DESC", " ASC"));
      order += window();
    }
    return done("SELECT " + list + " FROM orders o" + where + order, ordered);
  }

  private String columns(String prefix) {
    List<String> columns = new ArrayList<>();
    int count = 1 + below(4);
    for (int i = 0; i < count; i++) {
      columns.add(
          pick(List.of("", "", "", "-- x\r\n"))
              + prefix
              + pick(COLUMNS)
              + pick(List.of("", "", "::text", " AS c" + i, "::text AS c" + i)));
    }
    return String.join(", ", columns);
  }

  private String sortItems(String prefix) {
    StringBuilder items = new StringBuilder();
    for (int i = below(3); i > 0; i--) {
      items.append(
          pick(
              List.of(
                  prefix + pick(COLUMNS),
                  pick(COLUMNS),
                  prefix + "quantity % 3",
                  prefix + "amount * -1",
                  "coalesce(" + prefix + "quantity, 0)")));
      items.append(pick(List.of("", " DESC", " NULLS FIRST", " DESC NULLS LAST"))).append(", ");
    }
    return items.toString();
  }

  private String window() {
    return switch (below(5)) {
      case 0 -> " LIMIT " + number(below(12));
      case 1 -> " LIMIT " + number(below(12)) + " OFFSET " + number(below(20));
      case 2 -> " OFFSET " + number(below(20));
      case 3 -> " OFFSET " + below(5) + " ROWS FETCH FIRST " + (1 + below(9)) + " ROWS ONLY";
      default -> "";
    };
  }

  private Statement groups() {
    List<String> groups = new ArrayList<>();
    for (int i = below(3); i > 0; i--) {
      groups.add(
          pick(List.of("o.status", "o.quantity", "o.tenant_id", "o.buyer_id", "o.quantity % 2")));
    }
    List<String> list = new ArrayList<>(groups);
    for (int i = below(3); i >= 0; i--) {
      list.add(
          pick(
              List.of(
                  "count(*)",
                  "count(o.amount)",
                  "sum(o.quantity)",
                  "sum(o.amount)",
                  "sum(o.buyer_id)",
                  "avg(o.amount)",
                  "avg(o.quantity)",
                  "avg(o.ratio)",
                  "min(o.created_at)",
                  "max(o.amount)",
                  "min(o.status)",
                  "max(o.quantity) AS m",
                  "sum(o.ratio)",
                  "count(DISTINCT o.status)",
                  "sum(DISTINCT o.quantity)",
                  "coalesce(sum(o.quantity), 0)",
                  "max(o.amount) - min(o.amount) AS spread",
                  "sum(o.amount) / count(*)",
                  "avg(o.amount) * " + number(below(4)),
                  "-sum(o.buyer_id)",
                  "bool_or(o.quantity > 2)",
                  "string_agg(o.status, ',' ORDER BY o.order_id)",
                  "count(*) FILTER (WHERE o.quantity > 2)",
                  "avg(o.amount)::numeric(20,3)",
                  "CASE WHEN count(*) > 3 THEN max(o.status) ELSE 'few' END",
                  "array_agg(o.quantity ORDER BY o.order_id DESC)")));
    }
    String sql = "SELECT " + String.join(", ", list) + " FROM orders o" + where("o.", 2);
    if (!groups.isEmpty()) {
      sql += " GROUP BY " + String.join(", ", groups);
      if (below(3) == 0) {
        sql +=
            " HAVING "
                + pick(
                    List.of(
                        "count(*) > " + number(below(6)),
                        "sum(o.amount) IS NOT NULL",
                        "count(DISTINCT o.quantity) > 1 AND max(o.quantity) < "
                            + number(below(9))));
      }
      boolean ordered = below(2) == 0;
      if (ordered) {
        sql +=
            " ORDER BY "
                + pick(
                    List.of(
                        "", "count(*) DESC, ", "count, ", "max, ", "avg(o.amount) NULLS FIRST, "))
                + String.join(", ", groups);
        sql += window();
      }
      return done(sql, ordered);
    }
    return done(sql, true);
  }

  private Statement distinct() {
    String columns =
        pick(
            List.of(
                "o.status", "o.quantity, o.status AS s", "o.tenant_id, o.buyer_id", "o.amount"));
    String sql = "SELECT DISTINCT " + columns + " FROM orders o" + where("o.", 2);
    return done(
        pick(List.of(sql, sql + " ORDER BY " + columns.replace(" AS s", "") + window())), false);
  }

  private Statement windows() {
    String call =
        pick(
            List.of(
                "row_number() OVER (PARTITION BY o.status ORDER BY o.order_id)",
                "sum(o.quantity) OVER (ORDER BY o.order_id) AS running",
                "rank() OVER (ORDER BY o.quantity DESC, o.order_id)",
                "count(*) OVER ()"));
    return done(
        "SELECT o.order_id, "
            + call
            + " FROM orders o"
            + where("o.", 2)
            + " ORDER BY o.order_id"
            + window(),
        true);
  }

  private Statement joined() {
    String tie =
        pick(
            List.of(
                "i.order_id = o.order_id",
                "i.tenant_id = o.tenant_id AND i.buyer_id = o.buyer_id"
                    + " AND i.order_id = o.order_id"));
    String exists = pick(List.of("EXISTS", "NOT EXISTS"));
    return switch (below(5)) {
      case 0 ->
          done(
              "SELECT o.order_id, i.line, i.price FROM orders o JOIN items i ON "
                  + tie
                  + where("o.", 1)
                  + " ORDER BY o.order_id, i.line"
                  + window(),
              true);
      case 1 ->
          done(
              "SELECT o.order_id, count(i.line), sum(i.price) FROM orders o LEFT JOIN items i ON "
                  + tie
                  + where("o.", 1)
                  + " GROUP BY o.order_id ORDER BY o.order_id",
              true);
      case 2 ->
          done(
              "SELECT o.order_id FROM orders o"
                  + where("o.", 1).replaceFirst("^$", " WHERE true")
                  + " AND "
                  + exists
                  + " (SELECT 1 FROM items i WHERE "
                  + tie
                  + " AND i.price > "
                  + number(below(60))
                  + ") ORDER BY 1"
                  + window(),
              true);
      case 3 ->
          done(
              "SELECT c.name, o.order_id FROM orders o LEFT JOIN countries c ON c.code = o.status"
                  + where("o.", 1)
                  + " ORDER BY c.name DESC, o.order_id"
                  + window(),
              true);
      default ->
          done(
              "SELECT o.order_id, (SELECT max(i.price) FROM items i WHERE "
                  + tie
                  + ") FROM orders o"
                  + where("o.", 1),
              false);
    };
  }
}
