package io.shardwright.query;

import java.util.Locale;

/** From QUEUED over RUNNING to DONE and EXPIRED, or aside to FAILED or CANCELLED. */
enum ExportState {
  /** Waits for its turn. */
  QUEUED,
  RUNNING,
  /** Its files are there. */
  DONE,
  FAILED,
  CANCELLED,
  /** It was done, and its files are deleted. */
  EXPIRED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isOver() {
    return this != QUEUED && this != RUNNING;
  }
}
