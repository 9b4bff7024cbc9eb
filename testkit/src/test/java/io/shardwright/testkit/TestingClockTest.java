package io.shardwright.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TestingClockTest {
  private static final Instant START = Instant.parse("2026-02-28T23:59:59Z");

  @Test
  void instant_unstepped_standsStill() {
    TestingClock clock = new TestingClock(START);

    assertThat(clock.instant()).isEqualTo(START).isEqualTo(clock.instant());
  }

  @Test
  void step_forwardsAndBack_movesByTheStep() {
    TestingClock clock = new TestingClock(START);

    assertThat(clock.step(Duration.ofSeconds(1))).isEqualTo("2026-03-01T00:00:00Z");
    assertThat(clock.step(Duration.ofSeconds(-2))).isEqualTo("2026-02-28T23:59:58Z");
    clock.set(Instant.EPOCH);
    assertThat(clock.millis()).isZero();
  }
}
