package io.shardwright.driver;

class ListIndexLifeTest extends ListIndexLifeContract {
  ListIndexLifeTest() {
    super(TestingDatabase.POSTGRESQL);
  }

  @Override
  String objects() {
    return "SELECT relname FROM pg_class UNION ALL SELECT tgname FROM pg_trigger"
        + " UNION ALL SELECT proname FROM pg_proc";
  }

  @Override
  String dropTrigger() {
    return "DROP TRIGGER \"!shardwright_update_samples_by_group\" ON samples";
  }
}
