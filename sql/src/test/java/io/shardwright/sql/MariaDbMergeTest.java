package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.sql.Merge.Piece;
import io.shardwright.sql.Merge.SortKey;
import io.shardwright.sql.Merge.Window;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is pushed to MariaDB shards of a scatter, what remains to be merged, and the last step. */
class MariaDbMergeTest {

  @Test
  void merge_nulls_areTheSmallestValues() {
    Route route =
        MariaDbPlans.route(
            "select order_id, status from orders order by STATUS, 1 desc limit 2, 3");

    assertThat(MariaDbPlans.text(route))
        .isEqualTo("select order_id, status from orders order by STATUS, 1 desc LIMIT 5");
    assertThat(route.merge())
        .isEqualTo(
            new Merge.Ordered(
                List.of(
                    new SortKey(2, false, true, ValueOrder.NATURAL),
                    new SortKey(1, true, false, ValueOrder.NATURAL)),
                0,
                new Window(2, OptionalLong.of(3))));
  }

  @Test
  void merge_countAndSum_areCombinedHereAndAverageIsNot() {
    assertThat(MariaDbPlans.route("select count(*), sum(amount) from orders").merge())
        .isInstanceOf(Merge.Aggregate.class);
    assertThat(MariaDbPlans.route("select avg(amount) from orders").merge())
        .isInstanceOf(Merge.Staged.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      textBlock =
          """
      select status, count(*) from orders group by status having count(*) > ?; select status, count(*) from orders GROUP BY 1; SELECT shardwright_1 AS `status`, CAST(coalesce(sum(shardwright_2), 0) AS SIGNED) AS `count(*)` FROM (rows) GROUP BY shardwright_1 HAVING CAST(coalesce(sum(shardwright_2), 0) AS SIGNED) > ?
      select status as s, max(amount) m, avg(amount) from orders group by s having m > 1 and s > 2; select status, max(amount), SUM(amount), COUNT(amount) from orders GROUP BY 1; SELECT shardwright_1 AS `s`, max(shardwright_2) AS `m`, (sum(shardwright_3) / nullif(sum(shardwright_4), 0)) AS `avg(amount)` FROM (rows) GROUP BY shardwright_1 HAVING m > 1 and s > 2
      select sum(amount) + 1 'x y' from orders; select sum(amount) from orders; SELECT CAST(sum(shardwright_1) AS (type of 1)) + 1 AS `x y` FROM (rows)
      select distinct status from orders order by status; select DISTINCT status from orders; SELECT DISTINCT shardwright_1 AS `status` FROM (rows) ORDER BY 1
      select tag from tags where name like ? order by name desc limit 3; select tag, name from tags where name like ? order by name desc LIMIT 3; SELECT shardwright_1 AS `tag` FROM (rows:utf8mb4_nopad_bin,utf8mb4_general_ci) ORDER BY shardwright_2 desc limit 3
      select name, count(*) from tags group by name; select name, count(*) from tags GROUP BY 1; SELECT shardwright_1 AS `name`, CAST(coalesce(sum(shardwright_2), 0) AS SIGNED) AS `count(*)` FROM (rows:utf8mb4_general_ci,) GROUP BY shardwright_1
      select group_concat(distinct name order by tag separator '-') as g from tags; select name, tag from tags; SELECT group_concat(distinct shardwright_1 order by shardwright_2 separator '-') AS `g` FROM (rows:utf8mb4_general_ci,utf8mb4_nopad_bin)
      select count(distinct status, amount) from orders; select status, amount from orders; SELECT count(distinct shardwright_1, shardwright_2) AS `count(distinct status, amount)` FROM (rows)
      select status a from orders having a > 1; select status from orders; SELECT shardwright_1 AS `a` FROM (rows) HAVING a > 1
      select min(name), max(length(name)) from tags; select min(name), max(length(name)) from tags; SELECT min(shardwright_1) AS `min(name)`, max(shardwright_2) AS `max(length(name))` FROM (rows:utf8mb4_general_ci,)
      select status, std(amount) from orders group by status having std(amount) > 1 order by 2; select status, amount from orders; SELECT shardwright_1 AS `status`, std(shardwright_2) AS `std(amount)` FROM (rows) GROUP BY shardwright_1 HAVING std(shardwright_2) > 1 ORDER BY 2
      """)
  void staged_statement_hasTheseTwoTexts(String sql, String shard, String last) {
    Route route = sql.contains("?") ? MariaDbPlans.route(sql, 7) : MariaDbPlans.route(sql);

    assertThat(squeezed(MariaDbPlans.text(route))).isEqualTo(shard.strip());
    assertThat(squeezed(text((Merge.Staged) route.merge()))).isEqualTo(last.strip());
    assertThat(((Merge.Staged) route.merge()).arguments())
        .filteredOn(Argument.CollectedRows.class::isInstance)
        .hasSize(1);
  }

  @Test
  void merge_partsOnSeveralShards_comeTogether() {
    Route route =
        MariaDbPlans.route(
            "select o.status, t.name from orders o join tags t on t.tag = o.status"
                + " where o.amount > ? && o.status > 1 order by t.name",
            7);

    Merge.Gathered gathered = (Merge.Gathered) route.merge();
    assertThat(gathered.parts())
        .extracting(part -> part.plan().sql())
        .containsExactly(
            "SELECT `status`, `amount` FROM orders o WHERE (o.amount > ?) AND (o.status > 1)",
            "SELECT `tag`, `name` FROM tags t");
    assertThat(gathered.parts().get(1).collations())
        .containsExactly("utf8mb4_nopad_bin", "utf8mb4_general_ci");
  }

  @Test
  void rows_ofEveryType_arriveAsTheyWere() {
    JsonRows rows =
        new JsonRows(
            List.of(
                new JsonRows.Column("decimal(10,2)", Optional.empty()),
                new JsonRows.Column("varchar(20)", Optional.of("utf8mb4_nopad_bin")),
                new JsonRows.Column("varbinary(8)", Optional.empty()),
                new JsonRows.Column("uuid", Optional.empty())));
    rows.add(java.util.Arrays.asList("1.50", "a\"\\\n\u0001é", new byte[] {0, -1}, null));
    rows.add(java.util.Arrays.asList(null, "", null, "u"));

    assertThat(rows.text())
        .isEqualTo(
            "[[\"1.50\",\"a\\\"\\\\\\u000a\\u0001é\",\"AP8=\",null],[null,\"\",null,\"u\"]]");
    assertThat(rows.fromItem("r"))
        .isEqualTo(
            "(SELECT r_1, r_2, LEFT(FROM_BASE64(r_3), 8) AS r_3, CAST(r_4 AS uuid) AS r_4 FROM"
                + " JSON_TABLE(?, '$[*]' COLUMNS (r_1 decimal(10,2) PATH '$[0]', r_2 varchar(20)"
                + " COLLATE utf8mb4_nopad_bin PATH '$[1]', r_3 longtext PATH '$[2]', r_4 longtext"
                + " PATH '$[3]')) AS r) AS r");
    assertThat(new JsonRows.Column("float", Optional.empty()).isExact()).isFalse();
    assertThat(new JsonRows.Column("bigint unsigned", Optional.empty()).isExact()).isTrue();
  }

  private static String text(Merge.Staged staged) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : staged.text()) {
      if (piece instanceof Piece.Text fixed) {
        text.append(fixed.text());
      } else if (piece instanceof Piece.TypeOf type) {
        text.append("(type of ").append(type.column()).append(')');
      } else {
        text.append(rows((Piece.Rows) piece));
      }
    }
    return text.toString();
  }

  private static String rows(Piece.Rows rows) {
    String collations =
        rows.collations().stream().map(c -> c.orElse("")).collect(Collectors.joining(","));
    return collations.replace(",", "").isEmpty() ? "(rows)" : "(rows:" + collations + ")";
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
