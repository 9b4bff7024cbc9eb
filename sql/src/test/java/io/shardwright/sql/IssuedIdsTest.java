package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.IssuedColumn;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** INSERTs that leave the gene id of their table to the driver. */
class IssuedIdsTest {
  private static final IssuedColumn COLUMN =
      new IssuedColumn("orders", "orders", "order_id", Plans.LAYOUT, true);

  private static ShardStatementText text(Plan plan, Object... parameters) {
    return plan.route(List.of(parameters), group -> Plans.MAP).statements().get(0).text();
  }

  private static Argument id(int row, BucketId bucket) {
    return new Argument.IssuedId(row, bucket, COLUMN);
  }

  @Test
  void aColumnThatIsNotNamed_isAddedWithAnIdOfTheRowsBucket() {
    Plan plan = Plans.PLANNER.plan("INSERT INTO orders (tenant_id, buyer_id) VALUES (?, ?)");
    for (int buyer = 1; buyer < 4; buyer++) {
      BucketId bucket = Plans.bucket(7, buyer);
      ShardStatementText text = text(plan, 7, buyer);
      assertThat(text.sql())
          .isEqualTo(
              "INSERT INTO orders (bucket_id, \"order_id\", tenant_id, buyer_id)"
                  + " VALUES (?, ?, ?, ?)");
      assertThat(text.arguments())
          .containsExactly(
              new Argument.Int64(bucket.value()),
              id(0, bucket),
              new Argument.Parameter(0),
              new Argument.Parameter(1));
    }
  }

  @Test
  void default_isReplacedInItsPlace() {
    Plan plan =
        Plans.PLANNER.plan(
            "INSERT INTO orders (tenant_id, order_id, buyer_id) VALUES (?, DEFAULT, ?)");
    BucketId bucket = Plans.bucket(7, 1);
    ShardStatementText text = text(plan, 7, 1);
    assertThat(text.sql())
        .isEqualTo(
            "INSERT INTO orders (bucket_id, tenant_id, order_id, buyer_id) VALUES (?, ?, ?, ?)");
    assertThat(text.arguments())
        .containsExactly(
            new Argument.Int64(bucket.value()),
            new Argument.Parameter(0),
            id(0, bucket),
            new Argument.Parameter(1));
  }

  @Test
  void aGivenId_isLeftAlone() {
    Plan plan =
        Plans.PLANNER.plan(
            "INSERT INTO orders (tenant_id, order_id, buyer_id) VALUES (7, NULL, 1)");
    assertThat(text(plan).arguments())
        .containsExactly(new Argument.Int64(Plans.bucket(7, 1).value()));
  }

  @Test
  void anIdOfAnotherTable_isRefused() {
    for (String insert :
        List.of(
            "INSERT INTO order_items (tenant_id, buyer_id) VALUES (1, 2)",
            "INSERT INTO order_items (tenant_id, buyer_id, order_id) VALUES (1, 2, DEFAULT)",
            "INSERT INTO order_items (tenant_id, buyer_id)"
                + " SELECT tenant_id, buyer_id FROM orders")) {
      assertThatThrownBy(() -> Plans.PLANNER.plan(insert))
          .isInstanceOfSatisfying(
              ShardwrightException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_MISSING))
          .hasMessageContaining("order_id");
    }
  }
}
