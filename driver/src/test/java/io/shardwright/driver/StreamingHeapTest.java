package io.shardwright.driver;

class StreamingHeapTest extends StreamingHeapContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }

  @Override
  String numbers(int count) {
    return "generate_series(0, " + (count - 1) + ") i";
  }

  @Override
  String analyze() {
    return "ANALYZE samples";
  }
}
