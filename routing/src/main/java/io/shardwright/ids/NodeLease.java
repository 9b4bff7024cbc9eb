package io.shardwright.ids;

import io.shardwright.errors.ShardwrightException;

/**
 * A node number that this process holds for a time. Thread-safe.
 *
 * <p>Uniqueness rests on times inside ids, not on clocks agreeing: each grant covers the times
 * above {@code usedUntilMillis} up to {@code validUntilMillis}, whoever grants a number records the
 * second before it hands it out, and the next holder's grant starts above it. So a holder that does
 * not know yet that its number has gone to another process cannot repeat that one's ids.
 */
public interface NodeLease {
  /**
   * What is held now: the same object until it changes.
   *
   * @throws ShardwrightException SW308 when the lease is lost
   */
  Grant current();

  /**
   * @param node the number
   * @param epoch grows each time the number changes hands
   * @param usedUntilMillis earlier holders may have issued ids of times up to here; milliseconds
   *     since 1970
   * @param validUntilMillis ids of times up to here may be issued, this included
   */
  record Grant(int node, long epoch, long usedUntilMillis, long validUntilMillis) {
    public Grant {
      if (node < 0) {
        throw new IllegalArgumentException("node " + node + " is negative");
      }
    }
  }

  /**
   * A number for ever, for tests and for systems with one process. Nothing notices a second process
   * with the same number, and nothing remembers the last time issued over a restart.
   */
  static NodeLease fixed(int node) {
    Grant grant = new Grant(node, 0, 0, Long.MAX_VALUE);
    return () -> grant;
  }
}
