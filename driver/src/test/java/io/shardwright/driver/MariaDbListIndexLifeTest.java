package io.shardwright.driver;

class MariaDbListIndexLifeTest extends ListIndexLifeContract {
  MariaDbListIndexLifeTest() {
    super(TestingDatabase.MARIADB);
  }

  @Override
  String objects() {
    return "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
        + " UNION ALL SELECT trigger_name FROM information_schema.triggers"
        + " WHERE trigger_schema = DATABASE()";
  }

  @Override
  String dropTrigger() {
    return "DROP TRIGGER `!shardwright_update_samples_by_group`";
  }
}
