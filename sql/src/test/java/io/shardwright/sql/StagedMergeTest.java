package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.sql.Merge.Piece;
import io.shardwright.sql.Route.Argument;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What each shard sends to a last step, and the step's text; TYPE and DIVISOR stand for its holes.
 */
class StagedMergeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      select status, count(*) from orders group by status having count(*) > 1 order by 2 desc | select status, count(*) from orders GROUP BY 1 | SELECT shardwright_1::TYPE AS "status", (coalesce(sum(shardwright_2), 0)::int8) AS "count" FROM unnest(?, ?) AS shardwright (shardwright_1, shardwright_2) GROUP BY shardwright_1 HAVING (coalesce(sum(shardwright_2), 0)::int8) > 1 ORDER BY 2 desc
      select count(distinct status) from orders | select status from orders GROUP BY 1 | SELECT count(DISTINCT shardwright_1) AS "count" FROM unnest(?) AS shardwright (shardwright_1)
      select distinct status as s from orders order by s limit 3 | select DISTINCT status from orders | SELECT DISTINCT shardwright_1::TYPE AS "s" FROM unnest(?) AS shardwright (shardwright_1) ORDER BY 1 limit 3
      select max(amount_cent) - min(amount_cent) from orders | select max(amount_cent), min(amount_cent) from orders | SELECT max(shardwright_1) - min(shardwright_2) AS "?column?" FROM unnest(?, ?) AS shardwright (shardwright_1, shardwright_2)
      select avg(amount_cent) * 2 as a from orders | select SUM(amount_cent), COUNT(amount_cent) from orders | SELECT (sum(shardwright_1) / sum(shardwright_2)::DIVISOR) * 2 AS "a" FROM unnest(?, ?) AS shardwright (shardwright_1, shardwright_2)
      select rank() over (order by status) from orders where status > 3 | select status from orders where status > 3 | SELECT rank() over (order by shardwright_1) AS "rank" FROM unnest(?) AS shardwright (shardwright_1)
      select status + order_id as s, city from orders o join order_addresses a using (order_id) order by 2, s desc, o.order_id limit 5 | select status, order_id, city, o.order_id from orders o join order_addresses a using (order_id) order by city, status + order_id desc, o.order_id LIMIT 5 | SELECT shardwright_1 + shardwright_2 AS "s", shardwright_3::TYPE AS "city" FROM unnest(?, ?, ?, ?) AS shardwright (shardwright_1, shardwright_2, shardwright_3, shardwright_4) ORDER BY 2, 1 desc, shardwright_4 limit 5
      select distinct buyer_id::character varying from orders | select DISTINCT buyer_id from orders | SELECT DISTINCT shardwright_1::character varying AS "buyer_id" FROM unnest(?) AS shardwright (shardwright_1)
      select max(created_at) - interval '1' year, count(*) + 1 from orders | select max(created_at), count(*) from orders | SELECT max(shardwright_1) - interval '1' year AS "?column?", (coalesce(sum(shardwright_2), 0)::int8) + 1 AS "?column?" FROM unnest(?, ?) AS shardwright (shardwright_1, shardwright_2)
      select status + 1, (status + 1) * 2, count(*) from orders group by status + 1 having true | select status + 1, count(*) from orders GROUP BY 1 | SELECT shardwright_1 AS "?column?", (shardwright_1) * 2 AS "?column?", (coalesce(sum(shardwright_2), 0)::int8) AS "count" FROM unnest(?, ?) AS shardwright (shardwright_1, shardwright_2) GROUP BY shardwright_1 HAVING true
      select city from order_addresses order by city desc limit 2 offset 1 | select city from order_addresses order by city desc LIMIT 3 | SELECT shardwright_1::TYPE AS "city" FROM unnest(?) AS shardwright (shardwright_1) ORDER BY 1 desc limit 2 offset 1
      """)
  void split_outerClauses_areEvaluatedOnce(String sql, String shard, String last) {
    Route route = Plans.route(sql);

    assertThat(route.statements()).hasSize(4);
    assertThat(squeezed(route.statements().get(0).text().sql())).isEqualTo(shard);
    assertThat(squeezed(text((Merge.Staged) route.merge()))).isEqualTo(last);
  }

  @Test
  void split_parameters_goWhereTheirTextGoes() {
    Route route =
        Plans.route(
            "select coalesce(sum(amount_cent * ?), ?) from orders where status > ? having count(*) > ?",
            1,
            2,
            3,
            4);

    assertThat(route.statements().get(0).text().arguments())
        .containsExactly(new Argument.Parameter(0), new Argument.Parameter(2));
    assertThat(((Merge.Staged) route.merge()).arguments())
        .containsExactly(
            new Argument.Parameter(1),
            new Argument.Collected(1),
            new Argument.Collected(2),
            new Argument.Parameter(3));
  }

  @Test
  void split_keysOnSeveralShards_putsTheGroupBehindTheWholeCondition() {
    Route route =
        Plans.route(
            "select count(distinct status) from orders where tenant_id = 1 and buyer_id in (2, 3)");

    assertThat(route.statements()).hasSize(2);
    assertThat(route.statements().get(0).text().sql())
        .isEqualTo(
            "select status from orders where orders.bucket_id = ? AND ( tenant_id = 1 and"
                + " buyer_id in (3)) GROUP BY 1");
  }

  private static String text(Merge.Staged staged) {
    return staged.text().stream()
        .map(
            piece ->
                piece instanceof Piece.Text text
                    ? text.text()
                    : piece instanceof Piece.TypeOf ? "TYPE" : "DIVISOR")
        .collect(Collectors.joining());
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
