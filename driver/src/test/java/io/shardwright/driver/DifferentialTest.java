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
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The law of the product: a statement on shards gives what one database with the same rows gives,
 * or is refused. Random statements run on both. More with -Dshardwright.differential=N.
 */
class DifferentialTest {
  private static final int STATEMENTS = Integer.getInteger("shardwright.differential", 3_000);
  private static final int COMPOSITIONS = STATEMENTS / 3;
  private static final int WRITES = STATEMENTS / 10;
  // Without bucket_id, which the plain database does not fill in.
  private static final String ALL_ORDERS =
      "SELECT tenant_id, buyer_id, order_id, status, amount, ratio, quantity, created_at FROM orders"
          + " ORDER BY order_id";
  private static final int ORDERS = 400;
  private static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(1024);
  private static final BucketFunction BUCKETS =
      new BucketFunction(
          List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, LAYOUT.buckets());

  private static TestingShards shards;
  private static Connection logical;
  private static Connection plain;
  private static int refused;

  @BeforeAll
  static void load() throws SQLException {
    shards = TestingShards.open(5);
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
          OffsetDateTime.of(2020, 1, 1 + random.nextInt(9), 0, 0, 0, 0, ZoneOffset.UTC));
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

  private static void both(String sql, Object... parameters) throws SQLException {
    TestingShards.update(logical, sql, parameters);
    TestingShards.update(plain, sql, parameters);
  }

  @AfterAll
  static void close() throws SQLException {
    logical.close();
    plain.close();
    shards.close();
  }

  @Test
  void anySelect_onShards_isAsOnOneDatabaseOrRefused() {
    refused = 0;
    Seeds.check(STATEMENTS, RandomStatements::draw, DifferentialTest::compare);

    assertThat(refused).as("statements refused of %d", STATEMENTS).isLessThan(STATEMENTS / 4);
    shards.assertIdle();
  }

  /** No bound on refusals: what the planner learns is in docs/sql-support.md. */
  @Test
  void anyComposition_onShards_isAsOnOneDatabaseOrRefused() {
    refused = 0;
    Seeds.check(COMPOSITIONS, RandomCompositions::draw, DifferentialTest::compare);

    assertThat(refused).as("compositions refused of %d", COMPOSITIONS).isLessThan(COMPOSITIONS);
    shards.assertIdle();
  }

  /** Also that a refused write has changed nothing. */
  @Test
  void anyWrite_onShards_changesWhatOneDatabaseChangesOrNothing() throws SQLException {
    shards.onEveryShard("CREATE TABLE orders_before AS SELECT * FROM orders");
    refused = 0;
    Seeds.check(WRITES, RandomStatements::drawWrite, DifferentialTest::compareWrite);
    int plainlyRefused = refused;
    Seeds.check(WRITES / 3, RandomCompositions::drawWrite, DifferentialTest::compareWrite);

    assertThat(plainlyRefused)
        .as("writes refused of %d", WRITES)
        .isBetween(WRITES / 10, WRITES / 2);
    shards.assertIdle();
  }

  private static void compareWrite(RandomTerms.Statement statement) {
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
        shards.onEveryShard("TRUNCATE orders; INSERT INTO orders SELECT * FROM orders_before");
      }
      assertThat(actual).isEqualTo(expected);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The update count, or the rows of RETURNING in the order of their text. */
  private static List<String> outcome(Connection connection, RandomTerms.Statement statement)
      throws SQLException {
    return answer(connection, statement).rows().stream()
        .map(row -> String.join("|", row))
        .sorted()
        .toList();
  }

  private static void compare(RandomTerms.Statement statement) {
    try {
      Answer expected;
      try {
        expected = answer(plain, statement);
      } catch (SQLException e) {
        // An ORDER BY name that is ambiguous or unknown: ours must not run either.
        assertThat(e.getSQLState()).isIn("42702", "42703");
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
        assertThat(actual.rows()).containsExactlyInAnyOrderElementsOf(expected.rows());
      }
      assertThat(actual.columns()).isEqualTo(expected.columns());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static Answer answer(Connection connection, RandomTerms.Statement statement)
      throws SQLException {
    return Answer.of(connection, statement.sql(), statement.parameters());
  }
}
