package io.shardwright.cli.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.cli.loadtest.LoadTestReport.Measured;
import io.shardwright.cli.loadtest.OpenLoop.Request;
import io.shardwright.cli.loadtest.OpenLoop.Traffic;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private static final List<ShardId> SHARDS = List.of(new ShardId("s0"), new ShardId("s1"));
  private static final Outcome RIGHT =
      new Outcome(Outcome.OK, SHARDS, Map.of(SHARDS.get(0), 3), true, Optional.empty());

  private final Measurement measurement =
      new Measurement(Scenario.MISSING_KEY, Duration.ofMillis(400), SHARDS);

  private Measured run(int perSecond, Call call) {
    Series series = measurement.series("calls");
    Traffic traffic =
        new Traffic() {
          @Override
          public List<Request> next(SplittableRandom random, double progress) {
            return List.of(new Request(series, call));
          }

          @Override
          public double perSecond(double progress) {
            return perSecond;
          }
        };
    Duration took = new OpenLoop(measurement, new SplittableRandom(1)).run(traffic);
    return measurement.report(took, Map.of(), 0);
  }

  @Test
  void run_countsWhatCameBack() {
    Measured measured = run(500, () -> () -> RIGHT);

    assertThat(measured.requests()).isBetween(120L, 280L);
    assertThat(measured.compared()).isEqualTo(measured.requests());
    assertThat(measured.rows()).isEqualTo(Map.of("s0", 3 * measured.requests(), "s1", 0L));
    assertThat(measured.fanOut()).isEqualTo(new LoadTestReport.Spread(2, 2));
    assertThat(measured.isRight()).isTrue();
    assertThat(measured.timeline().stream().mapToLong(LoadTestReport.Moment::answered).sum())
        .isEqualTo(measured.requests());
  }

  /** A server that answers one request in 20 ms, asked every 5 ms: those behind wait longer. */
  @Test
  void run_timesBeginWhenRequestsWerePlanned() {
    ReentrantLock server = new ReentrantLock(true);
    Measured measured =
        run(
            200,
            () -> {
              server.lock();
              try {
                long end = System.nanoTime() + Duration.ofMillis(20).toNanos();
                while (System.nanoTime() < end) {
                  LockSupport.parkNanos(end - System.nanoTime());
                }
              } finally {
                server.unlock();
              }
              return () -> RIGHT;
            });

    assertThat(measured.series().get(0).millis().p50()).isGreaterThan(200);
    assertThat(measured.series().get(0).millis().max()).isGreaterThan(600);
  }

  @Test
  void run_withoutAnyAnswer_isNotRight() {
    Measured measured = run(100, () -> () -> Outcome.error("SW803", SHARDS));

    assertThat(measured.isRight()).isFalse();
    assertThat(measured.wrong().get(0)).contains("none of the requests 'calls' was answered");
    assertThat(measured.errors()).containsEntry("SW803", measured.requests());
  }

  @Test
  void run_answersThatCannotBeRead_areWrong() {
    Measured measured =
        run(
            100,
            () ->
                () -> {
                  throw new IllegalArgumentException("no moment");
                });

    assertThat(measured.wrongCount()).isGreaterThanOrEqualTo(measured.requests());
    assertThat(measured.wrong().get(0)).contains("no moment");
  }

  @Test
  void page_needsNothingElse_andEscapesTexts() {
    measurement.wrong("<script>alert(\"x\")</script>");
    Measured measured = run(100, () -> () -> RIGHT);

    String page =
        HtmlReport.of(new LoadTestReport(Map.of("shards", 2), Map.of(), List.of(measured)));

    assertThat(page)
        .contains("&lt;script&gt;", "<svg viewBox=\"0 0 360", "width=device-width")
        .doesNotContain("<script", "http://", "https://", "src=", "@import", "url(");
  }
}
