package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Invariant;
import io.shardwright.routing.BucketSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says of the verification of moves. */
class InvariantTest {
  private static final String FILE =
      """
      version: 1
      shards:
        s0: {url: "jdbc:postgresql://h0/d", user: app}
      groups:
        g:
          key: [k]
          buckets: 16
          tables: {t: {verify: {exclude: [cache, seen]}}, u: }
          invariants:
            - name: sums
              sql: "SELECT k FROM t WHERE bucket_id IN (:buckets)"
      """;

  private static Group parse(String file) {
    return ConfigurationReader.parse("f", file, Map.of()).groups().get("g");
  }

  private static String problem(String file) {
    return catchThrowableOfType(ConfigurationException.class, () -> parse(file)).getMessage();
  }

  @Test
  void parse_everyKey_isMapped() {
    Group group = parse(FILE);

    assertThat(group.tables().get("t").notCompared()).containsExactly("cache", "seen");
    assertThat(group.tables().get("u").notCompared()).isEmpty();
    assertThat(group.invariants())
        .containsExactly(new Invariant("sums", "SELECT k FROM t WHERE bucket_id IN (:buckets)"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          UPDATE t SET a = 1 WHERE bucket_id IN (:buckets)            | is not a query
          SELECT 1 FROM t                                             | does not say :buckets
          SELECT ':buckets' FROM t -- :buckets                        | does not say :buckets
          SELECT k::buckets, :buckets2 FROM t                         | does not say :buckets
          SELECT 1 FROM t WHERE b IN (:buckets); SELECT 2             | is more than one statement
          WITH x AS (DELETE FROM t) SELECT 1 WHERE 1 IN (:buckets)    | has the word DELETE
          SELECT 1 FROM t WHERE b IN (:buckets) FOR UPDATE            | has the word UPDATE
          SELECT 'a/!' FROM t WHERE b IN (:buckets)                   | has a backslash in a text
          """)
  void parse_ofOtherSql_saysWhy(String sql, String message) {
    String other = FILE.replace("SELECT k FROM t WHERE bucket_id IN (:buckets)", "%s");
    assertThat(problem(other.formatted(sql.replace("/!", "\\\\"))))
        .contains("groups.g.invariants[0].sql", message);
  }

  @Test
  void parse_ofOtherMistakes_saysWhere() {
    assertThat(problem(FILE.replace("[cache, seen]", "[k]")))
        .contains("groups.g.tables.t.verify.exclude[0]", "column k is in the table's key");
    assertThat(problem(FILE.replace("exclude", "excluded"))).contains("did you mean exclude?");
    assertThat(problem(FILE.replace("name: sums", "called: sums")))
        .contains("groups.g.invariants[0].name", "is missing");
    String twice = FILE.substring(FILE.indexOf("      - name"));
    assertThat(problem(FILE + twice)).contains("groups.g.invariants[1].name", "is there twice");
  }

  @Test
  void of_putsTheBucketsWhereTheyAreAskedFor() {
    Invariant invariant =
        new Invariant(
            "x", " SELECT ':buckets', \":buckets\" FROM t /* :buckets */ WHERE a IN(:buckets);\n");

    assertThat(invariant.of(BucketSet.parse("1-2,7")))
        .isEqualTo("SELECT ':buckets', \":buckets\" FROM t /* :buckets */ WHERE a IN(1, 2, 7)");
  }
}
