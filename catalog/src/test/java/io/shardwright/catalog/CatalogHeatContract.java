package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.CatalogHeat.Outcome;
import io.shardwright.catalog.CatalogHeat.Recorded;
import io.shardwright.errors.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The traffic of buckets on record. */
abstract class CatalogHeatContract extends CatalogFixture {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long SLOT = CatalogHeat.SLOT.toMillis();

  private CatalogHeat heat;

  @BeforeEach
  void installCatalog() throws SQLException {
    install(configuration);
    heat = new CatalogHeat(configuration.catalog().orElseThrow());
  }

  @Test
  void add_bySeveralProcesses_addsUp() {
    CatalogHeat other = new CatalogHeat(configuration.catalog().orElseThrow());
    BucketHeat scattered = new BucketHeat("g", BucketHeat.SCATTERED, 5, 0, 50, 500);

    assertThat(heat.add(List.of(new BucketHeat("g", 3, 1, 2, 3, 4), scattered)))
        .isEqualTo(Outcome.RECORDED);
    other.add(List.of(new BucketHeat("h", 3, 9, 9, 9, 9), new BucketHeat("g", 3, 10, 20, 30, 40)));
    heat.add(List.of());

    Recorded recorded = heat.since(HOUR);
    assertThat(recorded.buckets())
        .containsExactly(
            scattered, new BucketHeat("g", 3, 11, 22, 33, 44), new BucketHeat("h", 3, 9, 9, 9, 9));
    assertThat(recorded.measured())
        .isPositive()
        .isLessThanOrEqualTo(CatalogHeat.SLOT.multipliedBy(2));
  }

  @Test
  void add_moreThanOneStatementTakes_recordsAll() {
    List<BucketHeat> counts = new ArrayList<>();
    for (int bucket = 1_200; bucket >= 0; bucket--) {
      counts.add(new BucketHeat("g", bucket, bucket, 1, 2, 3));
    }

    heat.add(counts);

    assertThat(heat.since(HOUR).buckets()).containsExactlyInAnyOrderElementsOf(counts);
  }

  @Test
  void add_byManyAtOnce_losesNothing() throws Exception {
    int threads = 4;
    int times = 20;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> processes = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        CatalogHeat own = new CatalogHeat(configuration.catalog().orElseThrow());
        processes.add(
            () -> {
              for (int time = 0; time < times; time++) {
                own.add(
                    List.of(
                        new BucketHeat("g", 1, 1, 1, 1, 1), new BucketHeat("g", 0, 1, 1, 1, 1)));
              }
              return null;
            });
      }
      for (Future<Void> process : executor.invokeAll(processes)) {
        process.get();
      }
    } finally {
      executor.shutdown();
    }
    long all = (long) threads * times;
    assertThat(heat.since(HOUR).buckets())
        .containsExactly(
            new BucketHeat("g", 0, all, all, all, all), new BucketHeat("g", 1, all, all, all, all));
  }

  @Test
  void add_removesWhatIsOlderThanADay() throws SQLException {
    long now = InstantSource.system().millis();
    long kept = now - CatalogHeat.KEPT.toMillis() + SLOT;
    for (long slot : List.of(now - 26 * HOUR.toMillis(), now - 30 * HOUR.toMillis(), kept)) {
      execute("INSERT INTO shardwright_heat VALUES (" + slot + ", 'g', 0, 7, 0, 0, 0)");
    }

    heat.add(List.of(new BucketHeat("g", 0, 1, 0, 0, 0)));

    assertThat(heat.since(CatalogHeat.KEPT.multipliedBy(2)).buckets())
        .containsExactly(new BucketHeat("g", 0, 8, 0, 0, 0));
    assertThat(heat.since(HOUR).buckets()).containsExactly(new BucketHeat("g", 0, 1, 0, 0, 0));
  }

  @Test
  void since_nothingRecorded_isNothingMeasured() {
    assertThat(heat.since(HOUR)).isEqualTo(new Recorded(Duration.ZERO, List.of()));
  }

  @Test
  void add_connectionThatBreaksAtTheCommit_isUnknown_andNothingIsRepeated() {
    List<BucketHeat> counts = List.of(new BucketHeat("g", 0, 1, 1, 1, 1));
    for (LosingConnections.Commit commit :
        List.<LosingConnections.Commit>of(Connection::commit, Connection::rollback)) {
      LosingConnections connections = new LosingConnections(configuration, commit);
      CatalogHeat losing =
          new CatalogHeat(configuration.catalog().orElseThrow(), connections::open);

      assertThat(code(() -> losing.add(counts))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
      assertThat(connections.commits()).isEqualTo(1);
    }
    assertThat(heat.since(HOUR).buckets()).isEqualTo(counts);
  }

  @Test
  void olderFormat_recordsNothing_untilApplyHasBeenRun() throws SQLException {
    execute("DROP TABLE shardwright_heat");
    execute("UPDATE shardwright_meta SET format = 4");
    List<BucketHeat> counts = List.of(new BucketHeat("g", 0, 1, 1, 1, 1));

    assertThat(heat.add(counts)).isEqualTo(Outcome.NOT_APPLIED);
    assertThat(code(() -> heat.since(HOUR))).isEqualTo(ErrorCode.NOT_APPLIED);
    assertThat(install(configuration).created()).containsExactly("table shardwright_heat");
    assertThat(heat.add(counts)).isEqualTo(Outcome.RECORDED);
    assertThat(heat.since(HOUR).buckets()).isEqualTo(counts);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
