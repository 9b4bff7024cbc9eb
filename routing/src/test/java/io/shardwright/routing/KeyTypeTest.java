package io.shardwright.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTypeTest {

  @Test
  void integer_ofEveryJavaTypeThatDenotesFour_isOneValue() {
    for (Object four :
        List.of(
            (byte) 4,
            (short) 4,
            4,
            4L,
            4f,
            4d,
            BigInteger.valueOf(4),
            new BigDecimal("4"),
            new BigDecimal("4.00"),
            new BigDecimal("0.4e1"),
            new BigDecimal("40e-1"),
            "4",
            "+4",
            "004",
            " 4 ",
            "4.00",
            "4e0")) {
      assertThat(KeyType.INTEGER.canonical(four)).as("%s", four.getClass()).contains(4L);
    }
  }

  @Test
  void integer_zeros_areOneValue() {
    for (Object zero : List.of(0, 0L, -0d, "0", "-0", "0.000", "0e999999999", BigDecimal.ZERO)) {
      assertThat(KeyType.INTEGER.canonical(zero)).as("%s", zero).contains(0L);
    }
  }

  @Test
  void integer_extremes_areExact() {
    for (long extreme : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE}) {
      assertThat(KeyType.INTEGER.canonical(extreme)).contains(extreme);
      assertThat(KeyType.INTEGER.canonical(String.valueOf(extreme))).contains(extreme);
      assertThat(KeyType.INTEGER.canonical(BigInteger.valueOf(extreme))).contains(extreme);
      assertThat(KeyType.INTEGER.canonical(new BigDecimal(extreme).setScale(3))).contains(extreme);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.5",
        "4.000000001",
        "-1e-5",
        "1e-999999999",
        "9223372036854775808",
        "-9223372036854775809",
        "1e19",
        "1e999999999",
        "1e2147483647",
        "-1e2147483647"
      })
  @Timeout(value = 1, unit = TimeUnit.SECONDS)
  void integer_thatNoRowCanHold_isEmptyAndCheap(String number) {
    assertThat(KeyType.INTEGER.canonical(number)).isEmpty();
    assertThat(KeyType.INTEGER.canonical(new BigDecimal(number))).isEmpty();
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.SECONDS)
  void integer_withHundredsOfDigits_isCheap() {
    assertThat(KeyType.INTEGER.canonical("9".repeat(400))).isEmpty();
    assertThat(KeyType.INTEGER.canonical("0".repeat(399) + "4")).contains(4L);
    assertThat(KeyType.INTEGER.canonical(BigInteger.ONE.shiftLeft(100_000))).isEmpty();
    assertInvalid(KeyType.INTEGER, "9".repeat(401));
  }

  @Test
  void integer_ofFloatingPoint_isExactOrEmptyOrRefused() {
    assertThat(KeyType.INTEGER.canonical(0.5d)).isEmpty();
    assertThat(KeyType.INTEGER.canonical(Double.MIN_VALUE)).isEmpty();
    assertThat(KeyType.INTEGER.canonical(Double.NaN)).isEmpty();
    assertThat(KeyType.INTEGER.canonical(Double.POSITIVE_INFINITY)).isEmpty();
    assertThat(KeyType.INTEGER.canonical(Float.NEGATIVE_INFINITY)).isEmpty();
    assertThat(KeyType.INTEGER.canonical(-9007199254740991d)).contains(-9007199254740991L);
    // A float8 comparison finds both 2^53 and 2^53 + 1 here, which may be on two shards.
    assertInvalid(KeyType.INTEGER, 0x1p53);
    assertInvalid(KeyType.INTEGER, -0x1p63);
    assertInvalid(KeyType.INTEGER, Float.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "", " ", "1 2", "4x", "0x10", "1_000", "--1", "NaN", "1e", "٤x"})
  void integer_ofTextThatIsNoNumber_isRefused(String text) {
    assertInvalid(KeyType.INTEGER, text);
  }

  @ParameterizedTest
  @EnumSource
  void canonical_ofNull_isEmpty(KeyType type) {
    assertThat(type.canonical(null)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void canonical_ofForeignJavaType_isRefusedWithoutItsValue(KeyType type) {
    for (Object foreign : List.of(true, new Object(), List.of(1), LocalTime.NOON, new int[0])) {
      assertInvalid(type, foreign);
    }
    assertThatThrownBy(() -> type.canonical(Optional.of("secret-4711")))
        .hasMessageContaining(type.name())
        .hasMessageNotContaining("secret-4711");
  }

  @Test
  void text_isItsUtf8_withoutNormalisation() {
    assertThat(bytes(KeyType.TEXT, "é")).isEqualTo(new byte[] {(byte) 0xc3, (byte) 0xa9});
    assertThat(bytes(KeyType.TEXT, "é")).isNotEqualTo(bytes(KeyType.TEXT, "e\u0301"));
    assertThat(bytes(KeyType.TEXT, "a")).isNotEqualTo(bytes(KeyType.TEXT, "A"));
    assertThat(bytes(KeyType.TEXT, "a")).isNotEqualTo(bytes(KeyType.TEXT, "a "));
    assertThat(bytes(KeyType.TEXT, "")).isEmpty();
  }

  @Test
  void text_ofEveryJavaTypeThatDenotesIt_isOneValue() {
    for (Object text : List.of("4", CharBuffer.wrap("4"), '4', 4, 4L, (short) 4, (byte) 4)) {
      assertThat(KeyType.TEXT.canonical(text)).contains("4");
    }
  }

  @Test
  void uuid_textAndObject_areOneValue() {
    UUID uuid = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

    assertThat(bytes(KeyType.UUID, uuid)).hasSize(16).startsWith(0x12, 0x3e, 0x45, 0x67);
    assertThat(bytes(KeyType.UUID, uuid.toString())).isEqualTo(bytes(KeyType.UUID, uuid));
    assertThat(bytes(KeyType.UUID, "123E4567-E89B-12D3-A456-426614174000"))
        .isEqualTo(bytes(KeyType.UUID, uuid));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1-1-1-1-1",
        "123e4567e89b12d3a456426614174000",
        "123e4567-e89b-12d3-a456-42661417400g",
        "0123e4567-e89b-12d3-a456-42661417400"
      })
  void uuid_ofMalformedText_isRefused(String text) {
    assertInvalid(KeyType.UUID, text);
  }

  @Test
  void timestamp_ofEveryJavaTypeThatDenotesIt_isOneValue() {
    LocalDateTime time = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000);

    for (Object value :
        List.of(
            time,
            Timestamp.valueOf(time),
            "1969-12-31T23:59:59.999999",
            "1969-12-31 23:59:59.999999")) {
      assertThat(KeyType.TIMESTAMP.canonical(value)).as("%s", value.getClass()).contains(-1L);
    }
  }

  @Test
  void timestampWithZone_ofEveryJavaTypeThatDenotesIt_isOneValue() {
    OffsetDateTime time = OffsetDateTime.parse("2024-02-29T23:59:59.123456Z");

    for (Object value :
        List.of(
            time,
            time.toInstant(),
            time.atZoneSameInstant(ZoneId.of("Asia/Kolkata")),
            Timestamp.from(time.toInstant()),
            "2024-02-29 23:59:59.123456+00",
            "2024-03-01T05:29:59.123456+05:30",
            "2024-02-29T18:59:59.123456-05")) {
      assertThat(KeyType.TIMESTAMP_WITH_ZONE.canonical(value))
          .as("%s", value)
          .contains(1_709_251_199_123_456L);
    }
  }

  @Test
  void sqlTimestamp_inAnotherDefaultZone_isWhatTheJdbcDriverSends() {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      Timestamp midnight = Timestamp.valueOf("2024-07-01 00:00:00");

      assertThat(KeyType.TIMESTAMP.canonical(midnight))
          .isEqualTo(KeyType.TIMESTAMP.canonical("2024-07-01 00:00:00"));
      assertThat(KeyType.TIMESTAMP_WITH_ZONE.canonical(midnight))
          .isEqualTo(KeyType.TIMESTAMP_WITH_ZONE.canonical("2024-07-01 04:00:00Z"));
      assertThat(KeyType.DATE.canonical(Date.valueOf("2024-07-01")))
          .isEqualTo(KeyType.DATE.canonical("2024-07-01"));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void timestamp_thatTheDatabaseCouldReadInTwoWays_isRefused() {
    LocalDateTime local = LocalDateTime.of(2024, 1, 1, 0, 0);
    assertInvalid(KeyType.TIMESTAMP, Instant.EPOCH);
    assertInvalid(KeyType.TIMESTAMP, OffsetDateTime.parse("2024-01-01T00:00:00+02:00"));
    assertInvalid(KeyType.TIMESTAMP, "2024-01-01 00:00:00+02");
    assertInvalid(KeyType.TIMESTAMP_WITH_ZONE, local);
    assertInvalid(KeyType.TIMESTAMP_WITH_ZONE, "2024-01-01 00:00:00");
    // Finer than a microsecond: pgjdbc and the server round differently.
    assertInvalid(KeyType.TIMESTAMP, local.plusNanos(1));
    assertInvalid(KeyType.TIMESTAMP_WITH_ZONE, Instant.ofEpochSecond(0, 1_500));
    // Julian days of java.sql types before 1582-10-15.
    assertInvalid(KeyType.TIMESTAMP, Timestamp.valueOf("1500-01-01 00:00:00"));
    assertInvalid(KeyType.TIMESTAMP_WITH_ZONE, Timestamp.valueOf("1500-01-01 00:00:00"));
    assertInvalid(KeyType.DATE, Date.valueOf("1500-01-01"));
  }

  @Test
  void temporal_outsideInt64OrMalformed_isRefused() {
    assertInvalid(KeyType.TIMESTAMP, LocalDateTime.MAX.withNano(0));
    assertInvalid(KeyType.TIMESTAMP_WITH_ZONE, Instant.MIN);
    assertInvalid(KeyType.DATE, LocalDate.MAX);
    assertInvalid(KeyType.DATE, LocalDate.MIN);
    assertInvalid(KeyType.DATE, "2023-02-29");
    assertInvalid(KeyType.DATE, "2024-1-1");
    assertInvalid(KeyType.DATE, "infinity");
    assertInvalid(KeyType.TIMESTAMP, "2023-02-29 00:00:00");
    assertInvalid(KeyType.TIMESTAMP, "2024-01-01 24:00:00");
    assertInvalid(KeyType.TIMESTAMP_WITH_ZONE, "2024-01-01 00:00:00+25");
  }

  @Test
  void date_isMidnightUtc() {
    long microsPerDay = TimeUnit.DAYS.toMicros(1);

    assertThat(KeyType.DATE.canonical(LocalDate.EPOCH)).contains(0L);
    assertThat(KeyType.DATE.canonical("1969-12-31")).contains(-microsPerDay);
    assertThat(KeyType.DATE.canonical(Date.valueOf("1970-01-02"))).contains(microsPerDay);
    assertThat(KeyType.DATE.canonical(LocalDate.of(9999, 12, 31)))
        .contains(LocalDate.of(9999, 12, 31).toEpochDay() * microsPerDay);
  }

  @Test
  void bytes_areCopiedOnTheWayInAndOut() {
    byte[] mine = {1, 2, 3};
    Object canonical = KeyType.BYTES.canonical(mine).orElseThrow();
    mine[0] = 9;
    KeyType.BYTES.bytes(canonical)[1] = 9;

    assertThat(KeyType.BYTES.bytes(canonical)).isEqualTo(new byte[] {1, 2, 3});
  }

  @Test
  void names_arePersisted() {
    assertThat(Arrays.stream(KeyType.values()).map(Enum::name))
        .containsExactly(
            "INTEGER",
            "TEXT",
            "UUID",
            "TIMESTAMP",
            "TIMESTAMP_WITH_ZONE",
            "DATE",
            "BYTES",
            "FOLDED_TEXT");
  }

  @Test
  void foldedText_ofOtherThanPrintableAscii_isRefusedWithoutItsValue() {
    for (String text : List.of("é", "a\tb", "a\n", "\u007f", "stra\u00dfe", "a\u00a0", "🙂")) {
      assertInvalid(KeyType.FOLDED_TEXT, text);
    }
    assertThatThrownBy(() -> KeyType.FOLDED_TEXT.canonical("secret-é"))
        .hasMessageContaining("printable ASCII")
        .hasMessageNotContaining("secret");
  }

  private static byte[] bytes(KeyType type, Object value) {
    return type.bytes(type.canonical(value).orElseThrow());
  }

  private static void assertInvalid(KeyType type, Object value) {
    assertThatThrownBy(() -> type.canonical(value))
        .as("%s of %s", type, value)
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ROUTE_KEY_VALUE_INVALID));
  }
}
