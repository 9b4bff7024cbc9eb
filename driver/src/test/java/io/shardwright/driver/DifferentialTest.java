package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCategory;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.testkit.Seeds;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The law of the product: a statement on shards gives what one database with the same rows gives,
 * or is refused. Random statements run on both. More with -Dshardwright.differential=N.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DifferentialTest {
  // Without bucket_id, which the plain database does not fill in.
  private static final String ALL_ORDERS =
      "SELECT tenant_id, buyer_id, order_id, status, amount, ratio, quantity, created_at FROM"
          + " orders ORDER BY order_id";
  private static final int ORDERS = 400;
  private static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(1024);
  private static final BucketFunction BUCKETS =
      new BucketFunction(
          List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, LAYOUT.buckets());

  private final TestingDatabase database;
  private final int statements;
  private TestingShards shards;
  private Connection logical;
  private Connection plain;
  private int refused;

  DifferentialTest() {
    database = database();
    statements = Integer.getInteger("shardwright.differential", statements());
  }

  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }

  /** How many, unless the flag says it. */
  int statements() {
    return 3_000;
  }

  @BeforeAll
  void load() throws SQLException {
    shards = TestingShards.open(database, 5);
    logical = shards.connect();
    plain = shards.plain();
    Random random = new Random(7);
    for (String country : List.of("a", "b")) {
      both("INSERT INTO countries (code, name) VALUES (?, ?)", country, "name of " + country);
    }
    for (int i = 0; i < ORDERS; i++) {
      int tenant = random.nextInt(4);
      long buyer = random.nextInt(9);
      int bucket = BUCKETS.bucket(List.of(tenant, buyer)).orElseThrow().value();
      long id =
          ((long) i << (LAYOUT.geneBits() + LAYOUT.geneShift()))
              | ((long) bucket << LAYOUT.geneShift());
      Object status = List.of("a", "b", "\u00e9", "Z", "").get(random.nextInt(5));
      both(
          "INSERT INTO orders (bucket_id, tenant_id, buyer_id, order_id, status, amount, ratio,"
              + " quantity, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          bucket,
          tenant,
          buyer,
          id,
          random.nextInt(6) == 0 ? null : status,
          random.nextInt(6) == 0 ? null : BigDecimal.valueOf(random.nextInt(10_000), 2),
          random.nextInt(6) == 0 ? null : random.nextInt(40) * 0.25,
          random.nextInt(6) == 0 ? null : random.nextInt(9),
          database.instant(LocalDateTime.of(2020, 1, 1 + random.nextInt(9), 0, 0)));
      for (int line = random.nextInt(3); line > 0; line--) {
        both(
            "INSERT INTO items (bucket_id, tenant_id, buyer_id, order_id, line, sku, price)"
                + " OVERRIDING SYSTEM VALUE VALUES (?, ?, ?, ?, ?, ?, ?)",
            bucket,
            tenant,
            buyer,
            id,
            line,
            "sku" + line,
            BigDecimal.valueOf(random.nextInt(60)));
      }
    }
  }

  private void both(String sql, Object... parameters) throws SQLException {
    String text = database.inItsWords(sql);
    TestingShards.update(logical, text, parameters);
    TestingShards.update(plain, text, parameters);
  }

  @AfterAll
  void close() throws SQLException {
    logical.close();
    plain.close();
    shards.close();
  }

  @Test
  void anySelect_onShards_isAsOnOneDatabaseOrRefused() {
    refused = 0;
    Seeds.check(statements, RandomStatements::draw, this::compare);

    assertThat(refused).as("statements refused of %d", statements).isLessThan(statements / 4);
    shards.assertIdle();
  }

  /** Of two equal lists of values one holds in a subquery, or in the ON of an outer join, alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT s.order_id, x.order_id FROM orders s LEFT JOIN orders x ON x.tenant_id = 1"
            + " AND x.buyer_id = s.quantity AND x.order_id = s.order_id"
            + " JOIN orders a ON a.order_id = s.order_id WHERE s.quantity IN (%1$s)"
            + " AND a.tenant_id = 1 AND a.buyer_id IN (%1$s) AND a.order_id > ? ORDER BY 1, 2",
        "WITH s AS (SELECT i.order_id, (SELECT count(*) FROM orders x WHERE"
            + " x.order_id = i.order_id AND x.tenant_id = 1 AND x.buyer_id = i.quantity"
            + " AND i.quantity IN (%1$s)) AS own FROM orders i)"
            + " SELECT a.order_id, s.own FROM orders a JOIN s ON s.order_id = a.order_id"
            + " WHERE a.tenant_id = 1 AND a.buyer_id IN (%1$s) AND a.order_id > ? ORDER BY 1, 2",
      })
  void equalLists_onShards_areAsOnOneDatabase(String form) throws SQLException {
    int rows = 0;
    for (int first = 0; first < 9; first++) {
      for (int second = first + 1; second < 9; second++) {
        String sql = form.formatted(first + ", " + second);
        List<String> expected = TestingShards.rows(plain, sql, -1L);
        assertThat(TestingShards.rows(logical, sql, -1L)).as(sql).isEqualTo(expected);
        rows += expected.size();
      }
    }
    assertThat(rows).isPositive();
  }

  /** No bound on refusals: what the planner learns is in docs/sql-support.md. */
  @Test
  void anyComposition_onShards_isAsOnOneDatabaseOrRefused() {
    refused = 0;
    Seeds.check(statements / 3, RandomCompositions::draw, this::compare);

    assertThat(refused).as("compositions refused of %d", statements / 3).isLessThan(statements / 3);
    shards.assertIdle();
  }

  /** Also that a refused write has changed nothing. */
  @Test
  void anyWrite_onShards_changesWhatOneDatabaseChangesOrNothing() throws SQLException {
    shards.onEveryShard("CREATE TABLE orders_before AS SELECT * FROM orders");
    refused = 0;
    Seeds.check(statements / 10, RandomStatements::drawWrite, this::compareWrite);
    int plainlyRefused = refused;
    Seeds.check(statements / 30, RandomCompositions::drawWrite, this::compareWrite);

    assertThat(plainlyRefused)
        .as("writes refused of %d", statements / 10)
        .isBetween(statements / 100, statements / 20);
    shards.assertIdle();
  }

  private void compareWrite(RandomTerms.Statement statement) {
    try {
      List<String> before = TestingShards.rows(plain, ALL_ORDERS);
      List<String> actual = new ArrayList<>();
      boolean accepted = true;
      try {
        actual.addAll(outcome(logical, statement));
      } catch (SQLException e) {
        accepted = false;
        if (!(e instanceof ShardwrightError error)
            || error.code().category() != ErrorCategory.USER) {
          throw e;
        }
        refused++;
      }
      actual.addAll(TestingShards.rows(logical, ALL_ORDERS));
      List<String> expected = new ArrayList<>();
      plain.setAutoCommit(false);
      if (accepted) {
        expected.addAll(outcome(plain, statement));
      }
      expected.addAll(TestingShards.rows(plain, ALL_ORDERS));
      plain.rollback();
      plain.setAutoCommit(true);
      if (!expected.equals(before)) {
        shards.onEveryShard("DELETE FROM orders; INSERT INTO orders SELECT * FROM orders_before");
      }
      assertThat(actual).isEqualTo(expected);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The update count, or the rows of RETURNING in the order of their text. MariaDB answers with a
   * count where it sees beforehand that RETURNING has no rows.
   */
  private List<String> outcome(Connection connection, RandomTerms.Statement statement)
      throws SQLException {
    boolean returning = statement.sql().contains(" RETURNING ");
    return answer(connection, statement).rows().stream()
        .map(row -> String.join("|", row))
        .filter(row -> !(returning && row.equals("count 0")))
        .sorted()
        .toList();
  }

  private void compare(RandomTerms.Statement statement) {
    try {
      Answer expected;
      try {
        expected = answer(plain, statement);
      } catch (SQLException e) {
        // An ORDER BY name that is ambiguous or unknown: ours must not run either.
        assertThat(e.getSQLState()).as("%s", e).isIn("42702", "42703", "42S22", "23000");
        assertThatThrownBy(() -> answer(logical, statement)).isInstanceOf(SQLException.class);
        return;
      }
      Answer actual;
      try {
        actual = answer(logical, statement);
      } catch (SQLException e) {
        if (e instanceof ShardwrightError error && error.code().category() == ErrorCategory.USER) {
          refused++;
          return;
        }
        throw e;
      }
      if (statement.ordered()) {
        assertThat(actual.rows()).isEqualTo(expected.rows());
      } else {
        assertThat(sorted(actual.rows())).isEqualTo(sorted(expected.rows()));
      }
      assertThat(database.comparable(actual.columns()))
          .isEqualTo(database.comparable(expected.columns()));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static List<List<String>> sorted(List<List<String>> rows) {
    return rows.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }

  private Answer answer(Connection connection, RandomTerms.Statement statement)
      throws SQLException {
    String sql = database.inItsWords(statement.sql());
    return statement.prepared()
        ? Answer.of(connection, sql, statement.parameters())
        : Answer.of(connection, sql);
  }
}
