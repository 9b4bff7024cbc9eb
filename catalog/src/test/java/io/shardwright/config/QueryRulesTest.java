package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.QueryRules.Limits;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.config.QueryRules.QueryTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueryRulesTest {
  private static final String KEY = "0123456789abcdef0123456789abcdef";
  private static final String FILE =
      """
      version: 1
      shards:
        s0: {url: "jdbc:postgresql://h/d", user: app}
      groups:
        g:
          key: [k]
          buckets: 16
          tables: {t: {}, u: {}}
      """;

  private static Configuration parse(String query) {
    return ConfigurationReader.parse("f", FILE + query, Map.of());
  }

  @Test
  void noRules_nothingMayBeAsked() {
    assertThat(parse("").query()).isEmpty();
  }

  @Test
  void defaults() {
    QueryRules rules =
        parse("query: {cursor_keys: [" + KEY + "], tables: {t: {id: [i], times: {created: c}}}}\n")
            .query()
            .orElseThrow();

    assertThat(rules.limits())
        .isEqualTo(new Limits(Duration.ofSeconds(2), Duration.ofSeconds(1), 1_000, 10));
    assertThat(rules.tables())
        .isEqualTo(
            Map.of(
                "t",
                new QueryTable(
                    List.of("i"),
                    Map.of(Purpose.CREATED, "c"),
                    List.of("i", "c"),
                    List.of(),
                    List.of(),
                    Duration.ofDays(31))));
  }

  @Test
  void everyKey_isMapped() {
    QueryRules rules =
        parse(
                """
                query:
                  timeout: 900ms
                  shard_timeout: 300ms
                  rows: 77
                  rate: 3
                  cursor_keys: [0123456789abcdef0123456789abcdef, fedcba9876543210fedcba9876543210]
                  tables:
                    t:
                      id: [i, j]
                      times: {created: c, paid: p, updated: u, settled: s, event: e}
                      select: [i, x]
                      filter: [x, y]
                      order: [z]
                      span: 48h
                """)
            .query()
            .orElseThrow();

    assertThat(rules)
        .isEqualTo(
            new QueryRules(
                new Limits(Duration.ofMillis(900), Duration.ofMillis(300), 77, 3),
                List.of(KEY, "fedcba9876543210fedcba9876543210"),
                Map.of(
                    "t",
                    new QueryTable(
                        List.of("i", "j"),
                        Map.of(
                            Purpose.CREATED, "c",
                            Purpose.PAID, "p",
                            Purpose.UPDATED, "u",
                            Purpose.SETTLED, "s",
                            Purpose.EVENT, "e"),
                        List.of("i", "x"),
                        List.of("x", "y"),
                        List.of("z"),
                        Duration.ofDays(2)))));
  }

  @Test
  void shardTimeout_isNeverLongerThanTheWhole() {
    Limits limits =
        parse(
                "query: {cursor_keys: ["
                    + KEY
                    + "], timeout: 200ms, tables: {t: {id: [i], times: {created: c}}}}\n")
            .query()
            .orElseThrow()
            .limits();

    assertThat(limits.shardTimeout()).isEqualTo(Duration.ofMillis(200));
  }

  @Test
  void keys_areNotShown() {
    QueryRules rules =
        parse("query: {cursor_keys: [" + KEY + "], tables: {t: {id: [i], times: {created: c}}}}\n")
            .query()
            .orElseThrow();

    assertThat(rules.cursorKeys()).containsExactly(KEY);
    assertThat(rules.toString()).doesNotContain(KEY);
  }

  @Test
  void mistakes_areAllTold() {
    assertThatThrownBy(
            () ->
                parse(
                    """
                    query:
                      timeout: 100ms
                      shard_timeout: 200ms
                      rows: 0
                      cursor_keys: [tooshortasecret]
                      tables:
                        nowhere: {id: [i], times: {created: c}}
                        t: {times: {created: c, paid: c, later: d}, select: [i, i], spam: 1h}
                        u: {id: [i], times: {}}
                    """))
        .hasMessageContainingAll(
            "query.shard_timeout: is longer than timeout",
            "query.rows: is '0'",
            "query.cursor_keys[0]: has fewer than 32 characters",
            "query.tables.nowhere: is no table of a group",
            "query.tables.t.id: is missing",
            "query.tables.t.times.paid: is 'c', which has another purpose already",
            "query.tables.t.times.later: is no purpose of a time column",
            "column i is there twice",
            "query.tables.t.spam: is not a known key",
            "query.tables.u.times: names no time column")
        .hasMessageNotContaining("tooshortasecret");
  }
}
