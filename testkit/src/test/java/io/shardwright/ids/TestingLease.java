package io.shardwright.ids;

/** A lease that the test grants anew, each time with the next epoch. Thread-safe. */
final class TestingLease implements NodeLease {
  private volatile Grant grant;

  TestingLease(int node, long usedUntilMillis, long validUntilMillis) {
    grant = new Grant(node, 0, usedUntilMillis, validUntilMillis);
  }

  void grant(int node, long usedUntilMillis, long validUntilMillis) {
    grant = new Grant(node, grant.epoch() + 1, usedUntilMillis, validUntilMillis);
  }

  @Override
  public Grant current() {
    return grant;
  }
}
