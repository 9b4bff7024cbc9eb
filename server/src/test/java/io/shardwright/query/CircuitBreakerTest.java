package io.shardwright.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final ShardId S0 = new ShardId("s0");
  private static final ShardId S1 = new ShardId("s1");
  private static final Duration TIMEOUT = Duration.ofMillis(200);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final CircuitBreaker breaker = new CircuitBreaker(TIMEOUT, now::get);

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.asked(S0, TIMEOUT, new SQLException("it hangs"));
    }
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void fewFailures_orAnAnswerBetween_keepItAsked() {
    fail(CircuitBreaker.FAILURES - 1);
    breaker.asked(S0, TIMEOUT, null);
    fail(CircuitBreaker.FAILURES - 1);

    assertThat(breaker.closed(S0)).isEmpty();
    assertThat(breaker.resting()).isEmpty();
  }

  @Test
  void failuresInARow_letItRest_andThenOneQuestionFindsOut() {
    fail(CircuitBreaker.FAILURES);
    assertThat(breaker.closed(S0).orElseThrow()).contains("5 questions in a row", "it hangs");
    assertThat(breaker.closed(S1)).as("another shard").isEmpty();
    assertThat(breaker.resting()).containsOnlyKeys(S0);

    pass(CircuitBreaker.REST);
    assertThat(breaker.closed(S0)).as("on trial").isEmpty();
    assertThat(breaker.closed(S0)).as("while that one is asked").isPresent();
    breaker.asked(S0, TIMEOUT, null);
    assertThat(breaker.closed(S0)).isEmpty();
    assertThat(breaker.resting()).isEmpty();
  }

  @Test
  void eachFurtherFailure_doublesTheRest_upToItsMost() {
    fail(CircuitBreaker.FAILURES);
    Duration rest = CircuitBreaker.REST;
    for (int i = 0; i < 10; i++) {
      pass(rest.minusNanos(1));
      assertThat(breaker.closed(S0)).isPresent();
      pass(Duration.ofNanos(1));
      assertThat(breaker.closed(S0)).isEmpty();
      fail(1);
      rest = rest.multipliedBy(2);
      rest = rest.compareTo(CircuitBreaker.REST_MAX) > 0 ? CircuitBreaker.REST_MAX : rest;
    }
  }

  @Test
  void trialThatIsNeverHeardOf_isMadeAgain() {
    fail(CircuitBreaker.FAILURES);
    pass(CircuitBreaker.REST);
    assertThat(breaker.closed(S0)).isEmpty();
    pass(CircuitBreaker.REST.plus(TIMEOUT));
    assertThat(breaker.closed(S0)).isEmpty();
  }
}
