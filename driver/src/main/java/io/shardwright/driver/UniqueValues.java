package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.lookup.Reservations;
import io.shardwright.lookup.UniqueIndex;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The values of one unique lookup index, to reserve them before there is a row: an e-mail address
 * while its owner registers. Thread-safe.
 *
 * <p>A reserved value can be inserted by nobody but a connection that holds the reservation ({@link
 * ShardwrightSession#use}); its commit ends the reservation. Look-ups do not find it.
 */
public final class UniqueValues {
  private static final Duration TIME_MIN = Duration.ofMillis(1);
  private static final Duration TIME_MAX = Duration.ofDays(30);

  private final Cluster cluster;
  private final String index;

  UniqueValues(Cluster cluster, String index) {
    this.cluster = cluster;
    this.index = index;
  }

  /**
   * Holds a value that no row has and nobody else holds.
   *
   * @param time 1 ms to 30 days, by the clock of the shard where the value's entry is
   * @param values one for each column of the index, in order
   * @throws io.shardwright.lookup.DuplicateValueException when a row has it or somebody holds it
   * @throws SQLException SW104 unless the index is readable; SW302 for values that no row can have;
   *     SW409 when others write the value and do not end in time; SW401 when the shard does not
   *     answer
   */
  public Reservation reserve(Duration time, Object... values) throws SQLException {
    if (time.compareTo(TIME_MIN) < 0 || time.compareTo(TIME_MAX) > 0) {
      throw new IllegalArgumentException("a value is held for 1 ms to 30 days, not for " + time);
    }
    List<Object> columns = Arrays.asList(values.clone());
    try {
      long token = reservations().reserve(readable(), columns, time);
      return new Reservation(index, columns, token);
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
  }

  /**
   * Gives a value back.
   *
   * @return false when it is not held any more: its time is over and another took it, a row has it,
   *     or it was released before
   * @throws SQLException as {@link #reserve}
   */
  public boolean release(Reservation reservation) throws SQLException {
    if (!reservation.index().equals(index)) {
      throw new IllegalArgumentException(
          "the reservation is one of " + reservation.index() + ", not of " + index);
    }
    try {
      return reservations().release(readable(), reservation.values(), reservation.token());
    } catch (ShardwrightException e) {
      throw SqlErrors.of(e);
    }
  }

  private Reservations reservations() {
    return cluster.indexes().reservations();
  }

  private UniqueIndex readable() {
    return cluster
        .indexes()
        .readable(index)
        .map(Indexes.InUse::index)
        .orElseThrow(
            () ->
                new ShardwrightException(
                    ErrorCode.NOT_APPLIED,
                    "there is no readable unique lookup index "
                        + index
                        + " to reserve values of; see: shardwright index status"));
  }
}
