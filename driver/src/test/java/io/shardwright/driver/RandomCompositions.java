package io.shardwright.driver;

import io.shardwright.testkit.Choices;
import java.util.ArrayList;
import java.util.List;

/**
 * Random statements in which one SELECT stands inside or beside another: set operations, derived
 * tables, CTEs, semi-joins, scalar subqueries, outer joins to either side, INSERT ... SELECT. Many
 * are refused; those that are not must be right. Pure function of its draws.
 */
final class RandomCompositions extends RandomTerms {
  private RandomCompositions(Choices choices) {
    super(choices);
  }

  static Statement draw(Choices choices) {
    return new RandomCompositions(choices).statement();
  }

  static Statement drawWrite(Choices choices) {
    return new RandomCompositions(choices).write();
  }

  private Statement statement() {
    return switch (below(10)) {
      case 7, 8, 9 -> keyOutside();
      case 0, 1 -> setOperation();
      case 2 -> derived();
      case 3 -> commonTable();
      case 4 -> semiJoin();
      case 5 -> scalar();
      default -> outerJoin();
    };
  }

  /** Columns of one type on both sides; their text decides their order. */
  private Statement setOperation() {
    String columns = pick(List.of("order_id", "status", "quantity, status", "tenant_id, buyer_id"));
    StringBuilder sql = new StringBuilder(member(columns));
    for (int i = 1 + below(2); i > 0; i--) {
      String operator = pick(List.of("UNION", "UNION ALL", "INTERSECT", "EXCEPT", "EXCEPT ALL"));
      sql.append(" ").append(operator).append(" ").append(member(columns));
    }
    boolean ordered = below(2) == 0;
    if (ordered) {
      sql.append(" ORDER BY 1").append(columns.contains(",") ? ", 2" : "");
      sql.append(pick(List.of("", " DESC NULLS LAST"))).append(window());
    }
    return done(sql.toString(), ordered);
  }

  private String member(String columns) {
    if (columns.equals("order_id") || columns.equals("tenant_id, buyer_id")) {
      String table = pick(List.of("orders", "items"));
      if (table.equals("items")) {
        return "SELECT " + columns + " FROM items WHERE line > " + below(3);
      }
    }
    String distinct = pick(List.of("", "", "DISTINCT "));
    String member = "SELECT " + distinct + columns + " FROM orders" + where("", 1);
    return below(4) == 0 ? "(" + member + ")" : member;
  }

  private String window() {
    return switch (below(3)) {
      case 0 -> " LIMIT " + number(below(12));
      case 1 -> " LIMIT " + below(12) + " OFFSET " + below(9);
      default -> "";
    };
  }

  private Statement derived() {
    String inner =
        pick(
            List.of(
                "SELECT order_id, status, quantity FROM orders" + where("", 1),
                "SELECT order_id, status, quantity FROM orders ORDER BY order_id LIMIT "
                    + below(20),
                "SELECT status, count(*) AS quantity, max(order_id) AS order_id FROM orders"
                    + where("", 1)
                    + " GROUP BY status",
                "SELECT DISTINCT status, quantity, tenant_id AS order_id FROM orders",
                "SELECT o.order_id, o.status, count(i.line) AS quantity FROM orders o"
                    + " LEFT JOIN items i ON i.order_id = o.order_id GROUP BY o.order_id, o.status",
                "SELECT order_id, status, rank() OVER (PARTITION BY tenant_id, buyer_id"
                    + " ORDER BY order_id) AS quantity FROM orders"));
    return overDerived("(" + inner + ") d", "");
  }

  private Statement commonTable() {
    String inner =
        pick(
            List.of(
                "SELECT * FROM orders" + where("", 2),
                "SELECT order_id, status, quantity FROM orders" + where("", 1),
                "SELECT order_id, min(sku) AS status, sum(line) AS quantity FROM items GROUP BY 1"));
    return overDerived("c d", "WITH c AS (" + inner + ") ");
  }

  private Statement overDerived(String source, String prefix) {
    String condition =
        pick(List.of("", " WHERE d.quantity > " + number(below(4)), " WHERE d.status = 'a'"));
    return switch (below(4)) {
      case 0 ->
          done(
              prefix + "SELECT d.order_id, d.status, d.quantity FROM " + source + condition, false);
      case 1 ->
          done(
              prefix + "SELECT count(*), sum(d.quantity), max(d.status) FROM " + source + condition,
              true);
      case 2 ->
          done(
              prefix
                  + "SELECT d.status, count(*) FROM "
                  + source
                  + condition
                  + " GROUP BY d.status ORDER BY d.status"
                  + window(),
              true);
      default ->
          done(
              prefix
                  + "SELECT d.order_id, i.line FROM "
                  + source
                  + " JOIN items i ON i.order_id = d.order_id"
                  + condition,
              false);
    };
  }

  /** Conditions on the key of a derived table, some of which may be applied inside. */
  private Statement keyOutside() {
    String rows = "tenant_id, buyer_id, order_id, status, quantity FROM orders";
    String inner =
        pick(
            List.of(
                "SELECT * FROM orders" + where("", 1),
                "SELECT " + rows + where("", 1),
                "SELECT " + rows + " ORDER BY order_id LIMIT " + below(99),
                "SELECT DISTINCT " + rows,
                "SELECT DISTINCT tenant_id, buyer_id, status, quantity, tenant_id AS order_id"
                    + " FROM orders",
                "SELECT tenant_id, buyer_id, count(*) AS quantity, max(order_id) AS order_id,"
                    + " min(status) AS status FROM orders GROUP BY tenant_id, buyer_id",
                "SELECT tenant_id, max(buyer_id) AS buyer_id, count(*) AS quantity, max(order_id)"
                    + " AS order_id, min(status) AS status FROM orders GROUP BY tenant_id",
                "SELECT max(tenant_id) AS tenant_id, max(buyer_id) AS buyer_id, count(*) AS quantity,"
                    + " max(order_id) AS order_id, min(status) AS status FROM orders",
                "SELECT tenant_id, buyer_id, order_id, status, rank() OVER (PARTITION BY tenant_id,"
                    + " buyer_id ORDER BY order_id) AS quantity FROM orders",
                "SELECT tenant_id, buyer_id, order_id, status, rank() OVER (PARTITION BY tenant_id"
                    + " ORDER BY order_id) AS quantity FROM orders",
                "SELECT buyer_id AS tenant_id, tenant_id AS buyer_id, order_id, status, quantity"
                    + " FROM orders",
                "SELECT o.tenant_id, o.buyer_id, o.order_id, o.status, i.line AS quantity FROM"
                    + " orders o LEFT JOIN items i ON i.order_id = o.order_id",
                "SELECT i.tenant_id, i.buyer_id, i.order_id, o.status, o.quantity FROM orders o"
                    + " LEFT JOIN items i ON i.order_id = o.order_id AND i.line = 1",
                "SELECT "
                    + rows
                    + " UNION ALL SELECT tenant_id, buyer_id, order_id, sku, line"
                    + " FROM items"));
    boolean named = below(2) == 0;
    String source = named ? "c d" : "(" + inner + ") d";
    String with = named ? "WITH c AS (" + inner + ") " : "";
    String tie = "d.tenant_id = o.tenant_id AND d.buyer_id = o.buyer_id";
    String where = pick(List.of("", " WHERE " + key("d."), " WHERE " + key("d.")));
    return switch (below(8)) {
      case 0, 1 ->
          done(with + "SELECT d.order_id, d.status, d.quantity FROM " + source + where, false);
      case 2 ->
          done(
              with + "SELECT count(*), sum(d.quantity), max(d.status) FROM " + source + where,
              true);
      case 3 ->
          done(
              with
                  + "SELECT d.status, count(*), count(DISTINCT d.quantity) FROM "
                  + source
                  + where
                  + " GROUP BY d.status"
                  + pick(List.of("", " HAVING count(*) > 2"))
                  + " ORDER BY d.status",
              true);
      case 4 ->
          done(
              with
                  + "SELECT d.order_id, i.line FROM "
                  + source
                  + " JOIN items i ON i.order_id = d.order_id"
                  + pick(List.of("", " AND i.tenant_id = d.tenant_id AND i.buyer_id = d.buyer_id"))
                  + where,
              false);
      case 5 ->
          done(
              with
                  + "SELECT o.order_id, d.quantity FROM orders o LEFT JOIN "
                  + source
                  + " ON "
                  + tie
                  + pick(List.of("", " AND d.quantity = 2"))
                  + " WHERE "
                  + key("o."),
              false);
      case 6 ->
          done(
              with
                  + "SELECT o.order_id FROM orders o WHERE "
                  + pick(List.of("", "NOT "))
                  + "EXISTS (SELECT 1 FROM "
                  + source
                  + " WHERE "
                  + tie
                  + " AND d.quantity > "
                  + number(below(5))
                  + ")"
                  + pick(List.of("", " AND (" + key("o.") + ")")),
              false);
      default ->
          done(
              with
                  + "SELECT e.order_id FROM "
                  + source
                  + " JOIN (SELECT tenant_id, buyer_id, order_id FROM orders) e ON e.tenant_id ="
                  + " d.tenant_id AND e.buyer_id = d.buyer_id"
                  + where,
              false);
    };
  }

  private Statement semiJoin() {
    String inside =
        pick(
            List.of(
                "order_id IN (SELECT order_id FROM items WHERE price > " + number(below(60)) + ")",
                "order_id NOT IN (SELECT order_id FROM items WHERE line = 2)",
                "order_id = ANY (SELECT order_id FROM items)",
                "(tenant_id, buyer_id) IN (SELECT tenant_id, buyer_id FROM items)",
                "(order_id, tenant_id, buyer_id) NOT IN (SELECT order_id, tenant_id, buyer_id"
                    + " FROM items)",
                "quantity IN (SELECT line FROM items)",
                "status NOT IN (SELECT sku FROM items)",
                "status IN (SELECT code FROM countries)",
                "quantity NOT IN (SELECT quantity FROM orders p WHERE p.tenant_id = 1)",
                "buyer_id IN (SELECT buyer_id FROM items)",
                "EXISTS (SELECT 1 FROM items i WHERE i.buyer_id = orders.buyer_id)"));
    String list = pick(List.of("order_id, status", "count(*), sum(quantity)"));
    return done(
        "SELECT " + list + " FROM orders WHERE (" + condition("", 1) + ") AND " + inside, false);
  }

  private Statement scalar() {
    String value =
        pick(
            List.of(
                "(SELECT max(amount) FROM orders p WHERE p.tenant_id = o.tenant_id"
                    + " AND p.buyer_id = o.buyer_id)",
                "(SELECT avg(amount) FROM orders)",
                "(SELECT count(*) FROM items i WHERE i.order_id = o.order_id)",
                "(SELECT count(*) FROM items i WHERE i.tenant_id = o.tenant_id)",
                "(SELECT sum(price) FROM items WHERE tenant_id = 1 AND buyer_id = 2)"));
    return below(2) == 0
        ? done("SELECT o.order_id, " + value + " AS v FROM orders o" + where("o.", 1), false)
        : done("SELECT o.order_id FROM orders o WHERE o.amount >= " + value, false);
  }

  private Statement outerJoin() {
    String tie =
        "i.order_id = o.order_id" + pick(List.of("", " AND i.line = 1", " AND o.quantity > 3"));
    String join =
        pick(
            List.of(
                "items i RIGHT JOIN orders o ON " + tie,
                "orders o FULL JOIN items i ON " + tie,
                "orders o LEFT JOIN items i ON " + tie,
                "orders o NATURAL JOIN items i",
                "orders o JOIN items i ON i.tenant_id = o.tenant_id"));
    if (below(3) == 0) {
      String reference =
          pick(
              List.of(
                  "countries c LEFT JOIN orders o ON o.status = c.code",
                  "orders o RIGHT JOIN countries c ON o.status = c.code",
                  "orders o FULL JOIN countries c ON o.status = c.code",
                  "orders o JOIN (VALUES ('a'), ('b')) AS c (code) ON o.status = c.code"));
      return done("SELECT c.code, o.order_id FROM " + reference + where("o.", 1), false);
    }
    String list =
        pick(List.of("o.order_id, i.line", "count(*), count(i.line), max(o.status)", "*"));
    return done("SELECT " + list + " FROM " + join + where("o.", 1), false);
  }

  private Statement write() {
    // Above all sequences that the rows have, with the gene of the row's own key.
    String id = "order_id + 4398046511104";
    List<String> writes = new ArrayList<>();
    writes.add(
        "INSERT INTO orders (tenant_id, buyer_id, order_id, status, quantity) SELECT tenant_id,"
            + " buyer_id, "
            + id
            + ", status, "
            + number(below(9))
            + " FROM orders"
            + where("", 1));
    writes.add(
        "INSERT INTO orders (tenant_id, buyer_id, order_id, quantity) SELECT tenant_id, buyer_id, "
            + id
            + ", line FROM items WHERE line = 1 AND "
            + key(""));
    writes.add(
        "DELETE FROM orders WHERE (" + key("") + ") AND order_id IN (SELECT order_id FROM items)");
    writes.add(
        "UPDATE orders SET status = 'x' WHERE ("
            + key("")
            + ") AND amount > (SELECT avg(price) FROM items)");
    writes.add(
        "DELETE FROM orders WHERE order_id IN (SELECT order_id FROM items WHERE " + key("") + ")");
    return done(pick(writes), false);
  }
}
