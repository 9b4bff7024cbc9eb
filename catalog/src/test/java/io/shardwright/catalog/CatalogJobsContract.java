package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.CatalogJobs.Held;
import io.shardwright.catalog.CatalogJobs.Job;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Work that one process at a time does. */
abstract class CatalogJobsContract extends CatalogFixture {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration OVER = Duration.ZERO;
  private static final Duration DAY = Duration.ofDays(1);

  private CatalogJobs jobs;
  private CatalogJobs other;

  @BeforeEach
  void openJobs() throws SQLException {
    install(configuration);
    jobs = newJobs();
    other = newJobs();
  }

  private CatalogJobs newJobs() {
    return new CatalogJobs(configuration.catalog().orElseThrow());
  }

  @AfterEach
  void closeJobs() {
    jobs.close();
    other.close();
  }

  @Test
  void take_whatAnotherHas_isRefused() {
    Held held = jobs.take("a", LONG, OVER).orElseThrow();
    assertThat(held.progress()).isEmpty();
    assertThat(other.take("a", LONG, OVER)).isEmpty();
    assertThat(other.take("b", LONG, OVER)).isPresent();
    assertThat(other.find("a")).map(Job::isHeld).contains(true);
  }

  @Test
  void take_whatWasDone_isDueAgainLater() {
    Held held = jobs.take("a", LONG, DAY).orElseThrow();
    jobs.done(held, "7 rows");
    assertThat(other.take("a", LONG, DAY)).isEmpty();
    assertThat(other.find("a")).map(Job::result).contains("7 rows");
    assertThat(other.take("a", LONG, OVER)).isPresent();
  }

  @Test
  void take_afterADeath_goesOnFromTheProgress_andTheDeadOneHearsOfIt() {
    Held dead = jobs.take("a", OVER, OVER).orElseThrow();
    assertThat(jobs.keep(dead, OVER, "bucket 7")).isTrue();
    Held heir = other.take("a", LONG, OVER).orElseThrow();
    assertThat(heir.progress()).isEqualTo("bucket 7");
    assertThat(heir.epoch()).isGreaterThan(dead.epoch());
    assertThat(jobs.keep(dead, LONG, "bucket 8")).isFalse();
    jobs.done(dead, "late");
    jobs.release(dead);
    assertThat(other.find("a"))
        .hasValueSatisfying(
            job -> {
              assertThat(job.isHeld()).isTrue();
              assertThat(job.progress()).isEqualTo("bucket 7");
              assertThat(job.sinceDone()).isEmpty();
            });
  }

  @Test
  void release_letsOthersGoOn() {
    Held held = jobs.take("a", LONG, OVER).orElseThrow();
    jobs.keep(held, LONG, "bucket 3");
    jobs.release(held);
    assertThat(other.take("a", LONG, OVER)).map(Held::progress).contains("bucket 3");
  }

  @Test
  void take_byMany_givesItToOne() throws Exception {
    int threads = 8;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<CatalogJobs> all = new ArrayList<>();
    try {
      List<Callable<Optional<Held>>> takers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        CatalogJobs own = newJobs();
        all.add(own);
        takers.add(() -> own.take("wanted", LONG, OVER));
      }
      int taken = 0;
      for (Future<Optional<Held>> taker : executor.invokeAll(takers)) {
        taken += taker.get().isPresent() ? 1 : 0;
      }
      assertThat(taken).isEqualTo(1);
    } finally {
      executor.shutdown();
      all.forEach(CatalogJobs::close);
    }
  }
}
