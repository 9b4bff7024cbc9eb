package io.shardwright.driver;

class LookupIndexTest extends LookupIndexContract {
  LookupIndexTest() {
    super(TestingDatabase.POSTGRESQL);
  }

  @Override
  String updatingV() {
    return " ON CONFLICT (bucket_id, id) DO UPDATE SET v = excluded.v";
  }
}
