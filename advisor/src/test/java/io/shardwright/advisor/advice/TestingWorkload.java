package io.shardwright.advisor.advice;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.schema.SchemaFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Statements in memory, one a second unless a transaction holds them. */
final class TestingWorkload {
  private final List<LogRecord> records = new ArrayList<>();
  private final SplittableRandom random;
  private Instant now = Instant.parse("2026-01-05T00:00:00Z");

  TestingWorkload(long seed) {
    this.random = new SplittableRandom(seed);
  }

  SplittableRandom random() {
    return random;
  }

  /** The next statement comes a second later. */
  TestingWorkload at(Instant time) {
    now = time;
    return this;
  }

  TestingWorkload add(String sql) {
    return add("1", sql, 0, 0);
  }

  TestingWorkload add(String session, String sql, long sent, long examined) {
    return add(
        session,
        sql,
        sent,
        examined,
        Duration.ofMillis(Math.max(1, examined / 1_000)),
        Duration.ZERO);
  }

  TestingWorkload add(
      String session, String sql, long sent, long examined, Duration took, Duration locked) {
    now = now.plusSeconds(1);
    records.add(
        new LogRecord(
            records.size() + 1L,
            Optional.of(now),
            Optional.of(took),
            locked.isZero() ? Optional.empty() : Optional.of(locked),
            sent == 0 ? OptionalLong.empty() : OptionalLong.of(sent),
            examined == 0 ? OptionalLong.empty() : OptionalLong.of(examined),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.of(session),
            Optional.empty(),
            Optional.empty(),
            sql,
            List.of(),
            1));
    return this;
  }

  static LogRecord record(String session, String sql) {
    return new TestingWorkload(1).add(session, sql, 0, 0).records.get(0);
  }

  Advice advise(SchemaFacts schema, AdviceSettings settings) {
    return Advisor.advise(
        sink -> {
          records.forEach(record -> sink.accept(record, Family.MYSQL));
          return List.of();
        },
        schema,
        KeySamples.none(),
        settings);
  }

  static AdviceSettings settings(String... lines) {
    return WorkloadFile.parse(
        "workload", List.of(lines), Optional.of(8), AdviceSettings.BUCKETS_DEFAULT, false);
  }
}
