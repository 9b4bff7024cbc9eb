package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.TestingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7GeneratorTest {
  private final TestingClock clock = new TestingClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final UuidV7Generator uuids = new UuidV7Generator(clock, new Random(7));

  @Test
  void next_ascendsAsTextAndAsUuidWhateverTheClockDoes() {
    Random steps = new Random(8);
    UUID last = new UUID(0, 0);
    for (int i = 0; i < 20_000; i++) {
      clock.step(Duration.ofMillis(steps.nextInt(100) - 49));
      UUID next = uuids.next();

      assertThat(next.toString()).isGreaterThan(last.toString());
      assertThat(next).isGreaterThan(last);
      UuidV7.parse(next.toString());
      last = next;
    }
  }

  @Test
  void next_withinAMillisecond_countsThenBorrows() {
    for (int i = 0; i < 10_000; i++) {
      UuidV7 uuid = UuidV7.decode(uuids.next());

      assertThat(uuid.counter()).isEqualTo(i % 4096);
      assertThat(uuid.createdAt()).isEqualTo(clock.instant().plusMillis(i / 4096));
    }
  }

  @Test
  void next_usesAllRandomBits() {
    long ones = 0;
    long zeros = 0;
    for (int i = 0; i < 200; i++) {
      long low = uuids.next().getLeastSignificantBits();
      ones |= low;
      zeros |= ~low;
      assertThat(low >>> 62).isEqualTo(2);
    }
    assertThat(ones & ((1L << 62) - 1)).isEqualTo((1L << 62) - 1);
    assertThat(zeros & ((1L << 62) - 1)).isEqualTo((1L << 62) - 1);
  }
}
