package io.shardwright.driver;

import java.util.Collections;
import java.util.List;

/**
 * A value of a unique lookup index that is held for a row which is not there yet. Whoever has these
 * three may take or release it, in any process: keep them where the request that takes it finds
 * them.
 *
 * @param index {@code group.index}
 * @param values at the positions of the index's columns
 * @param token drawn for this reservation
 */
public record Reservation(String index, List<Object> values, long token) {
  public Reservation {
    values = Collections.unmodifiableList(values);
  }
}
