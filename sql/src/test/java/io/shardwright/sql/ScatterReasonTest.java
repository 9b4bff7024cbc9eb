package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScatterReasonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select status from orders | NO_KEY",
        "select status from orders where status = 1 order by tenant_id, buyer_id | NO_KEY",
        "select tenant_id from orders group by tenant_id | NO_KEY",
        "select count(*) from orders where tenant_id = 1 | KEY_INCOMPLETE",
        "select count(*) from orders where tenant_id = 1 and status = 2 | KEY_INCOMPLETE",
        "select status from orders where tenant_id = 1 and buyer_id > 2 | KEY_IN_RANGE",
        "select status from orders o where 1 <= o.tenant_id and o.buyer_id = 2 | KEY_IN_RANGE",
        "select status from orders where tenant_id = 1 and buyer_id + 0 = 2 | KEY_IN_EXPRESSION",
        "select status from orders where tenant_id = 1 and abs(buyer_id) = 2 | KEY_IN_EXPRESSION",
        "select status from orders where tenant_id = 1 and buyer_id = 2 + ? | KEY_IN_EXPRESSION",
        "select status from orders where tenant_id = 1 and buyer_id = abs(2) | KEY_IN_EXPRESSION",
        "select status from orders where tenant_id = 1 and (buyer_id = 2 or status = 3)"
            + " | OR_WITHOUT_KEY",
        "select status from orders where order_id = 7 or status = 3 | OR_WITHOUT_KEY",
        "select o.status from orders o join order_items i on i.order_id = o.order_id | NO_KEY",
        "select o.status from orders o left join order_items i on i.tenant_id = o.tenant_id"
            + " and i.buyer_id = o.buyer_id and i.tenant_id = 1 and i.buyer_id = 2"
            + " | TABLE_NOT_TIED",
      })
  void reason_saysWhatIsMissing(String sql, ScatterReason reason) {
    Plan plan = Plans.PLANNER.plan(sql);

    assertThat(plan.scatterReason()).contains(reason);
    assertThat(plan.reason()).startsWith("scatter: ").contains("(tenant_id, buyer_id)");
  }

  @Test
  void reason_ofKeyedStatements_isNone() {
    assertThat(
            Plans.PLANNER
                .plan("select status from orders where tenant_id = 1 and buyer_id in (2, 3)")
                .scatterReason())
        .isEmpty();
    assertThat(Plans.PLANNER.plan("select name from countries").scatterReason()).isEmpty();
  }
}
