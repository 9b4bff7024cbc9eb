package io.shardwright.driver;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests on four shards that all tests of one database share; each leaves them empty and with idle
 * pools. A subclass that names the other database runs the same tests on it.
 */
abstract class FourShards {
  private static final Map<TestingDatabase, TestingShards> OPENED =
      new EnumMap<>(TestingDatabase.class);

  final TestingShards shards =
      OPENED.computeIfAbsent(database(), database -> TestingShards.open(database, 4));

  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }

  @AfterEach
  void everythingWasGivenBack() {
    shards.assertIdle();
    shards.clear();
  }
}
