package io.shardwright.driver;

class MariaDbStreamingHeapTest extends StreamingHeapContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Override
  String numbers(int count) {
    return "(SELECT seq AS i FROM seq_0_to_" + (count - 1) + ") n";
  }

  @Override
  String analyze() {
    return "ANALYZE TABLE samples";
  }
}
