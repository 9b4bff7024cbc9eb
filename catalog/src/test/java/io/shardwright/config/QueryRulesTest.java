package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.config.QueryRules.AsyncLimits;
import io.shardwright.config.QueryRules.ExportLimits;
import io.shardwright.config.QueryRules.Limits;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.config.QueryRules.QueryTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
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
    assertThat(rules.directory()).isEmpty();
    assertThat(rules.exports())
        .isEqualTo(
            new ExportLimits(
                Optional.empty(), Duration.ofDays(1), 20_000, 2, 250_000, Duration.ofMinutes(10)));
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
                    List.of(),
                    Map.of(),
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
                  directory: kept/here
                  exports: {span: 96h, expire: 2h, rate: 500, concurrent: 3, file_rows: 700, patience: 30s}
                  async: {patience: 20s, expire: 3h, concurrent: 5}
                  tables:
                    t:
                      id: [i, j]
                      times: {created: c, paid: p, updated: u, settled: s, event: e}
                      select: [i, x]
                      filter: [x, y]
                      order: [z]
                      mask: [m]
                      last_four: {m_last4: m}
                      wide: [y]
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
                        List.of("i", "x", "m_last4"),
                        List.of("x", "y", "m_last4"),
                        List.of("z"),
                        List.of("m"),
                        Map.of("m_last4", "m"),
                        List.of("y"),
                        Duration.ofDays(2))),
                QueryAccess.ANYONE,
                Optional.of(Path.of("kept/here")),
                new ExportLimits(
                    Optional.of(Duration.ofDays(4)),
                    Duration.ofHours(2),
                    500,
                    3,
                    700,
                    Duration.ofSeconds(30)),
                new AsyncLimits(Duration.ofSeconds(20), Duration.ofHours(3), 5)));
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
  void roles_andTokens() {
    String hash = "0123456789abcdef".repeat(4);
    String other = hash.replace('0', '1');
    QueryAccess access =
        parse(
                """
                query:
                  cursor_keys: [%s]
                  tables: {t: {id: [i], times: {created: c}}}
                  roles:
                    ops: {}
                    seller:
                      tables: [t]
                      columns: [i, c]
                      rows: 20
                      span: 24h
                      concurrency: 2
                      unmasked: true
                      exports: true
                      where: {status: [1, 2]}
                  tokens:
                    - {name: o, hash: "sha256:%s", role: ops}
                    - {name: s, hash: "sha256:%s", role: seller, expires: "2027-01-01T00:00:00Z", where: {seller_id: 7}}
                """
                    .formatted(KEY, hash, other))
            .query()
            .orElseThrow()
            .access();

    assertThat(access.roles().get("ops"))
        .isEqualTo(
            new QueryAccess.Role(
                "ops",
                Set.of(),
                Set.of(),
                OptionalInt.empty(),
                Optional.empty(),
                8,
                false,
                false,
                Map.of()));
    assertThat(access.roles().get("seller"))
        .isEqualTo(
            new QueryAccess.Role(
                "seller",
                Set.of("t"),
                Set.of("i", "c"),
                OptionalInt.of(20),
                Optional.of(Duration.ofDays(1)),
                2,
                true,
                true,
                Map.of("status", List.of("1", "2"))));
    assertThat(access.tokens())
        .containsExactly(
            new QueryAccess.Token("o", hash, "ops", Optional.empty(), Map.of()),
            new QueryAccess.Token(
                "s",
                other,
                "seller",
                Optional.of(Instant.parse("2027-01-01T00:00:00Z")),
                Map.of("seller_id", List.of("7"))));
    assertThat(access.tokens().toString()).doesNotContain(hash);
  }

  @Test
  void accessMistakes_areAllTold() {
    assertThatThrownBy(
            () ->
                parse(
                    """
                    query:
                      cursor_keys: [%s]
                      tables: {t: {id: [i], times: {created: c}, mask: [i], wide: [c], last_four: {A-b: c}}}
                      roles: {ops: {tables: [u], unmasked: maybe, exports: 1, where: {x: []}}}
                      tokens:
                        - {name: o, hash: plainsecret, role: nobody, expires: soon}
                        - {name: o, hash: plainsecret, role: ops}
                    """
                        .formatted(KEY)))
        .hasMessageContainingAll(
            "query.tables.t.mask: names i",
            "table u is not in query.tables",
            "query.roles.ops.unmasked: is 'maybe'",
            "query.roles.ops.exports: is '1'",
            "query.roles.ops.where.x: has no value",
            "hash: is no SHA-256",
            "role: is 'nobody'",
            "expires: is 'soon'",
            "query.tokens: have the name or the hash of o twice")
        .hasMessageNotContaining("plainsecret");
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
  void exportMistakes_areAllTold() {
    assertThatThrownBy(
            () ->
                parse(
                    """
                    query:
                      cursor_keys: [%s]
                      tables: {t: {id: [i], times: {created: c}}}
                      exports: {expire: 1s, rate: 0, concurrent: 17, file_rows: 9, every: 1h}
                      async: {patience: 0s, expire: 1s, concurrent: 17, rate: 1}
                    """
                        .formatted(KEY)))
        .hasMessageContainingAll(
            "query.directory: is missing",
            "query.exports.expire: is '1s'",
            "query.exports.rate: is '0'",
            "query.exports.concurrent: is '17'",
            "query.exports.file_rows: is '9'",
            "query.exports.every: is not a known key",
            "query.async.patience: is '0s'",
            "query.async.expire: is '1s'",
            "query.async.concurrent: is '17'",
            "query.async.rate: is not a known key");
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
