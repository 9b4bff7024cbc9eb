package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.driver.CorpusStatement.Expected;
import io.shardwright.driver.CorpusStatement.Fixed;
import io.shardwright.driver.CorpusStatement.Reach;
import io.shardwright.routing.GeneIdLayout;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorpusFormatTest {
  private static final String HEAD = "-- family: F\n-- construct: C\n-- class: scatter\n";

  private static List<CorpusStatement> parse(String database, String text) {
    return Corpus.parse(database, "f.sql", HEAD + text);
  }

  @Test
  void headers_holdForOneStatement_classesUntilTheNext() {
    List<CorpusStatement> statements =
        parse(
            "postgres",
            "-- params: 1, 2L, 'it''s, x', 1.50, null\n-- today: refused SW208\nSELECT\n 1;\n"
                + "SELECT 2 ORDER BY 1;\n-- class: single\n\n-- fixed: 2, 1\nSELECT 3;\n");

    CorpusStatement first = statements.get(0);
    assertThat(first.sql()).isEqualTo("SELECT\n 1");
    assertThat(first.where()).isEqualTo("f.sql:6");
    assertThat(first.parameters())
        .containsExactly(1, 2L, "it's, x", new BigDecimal("1.50"), CorpusValues.NULL);
    assertThat(first.expected()).isEqualTo(Expected.refused("SW208"));
    assertThat(first.wanted()).isEqualTo(new Expected(Reach.ALL_SHARDS, ""));
    assertThat(first.fixed()).isEqualTo(Fixed.NOTHING);
    assertThat(statements.get(1).parameters()).isEmpty();
    assertThat(statements.get(1).expected()).isEqualTo(new Expected(Reach.ALL_SHARDS, ""));
    assertThat(statements.get(1).fixed()).isEqualTo(Fixed.ROWS);
    assertThat(statements.get(2).expected()).isEqualTo(new Expected(Reach.ONE_SHARD, ""));
    assertThat(statements.get(2).fixed()).isEqualTo(new Fixed(false, List.of(2, 1)));
  }

  @Test
  void headersOfOneDatabase_doNotHoldForTheOther() {
    String text =
        "-- today: refused SW208 on mariadb\n-- fails: 22012 on postgres\n"
            + "-- mariadb: SELECT b\nSELECT a;\n-- only: postgres\nSELECT c;\n";

    assertThat(parse("postgres", text))
        .extracting(CorpusStatement::sql)
        .containsExactly("SELECT a", "SELECT c");
    assertThat(parse("postgres", text).get(0).expected().isRefused()).isFalse();
    assertThat(parse("postgres", text).get(0).sqlState()).contains("22012");
    assertThat(parse("mariadb", text)).extracting(CorpusStatement::sql).containsExactly("SELECT b");
    assertThat(parse("mariadb", text).get(0).expected()).isEqualTo(Expected.refused("SW208"));
    assertThat(parse("mariadb", text).get(0).sqlState()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- parms: 1\nSELECT 1;\n",
        "-- class: somewhere\nSELECT 1;\n",
        "-- today: refused\nSELECT 1;\n",
        "-- params: 1\n\nSELECT 1;\n",
        "-- params: 1\n-- params: 2\nSELECT 1;\n",
        "-- params: 1 2\nSELECT 1;\n",
        "-- construct: D\nSELECT 1;\n",
        "-- a remark\nSELECT 1;\n",
        "SELECT 1\n"
      })
  void mistakes_areFound(String text) {
    assertThatThrownBy(() -> parse("postgres", text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ids_carryTheGeneOfTheirKey() {
    String sql = parse("postgres", "SELECT {id 1/1/5};\n").get(0).sql();

    assertThat(GeneIdLayout.forBuckets(1024).gene(Long.parseLong(sql.substring(7))).value())
        .isEqualTo(CorpusValues.ordersBucket(1, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "mariadb"})
  void corpus_isReadable(String database) {
    List<CorpusStatement> statements = Corpus.statements(database);

    assertThat(statements).hasSizeGreaterThan(600);
    assertThat(statements).extracting(CorpusStatement::toString).doesNotHaveDuplicates();
    Map<String, Set<String>> filesByFamily =
        statements.stream()
            .collect(
                Collectors.groupingBy(
                    CorpusStatement::family,
                    Collectors.mapping(
                        s -> s.where().substring(0, s.where().indexOf(':')), Collectors.toSet())));
    assertThat(filesByFamily).allSatisfy((family, files) -> assertThat(files).hasSize(1));
  }
}
