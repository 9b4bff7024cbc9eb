package io.shardwright.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.schema.SchemaText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenTransactionsTest {
  /** Two tables with nothing in common but the transactions that write both. */
  private static TestingWorkload workload(String before, String behind, String after) {
    TestingWorkload workload = new TestingWorkload(1);
    workload.add("7", before, 0, 0);
    for (int i = 0; i < 500; i++) {
      workload.add("7", "INSERT INTO orders (owner, n) VALUES (" + i + ", 1)", 0, 0);
      workload.add("7", "INSERT INTO payments (owner, p) VALUES (" + i + ", 1)", 0, 0);
      workload.add("7", behind, 0, 0);
    }
    workload.add("7", after, 0, 0);
    for (int i = 0; i < 500; i++) {
      workload.add("7", "SELECT * FROM orders WHERE owner = " + i, 1, 1);
      workload.add("7", "SELECT * FROM payments WHERE owner = " + i, 1, 1);
    }
    return workload;
  }

  private static int groups(TestingWorkload workload) {
    return workload
        .advise(
            SchemaText.of(
                "CREATE TABLE orders (owner int NOT NULL, n int)",
                "CREATE TABLE payments (owner int NOT NULL, p int)"),
            TestingWorkload.settings())
        .groups()
        .size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET autocommit=0",
        "set session autocommit = OFF",
        "SET @@autocommit = 0",
        "SET @@session.autocommit=0",
        "SET character_set_results = NULL, autocommit = 0"
      })
  void autocommitOff_commitsBoundTransactions(String off) {
    assertThat(groups(workload(off, "COMMIT", "SET autocommit=1"))).isEqualTo(1);
    assertThat(groups(workload("SET autocommit=1", "SELECT 1", "COMMIT"))).isEqualTo(2);
  }

  @Test
  void autocommitOn_endsThem() {
    OpenTransactionsOf transactions = new OpenTransactionsOf();

    assertThat(transactions.tell("SET autocommit=0")).isEqualTo("-");
    assertThat(transactions.tell("a")).isEqualTo("-");
    assertThat(transactions.tell("COMMIT")).isEqualTo("[a]");
    assertThat(transactions.tell("b")).isEqualTo("-");
    assertThat(transactions.tell("ROLLBACK")).isEqualTo("[b]");
    assertThat(transactions.tell("c")).isEqualTo("-");
    assertThat(transactions.tell("SET autocommit=1")).isEqualTo("[c]");
    assertThat(transactions.tell("d")).isEqualTo("-");
    assertThat(transactions.tell("COMMIT")).isEqualTo("-");
    assertThat(transactions.tell("SET GLOBAL autocommit=0")).isEqualTo("-");
    assertThat(transactions.tell("e")).isEqualTo("-");
    assertThat(transactions.tell("COMMIT")).isEqualTo("-");
  }

  private static final class OpenTransactionsOf {
    private final OpenTransactions<String> transactions = new OpenTransactions<>();

    String tell(String sql) {
      var record = TestingWorkload.record("7", sql);
      if (sql.length() == 1) {
        transactions.add(record, sql);
        return "-";
      }
      return transactions.boundary(record).map(Object::toString).orElse("-");
    }
  }
}
