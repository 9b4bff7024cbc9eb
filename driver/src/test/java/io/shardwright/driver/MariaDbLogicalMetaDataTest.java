package io.shardwright.driver;

class MariaDbLogicalMetaDataTest extends LogicalMetaDataContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Override
  String schema() {
    return null;
  }

  @Override
  String currentDatabase() {
    return "database()";
  }
}
