package io.shardwright.advisor.templates;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Statements that differ in values only, and what all executions of them took. Sums are of the
 * records that tell them; {@code timed} says of how many executions the duration is known.
 *
 * @param fingerprint 16 hexadecimal digits of the text's SHA-256: stable over runs, files and
 *     versions of the database
 * @param text without values
 * @param executions all
 * @param timed executions whose duration is known
 * @param duration of these
 * @param first and {@code last}: times of records that have one
 */
public record Template(
    String fingerprint,
    String text,
    StatementUse use,
    long executions,
    long timed,
    Duration duration,
    Duration lockTime,
    long rowsSent,
    long rowsExamined,
    long rowsAffected,
    Optional<Instant> first,
    Optional<Instant> last,
    Activity activity) {}
