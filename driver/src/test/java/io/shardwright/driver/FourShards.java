package io.shardwright.driver;

import org.junit.jupiter.api.AfterEach;

/** Tests on four shards that all of them share; each leaves them empty and with idle pools. */
abstract class FourShards {
  static final TestingShards shards = TestingShards.open(4);

  @AfterEach
  void everythingWasGivenBack() {
    shards.assertIdle();
    shards.clear();
  }
}
