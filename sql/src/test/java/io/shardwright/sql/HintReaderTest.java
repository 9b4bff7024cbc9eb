package io.shardwright.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.ScatterPolicy;
import io.shardwright.sql.Hints.Partial;
import io.shardwright.sql.Hints.RouteHint;
import io.shardwright.sql.Hints.Target;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HintReaderTest {
  private static final Hints ALL =
      new Hints(
          Optional.of(ScatterPolicy.ALLOW),
          Optional.of(Duration.ofMillis(500)),
          OptionalLong.of(10_000),
          Optional.of(Partial.ALLOW),
          Optional.of(Hints.Freshness.OWN_WRITES),
          Optional.of(new RouteHint(Optional.of("orders"), new Target.Bucket(7))));

  private static Hints hints(String sql) {
    return SqlTokens.of(Dialect.postgreSql(), sql).hints();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/* shardwright: scatter=allow, timeout=500ms, max_rows=10000, partial=allow, freshness=own-writes, bucket=7,"
            + " group=orders */ select 1",
        "select 1 /*shardwright:scatter=ALLOW,Timeout=500ms , max_rows = 10000,partial=allow, Freshness=OWN-writes*/\n"
            + "-- shardwright: bucket=7, group='orders'",
        "select /* SHARDWRIGHT : scatter=allow, timeout=500ms */ 1\n"
            + "-- shardwright: max_rows=10000, partial=allow, freshness=own-writes\r+ 1 /* ours: bucket=3 */\n"
            + "/* shardwright: group=orders, bucket=7 */",
      })
  void read_whereverACommentMayStand_givesAll(String sql) {
    assertThat(hints(sql)).isEqualTo(ALL);
  }

  @Test
  void read_theOrderOfHints_doesNotMatter() {
    List<String> all =
        new ArrayList<>(
            List.of(
                "scatter=allow",
                "timeout=500ms",
                "max_rows=10000",
                "partial=allow",
                "freshness=own-writes",
                "bucket=7",
                "group=orders"));
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      Collections.shuffle(all, random);
      int cut = random.nextInt(all.size() + 1);
      String sql =
          comment(all.subList(0, cut)) + "select 1 " + comment(all.subList(cut, all.size()));
      assertThat(hints(sql)).as(sql).isEqualTo(ALL);
    }
  }

  @Test
  void text_readAgain_isTheSame() {
    assertThat(hints("/* shardwright: " + ALL.text() + " */ select 1")).isEqualTo(ALL);
    String key = "key=(1, 'a'), group=orders";
    assertThat(hints("select 1 /* shardwright: " + key + " */").text()).isEqualTo(key);
    assertThat(Hints.NONE.text()).isEmpty();
  }

  private static String comment(List<String> hints) {
    return hints.isEmpty() ? "" : "/* shardwright: " + String.join(", ", hints) + " */";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1",
        "/* shardwright is asked */ select 1",
        "/*+ shardwright: scatter=allow */ select 1",
        "/* x shardwright: scatter=allow */ select 1",
        "/* /* shardwright: scatter=allow */ */ select 1",
        "select '/* shardwright: scatter=allow */', \"-- shardwright: x\"",
        "select $$ /* shardwright: nonsense */ $$",
      })
  void read_otherComments_areNoHints(String sql) {
    assertThat(hints(sql)).isEqualTo(Hints.NONE);
  }

  @Test
  void read_key_givesNumbersAndTexts() {
    assertThat(hints("/* shardwright: key=(1, -17850, 'it''s, (so)') */ select 1").route())
        .contains(
            new RouteHint(
                Optional.empty(),
                new Target.Key(
                    List.of(new BigDecimal("1"), new BigDecimal("-17850"), "it's, (so)"))));
    assertThat(hints("/* shardwright: key='a' */ select 1").route().orElseThrow().target())
        .isEqualTo(new Target.Key(List.of("a")));
    assertThat(hints("/* shardwright: key=42,scatter=refuse */ select 1").scatter())
        .contains(ScatterPolicy.REFUSE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scater=allow | hint scater is unknown; the hints are scatter, timeout,",
        "scatter=allow, SCATTER=allow | hint scatter is there twice",
        "scatter=maybe | hint scatter is not understood; write one of refuse, bounded, allow",
        "partial=1 | write one of refuse, allow",
        "timeout=500 | write a number above 0 with its unit",
        "timeout=1441m | write a number above 0 with its unit, up to a day",
        "timeout=0s | write a number above 0 with its unit",
        "timeout=? | write a number above 0 with its unit",
        "max_rows=0 | a whole number from 1 on",
        "max_rows=1e3 | a whole number from 1 on",
        "bucket=-1 | the number of a bucket",
        "bucket=? | parameters cannot stand in hints",
        "key=(1, ?) | parameters cannot stand in hints",
        "key=() | in the order of the route key",
        "key=(1,) | in the order of the route key",
        "key=(1, abc) | in the order of the route key",
        "key=(1), bucket=2 | name a bucket twice",
        "group=orders | beside key or bucket only",
        "scatter | is not understood from 'scatter' on",
        "scatter=allow timeout=1s | is not understood from 'timeout=1s' on",
        "scatter=allow, | is not understood; write",
        "'' | is not understood; write",
        "key=(1 | is not understood from 'key=(1' on",
      })
  void read_bad_isRefusedWithTheHintNamed(String hints, String message) {
    assertThatThrownBy(() -> hints("select 1 /* shardwright: " + hints + " */"))
        .hasMessageStartingWith("SW215: ")
        .hasMessageContaining(message);
    assertThatThrownBy(() -> hints("-- shardwright: " + hints + "\nselect 1"))
        .hasMessageStartingWith("SW215: ")
        .hasMessageContaining(message);
  }

  @Test
  void read_twoCommentsWithOneHint_areRefused() {
    assertThatThrownBy(
            () -> hints("/* shardwright: bucket=1 */ select 1 /* shardwright: bucket=1 */"))
        .hasMessageContaining("bucket is there twice");
  }
}
