package io.shardwright.advisor.logs;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Writes a slow log of MySQL 8 as a shop's application makes it with {@code long_query_time = 0}:
 * some forty templates with literals, transactions of several statements, 64 sessions. The same
 * seed gives the same file. For measuring:
 *
 * <pre>
 * java -cp ... io.shardwright.advisor.logs.SlowLogGenerator slow.log 1000
 * time ./shardwright advise slow.log
 * </pre>
 */
public final class SlowLogGenerator {
  private static final String[] COLUMNS = {
    "o.order_id",
    "o.order_no",
    "o.buyer_id",
    "o.shop_id",
    "o.state",
    "o.total",
    "o.currency",
    "o.created_at",
    "o.updated_at",
    "o.note"
  };
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final int SESSIONS = 64;
  private static final int BUYERS = 200_000;
  private static final int SHOPS = 900;

  private final SplittableRandom random;
  private final OutputStream out;
  private Instant now = Instant.parse("2026-01-05T00:00:00Z");
  private long orders = 10_000_000;
  private long written;
  private int session;

  private SlowLogGenerator(long seed, OutputStream out) {
    this.random = new SplittableRandom(seed);
    this.out = out;
  }

  /**
   * @param arguments the file and its size in megabytes
   */
  public static void main(String[] arguments) throws IOException {
    write(Path.of(arguments[0]), Long.parseLong(arguments[1]) * 1_000_000, 1);
  }

  /** Of that size, or up to one transaction more. */
  public static void write(Path file, long bytes, long seed) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      SlowLogGenerator generator = new SlowLogGenerator(seed, out);
      generator.raw(
          "/usr/sbin/mysqld, Version: 8.0.36 (MySQL Community Server - GPL). started with:\n"
              + "Tcp port: 3306  Unix socket: /var/run/mysqld/mysqld.sock\n"
              + "Time                 Id Command    Argument\n");
      while (generator.written < bytes) {
        generator.request();
      }
    }
  }

  private void raw(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    written += bytes.length;
    out.write(bytes);
  }

  private void statement(String sql, int sent, int examined) throws IOException {
    now = now.plusNanos(1_000L * random.nextInt(200, 4_000));
    raw(
        "# Time: "
            + MICROS.format(now)
            + "\n# User@Host: shop[shop] @ app-"
            + session % 8
            + " [10.0.0."
            + session % 8
            + "]  Id: "
            + (4_000 + session)
            + "\n# Query_time: 0.000"
            + random.nextInt(100, 999)
            + "  Lock_time: 0.000002 Rows_sent: "
            + sent
            + "  Rows_examined: "
            + examined
            + "\nSET timestamp="
            + now.getEpochSecond()
            + ";\n"
            + sql
            + ";\n");
  }

  private void request() throws IOException {
    session = random.nextInt(SESSIONS);
    // The ten largest buyers and shops are asked for more often.
    int buyer = random.nextInt(20) == 0 ? random.nextInt(10) : random.nextInt(BUYERS);
    int shop = random.nextInt(5) == 0 ? random.nextInt(10) : random.nextInt(SHOPS);
    int dice = random.nextInt(100);
    if (dice < 12) {
      placeOrder(buyer, shop);
    } else if (dice < 20) {
      pay(buyer);
    } else if (dice < 45) {
      ordersOf(buyer);
    } else if (dice < 65) {
      oneOrder(buyer);
    } else if (dice < 75) {
      basket(buyer);
    } else if (dice < 90) {
      statement(
          "SELECT p.*, s.name FROM products"
              + random.nextInt(6)
              + " p JOIN shops s ON s.shop_id = p.shop_id WHERE p.product_id = "
              + random.nextInt(500_000)
              + " AND p.deleted = 0",
          1,
          2);
    } else if (dice < 98) {
      statement(
          "SELECT "
              + String.join(", ", COLUMNS)
              + " FROM orders o WHERE o.shop_id = "
              + shop
              + " AND o.state IN ('new', 'paid', 'packed') ORDER BY o.created_at DESC LIMIT 50",
          50,
          400);
    } else {
      statement(
          "SELECT date(o.created_at) AS day, count(*), sum(o.total) FROM orders o WHERE o.shop_id ="
              + " "
              + shop
              + " AND o.created_at >= '2026-01-01 00:00:00' GROUP BY date(o.created_at)",
          4,
          9_000);
    }
  }

  private void placeOrder(int buyer, int shop) throws IOException {
    long order = ++orders;
    statement("BEGIN", 0, 0);
    statement(
        "INSERT INTO orders (order_id, order_no, buyer_id, shop_id, state, total, currency,"
            + " created_at, updated_at, note) VALUES ("
            + order
            + ", 'SO2026"
            + order
            + "', "
            + buyer
            + ", "
            + shop
            + ", 'new', "
            + random.nextInt(100_000) / 100.0
            + ", 'EUR', '2026-01-05 10:11:12.123', '2026-01-05 10:11:12.123',"
            + " 'Please ring twice, the bell isn''t loud')",
        0,
        0);
    StringBuilder items =
        new StringBuilder(
            "INSERT INTO order_items (order_id, buyer_id, line, product_id, quantity, price) VALUES"
                + " ");
    int lines = random.nextInt(1, 8);
    for (int line = 0; line < lines; line++) {
      items.append(line == 0 ? "(" : ", (").append(order).append(", ").append(buyer);
      items.append(", ").append(line).append(", ").append(random.nextInt(500_000)).append(", 1, ");
      items.append(random.nextInt(10_000) / 100.0).append(')');
    }
    statement(items.toString(), 0, 0);
    statement(
        "UPDATE `stock"
            + random.nextInt(8)
            + "` SET `reserved` = `reserved` + 1, `updated_at` = NOW() WHERE `product_id` = "
            + random.nextInt(500_000)
            + " AND `available` > 0",
        0,
        1);
    statement(
        "INSERT INTO outbox (event_id, topic, payload) VALUES ('"
            + new UUID(random.nextLong(), random.nextLong())
            + "', 'order.placed', '{\"order\":"
            + order
            + ",\"buyer\":"
            + buyer
            + ",\"lines\":"
            + lines
            + ",\"channel\":\"web\",\"campaign\":\"winter-sale\"}')",
        0,
        0);
    statement("COMMIT", 0, 0);
  }

  private void pay(int buyer) throws IOException {
    long order = orders - random.nextInt(100_000);
    statement("START TRANSACTION", 0, 0);
    statement(
        "SELECT * FROM orders WHERE order_id = "
            + order
            + " AND buyer_id = "
            + buyer
            + " FOR UPDATE",
        1,
        1);
    statement(
        "UPDATE orders SET state = 'paid', updated_at = '2026-01-05 10:11:13.456' WHERE order_id = "
            + order
            + " AND buyer_id = "
            + buyer,
        0,
        1);
    statement(
        "INSERT INTO payments (payment_id, order_id, buyer_id, amount, method, reference) VALUES ("
            + random.nextLong(1L << 50)
            + ", "
            + order
            + ", "
            + buyer
            + ", 19.90, 'card', 'ref-"
            + random.nextInt()
            + "')",
        0,
        0);
    statement("COMMIT", 0, 0);
  }

  private void ordersOf(int buyer) throws IOException {
    statement(
        "SELECT "
            + String.join(", ", COLUMNS)
            + " FROM orders o WHERE o.buyer_id = "
            + buyer
            + " AND o.deleted = 0 ORDER BY o.created_at DESC LIMIT "
            + random.nextInt(5) * 20
            + ", 20",
        20,
        60);
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      ids.append(i == 0 ? "" : ", ").append(orders - random.nextInt(1_000_000));
    }
    statement(
        "SELECT i.order_id, i.line, i.product_id, i.quantity, i.price FROM order_items i WHERE"
            + " i.order_id IN ("
            + ids
            + ") ORDER BY i.order_id, i.line",
        60,
        60);
  }

  private void oneOrder(int buyer) throws IOException {
    long order = orders - random.nextInt(1_000_000);
    statement("SELECT * FROM orders WHERE order_no = 'SO2026" + order + "'", 1, 1);
    statement("SELECT * FROM order_items WHERE order_id = " + order + " ORDER BY line", 3, 3);
    statement(
        "/* app=shop, trace="
            + Long.toHexString(random.nextLong())
            + " */ SELECT * FROM payments WHERE order_id = "
            + order
            + " AND buyer_id = "
            + buyer,
        1,
        1);
  }

  private void basket(int buyer) throws IOException {
    statement("SELECT * FROM baskets" + random.nextInt(10) + " WHERE buyer_id = " + buyer, 1, 1);
    statement(
        "INSERT INTO basket_items (buyer_id, product_id, quantity) VALUES ("
            + buyer
            + ", "
            + random.nextInt(500_000)
            + ", 1) ON DUPLICATE KEY UPDATE quantity = quantity + VALUES(quantity)",
        0,
        1);
  }
}
