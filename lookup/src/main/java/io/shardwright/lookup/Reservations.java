package io.shardwright.lookup;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Values of unique indexes that are held for rows which are not there yet. Thread-safe. */
public final class Reservations {
  private final Sweeper sweeper;

  public Reservations(Sweeper sweeper) {
    this.sweeper = sweeper;
  }

  /**
   * Holds a value that no row has and nobody holds.
   *
   * @param values at the positions of the index's columns
   * @param time for which it is held, by the clock of the shard of its entry
   * @return the token by which the holder takes or releases it
   * @throws DuplicateValueException when a row has the value or somebody holds it
   * @throws ShardwrightException SW302 for values that no row can have; SW409 when others write the
   *     value and do not end in time; SW401 when the entry cannot be written
   */
  public long reserve(UniqueIndex index, List<?> values, Duration time) throws SQLException {
    Candidate reservation = Candidate.reservation(value(index, values), IndexWork.newToken(), time);
    sweeper.begin().reserve(reservation);
    return reservation.token();
  }

  /**
   * Gives a value back.
   *
   * @return false when it was not held by this token any more
   */
  public boolean release(UniqueIndex index, List<?> values, long token) throws SQLException {
    return sweeper.remove(Candidate.reservation(value(index, values), token, Duration.ZERO));
  }

  private static Value value(UniqueIndex index, List<?> values) {
    if (values.size() != index.columns().size() || values.stream().anyMatch(Objects::isNull)) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "the lookup index "
              + index.name()
              + " has the columns "
              + index.columnNames()
              + ", and "
              + values.size()
              + " values were given; give one for each, none of them null");
    }
    return Value.of(index, List.copyOf(values))
        .orElseThrow(
            () ->
                new ShardwrightException(
                    ErrorCode.ROUTE_KEY_VALUE_INVALID,
                    "no row can have these values of the lookup index " + index.name()));
  }
}
