package io.shardwright.driver;

class MariaDbLookupIndexTest extends LookupIndexContract {
  MariaDbLookupIndexTest() {
    super(TestingDatabase.MARIADB);
  }

  @Override
  String updatingV() {
    return " ON DUPLICATE KEY UPDATE v = VALUES(v)";
  }

  @Override
  int messagesOfAnInsert() {
    return 5;
  }

  @Override
  String shoutTrigger() {
    return """
      CREATE TRIGGER shout BEFORE INSERT ON samples FOR EACH ROW SET NEW.v = UPPER(NEW.v)\
      """;
  }

  @Override
  String dropShoutTrigger() {
    return "DROP TRIGGER shout";
  }
}
