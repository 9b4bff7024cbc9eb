package io.shardwright.advisor.advice;

import java.time.Instant;

/**
 * One hour of the log.
 *
 * @param start on the hour, UTC
 * @param reads executions on tables that change nothing
 * @param writes executions that change rows
 */
public record WorkloadHour(Instant start, long reads, long writes) {}
