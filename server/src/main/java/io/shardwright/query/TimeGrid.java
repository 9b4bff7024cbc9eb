package io.shardwright.query;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.query.AggregateRequest.Interval;
import io.shardwright.query.AggregateRequest.Unit;
import io.shardwright.query.QueryRequest.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Intervals of a zone's clocks, over databases that do not know the zone: shards number slots of
 * equal length, none of which reaches over the border of an interval, and intervals are put
 * together of slots.
 *
 * @param slotSeconds length of a slot: that of an interval, unless clocks are changed meanwhile
 * @param shiftSeconds 0 up to less than a slot: slot N begins this much before N times its length
 */
record TimeGrid(Interval interval, long slotSeconds, long shiftSeconds, DatabaseProduct product) {
  /** So that quotients, which MariaDB cuts towards zero, are never below it. */
  private static final LocalDate MARIADB_ORIGIN = LocalDate.of(1, 1, 1);

  private static final long[] SLOTS = {3_600, 900, 60};

  /**
   * @return empty when the clocks of the zone differed from UTC by no whole minutes in this range
   */
  static Optional<TimeGrid> of(Interval interval, TimeRange range, DatabaseProduct product) {
    ZoneRules rules = interval.zone().getRules();
    Duration length = interval.unit().chrono().getDuration();
    // The first interval begins before the range.
    Instant begin = range.from().minus(length);
    LongStream.Builder borders = LongStream.builder();
    borders.add(rules.getOffset(begin).getTotalSeconds());
    boolean changes = false;
    ZoneOffsetTransition change = rules.nextTransition(begin);
    while (change != null && change.getInstant().isBefore(range.to())) {
      changes = true;
      borders.add(change.getOffsetAfter().getTotalSeconds());
      borders.add(change.toEpochSecond());
      change = rules.nextTransition(change.getInstant());
    }
    if (!changes) {
      long seconds = length.toSeconds();
      long offset = rules.getOffset(begin).getTotalSeconds();
      return Optional.of(new TimeGrid(interval, seconds, Math.floorMod(offset, seconds), product));
    }
    long[] all = borders.build().toArray();
    for (long slot : SLOTS) {
      boolean fits = LongStream.of(all).allMatch(border -> border % slot == 0);
      if (slot <= length.toSeconds() && fits) {
        return Optional.of(new TimeGrid(interval, slot, 0, product));
      }
    }
    return Optional.empty();
  }

  /**
   * The number of the slot that a moment is in.
   *
   * @param column quoted; moments as {@link ColumnType#INSTANT} or {@link ColumnType#UTC_TIME}
   */
  String sql(String column) {
    return switch (product) {
      case POSTGRESQL ->
          "CAST(floor((extract(epoch from "
              + column
              + ") + "
              + shiftSeconds
              + ") / "
              + slotSeconds
              + ") AS bigint)";
      case MARIADB ->
          "(TIMESTAMPDIFF(SECOND, '"
              + MARIADB_ORIGIN
              + "', "
              + column
              + ") + "
              + shiftSeconds
              + ") DIV "
              + slotSeconds;
    };
  }

  /** When the interval of a slot begins. */
  ZonedDateTime interval(long slot) {
    long origin =
        product == DatabaseProduct.POSTGRESQL
            ? 0
            : MARIADB_ORIGIN.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
    ZoneId zone = interval.zone();
    ZonedDateTime begin =
        Instant.ofEpochSecond(origin + slot * slotSeconds - shiftSeconds).atZone(zone);
    return interval.unit() == Unit.DAY
        ? begin.toLocalDate().atStartOfDay(zone)
        : begin.truncatedTo(interval.unit().chrono());
  }

  /** Slots of one interval, at most. */
  long slotsOfInterval() {
    // A day has 25 or 26 hours when clocks go back.
    return interval.unit().chrono().getDuration().plusHours(3).toSeconds() / slotSeconds;
  }
}
