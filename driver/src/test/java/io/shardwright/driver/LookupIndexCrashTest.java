package io.shardwright.driver;

class LookupIndexCrashTest extends LookupIndexCrashContract {
  LookupIndexCrashTest() {
    super(TestingDatabase.POSTGRESQL);
  }
}
