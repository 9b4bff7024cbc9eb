package io.shardwright.migration;

import io.shardwright.catalog.CatalogJobs;
import io.shardwright.config.Configuration.Endpoint;
import java.time.Duration;
import java.util.Optional;

/** The last comparison of each move, on record in the catalog beside other work that was done. */
final class Verifications implements AutoCloseable {
  private final CatalogJobs jobs;

  Verifications(Endpoint catalog) {
    this.jobs = new CatalogJobs(catalog);
  }

  void record(long move, Verified verified) {
    jobs.take(name(move), Duration.ZERO, Duration.ZERO)
        .ifPresent(held -> jobs.done(held, verified.stored()));
  }

  /** Empty when it was never compared. */
  Optional<Verified> of(long move) {
    return jobs.find(name(move)).flatMap(job -> Verified.ofStored(job.result()));
  }

  private static String name(long move) {
    return "verification of move " + move;
  }

  @Override
  public void close() {
    jobs.close();
  }
}
