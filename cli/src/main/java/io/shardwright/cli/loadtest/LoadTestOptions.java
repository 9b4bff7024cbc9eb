package io.shardwright.cli.loadtest;

import io.shardwright.config.Configuration;
import java.time.Duration;
import java.util.List;

/**
 * What is measured, and where.
 *
 * @param servers whose shards and catalog say where databases are created; nothing else of it
 *     counts, and its own databases are not read
 * @param rows orders and lines to load, about
 * @param seed of rows and traffic
 * @param time of each scenario
 * @param perSecond requests, outside of bursts
 * @param keep whether the databases stay
 */
public record LoadTestOptions(
    Configuration servers,
    List<Scenario> scenarios,
    int rows,
    long seed,
    Duration time,
    int perSecond,
    boolean keep) {
  public static final int ROWS_MIN = 1_000;
  public static final int ROWS_MAX = 2_000_000;
  public static final int SECONDS_MAX = 3_600;
  public static final int PER_SECOND_MAX = 5_000;

  public LoadTestOptions {
    scenarios = List.copyOf(scenarios);
  }
}
