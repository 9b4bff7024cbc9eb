package io.shardwright.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ColumnTypeTest {
  private static final Map<ColumnType, Object> VALUES =
      Map.of(
          ColumnType.INTEGER,
          Long.MIN_VALUE,
          ColumnType.DECIMAL,
          new BigDecimal("-12345678901234567890.5000"),
          ColumnType.TEXT,
          "é\n'",
          ColumnType.BOOLEAN,
          true,
          ColumnType.UNIQUE_ID,
          UUID.fromString("0e5e8f0a-0000-4000-8000-00000000000a"),
          ColumnType.DATE,
          LocalDate.parse("2011-11-01"),
          ColumnType.INSTANT,
          OffsetDateTime.parse("2011-11-01T00:00:00.000005Z"),
          ColumnType.UTC_TIME,
          LocalDateTime.parse("2011-11-01T00:00:00.120"));

  @ParameterizedTest
  @EnumSource
  void shownValue_isParsedAsItWas(ColumnType type) {
    assertThat(VALUES.containsKey(type)).isEqualTo(type.isComparable());
    if (type.isComparable()) {
      Object value = VALUES.get(type);
      assertThat(type.parameter(type.show(value))).contains(value);
      assertThat(type.ofShown(type.show(value).toString())).isEqualTo(value);
    }
  }

  @Test
  void infinity_isATime() {
    assertThat(ColumnType.INSTANT.ofShown("infinity")).isEqualTo(OffsetDateTime.MAX);
    assertThat(ColumnType.INSTANT.show(OffsetDateTime.MIN)).isEqualTo("-infinity");
    assertThat(ColumnType.UTC_TIME.show(LocalDateTime.MAX)).isEqualTo("infinity");
  }

  @Test
  void wholeNumbers_inEveryForm() {
    for (Object form : new Object[] {4L, "4", new BigDecimal("4.00"), BigInteger.valueOf(4)}) {
      assertThat(ColumnType.INTEGER.parameter(form)).contains(4L);
    }
    for (Object wrong :
        new Object[] {"4x", "", true, new BigDecimal("4.5"), BigInteger.TWO.pow(64), "1e9999999"}) {
      assertThat(ColumnType.INTEGER.parameter(wrong)).as("%s", wrong).isEmpty();
    }
  }

  @Test
  void numbersThatADoubleRounds_areTexts() {
    assertThat(ColumnType.INTEGER.show(9_007_199_254_740_991L)).isEqualTo(9_007_199_254_740_991L);
    assertThat(ColumnType.INTEGER.show(9_007_199_254_740_993L)).isEqualTo("9007199254740993");
    assertThat(ColumnType.INTEGER.show(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
  }

  @Test
  void otherTypes_areRefused() {
    assertThat(ColumnType.TEXT.parameter(5L)).isEmpty();
    assertThat(ColumnType.TEXT.parameter("a\0b")).isEmpty();
    assertThat(ColumnType.BOOLEAN.parameter("true")).isEmpty();
    assertThat(ColumnType.UNIQUE_ID.parameter("1-1-1-1-1")).isEmpty();
    assertThat(ColumnType.DATE.parameter("2011-02-30")).isEmpty();
    assertThat(ColumnType.INSTANT.parameter("2011-11-01")).isEmpty();
    assertThat(ColumnType.INSTANT.parameter("2011-11-01T00:00:00.0000001Z")).isEmpty();
    assertThat(ColumnType.INSTANT.parameter(1_320_000_000L)).isEmpty();
  }
}
