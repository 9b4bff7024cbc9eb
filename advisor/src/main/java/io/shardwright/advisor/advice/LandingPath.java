package io.shardwright.advisor.advice;

import java.util.Optional;

/**
 * Where one template goes under one key.
 *
 * @param way the column of the lookup index or gene that leads there
 * @param fanOut shards that are asked
 * @param why in a few words
 */
public record LandingPath(
    WorkloadTemplate template, Landing landing, Optional<Way> way, int fanOut, String why) {
  private static final double CURED = 2;

  /** Of one execution: one where the key leads, two with a look-up before, else all asked. */
  public double shardStatements() {
    return landing.isCured() ? CURED : fanOut;
  }

  /**
   * A column of a table.
   *
   * @param proven true when a key, a person or a count of all rows says that each value has one row
   */
  public record Way(String table, String column, boolean proven) {}
}
