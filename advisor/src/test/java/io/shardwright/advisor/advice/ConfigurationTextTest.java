package io.shardwright.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that a shardwright.yaml cannot have, and what is not in it. */
class ConfigurationTextTest {
  @TempDir private Path directory;

  @Test
  void oddKey_leavesItsGroupOutAndSaysSo() throws IOException {
    TestingWorkload workload = new TestingWorkload(1);
    shop(workload, "orders", "buyer_id");
    shop(workload, "bills", "`Buyer: Id`");

    String text = text(workload);

    assertThat(text).contains("  # The group of bills, by the key buyer??id, is left out: ");
    assertThat(text).doesNotContainIgnoringCase("buyer: id");
    assertThat(read(text).groups().keySet()).containsExactly("orders");
  }

  @Test
  void keyWithALineEnd_injectsNothing() throws IOException {
    TestingWorkload workload = new TestingWorkload(2);
    shop(workload, "orders", "buyer_id");
    shop(workload, "bills", "`x]\nmover: {user: root}\n#`");

    String text = text(workload);

    assertThat(text).doesNotContain("\nmover");
    assertThat(read(text).mover()).isEmpty();
  }

  @Test
  void oddIdReferenceAndIndex_haveACommentLineEach() throws IOException {
    TestingWorkload workload = new TestingWorkload(3);
    shop(workload, "orders", "buyer_id");
    for (int i = 0; i < 600; i++) {
      workload.add("SELECT * FROM orders WHERE `order-no` = 'n" + i + "'");
      workload.add("SELECT * FROM orders WHERE `order id` = " + i);
      workload.add(
          "SELECT * FROM orders o JOIN countries c ON c.code = o.country JOIN `odd-list` d ON"
              + " d.code = o.odd WHERE o.buyer_id = "
              + i * 31);
    }

    String text = text(workload, "unique = order-no", "gene = order id");

    assertThat(text)
        .contains("# Id column order?id is left out: ")
        .contains("# Index on orders.order-no is left out: ")
        .contains("# Reference table odd-list is left out: ")
        .contains("reference: [countries]");
    assertThat(read(text).groups().keySet()).containsExactly("orders");
  }

  @Test
  void groupsThatAreNotSharded_areNamed() throws IOException {
    TestingWorkload workload = new TestingWorkload(4);
    shop(workload, "orders", "buyer_id");
    for (int i = 0; i < 5; i++) {
      workload.add("INSERT INTO rare (rare_id, note) VALUES (" + i + ", 'x')");
    }

    String text = text(workload);

    assertThat(text).containsPattern("# Not in this file: rare: [a-z ]+\n");
    read(text);
  }

  private static void shop(TestingWorkload workload, String table, String key) {
    for (int i = 0; i < 1_200; i++) {
      int buyer = i * 7_919 % 5_003;
      workload.add("INSERT INTO " + table + " (id, " + key + ") VALUES (" + i + ", " + buyer + ")");
      workload.add("SELECT * FROM " + table + " WHERE " + key + " = " + buyer + " LIMIT 20");
    }
  }

  private static String text(TestingWorkload workload, String... lines) {
    return workload
        .advise(SchemaFacts.empty(), TestingWorkload.settings(lines))
        .configuration()
        .orElseThrow();
  }

  private Configuration read(String text) throws IOException {
    return ConfigurationReader.read(
        Files.writeString(
            directory.resolve("shardwright.yaml"), text.replaceAll("\\$\\{[A-Z_]+}", "secret")));
  }
}
