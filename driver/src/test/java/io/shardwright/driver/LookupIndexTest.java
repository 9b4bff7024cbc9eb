package io.shardwright.driver;

class LookupIndexTest extends LookupIndexContract {
  LookupIndexTest() {
    super(TestingDatabase.POSTGRESQL);
  }

  @Override
  String updatingV() {
    return " ON CONFLICT (bucket_id, id) DO UPDATE SET v = excluded.v";
  }

  @Override
  int messagesOfAnInsert() {
    return 3;
  }

  @Override
  String shoutTrigger() {
    return """
      CREATE OR REPLACE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.v := upper(NEW.v); RETURN NEW; END $$;
      CREATE TRIGGER shout BEFORE INSERT ON samples FOR EACH ROW EXECUTE FUNCTION shout()\
      """;
  }

  @Override
  String dropShoutTrigger() {
    return "DROP TRIGGER shout ON samples";
  }
}
