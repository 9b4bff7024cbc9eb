package io.shardwright.driver;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ListIndexTest extends ListIndexContract {
  ListIndexTest() {
    super(TestingDatabase.POSTGRESQL);
  }

  @Override
  String updatingI4() {
    return " ON CONFLICT (bucket_id, id) DO UPDATE SET i4 = excluded.i4";
  }

  /** What the first trigger tells last must not be what the row was before the second one. */
  @Test
  void triggerOfTheUser_thatWritesRowsOfTheSameStatement_isSeen() throws SQLException {
    shards.onShard(
        0,
        """
        CREATE FUNCTION bump() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE samples SET i4 = i4 + 10 WHERE id >= 1000 AND i4 < 10; RETURN NULL;
        END $$;
        CREATE TRIGGER bump AFTER INSERT OR UPDATE ON samples
          FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION bump()
        """);
    shards.onShard(
        0,
        "INSERT INTO samples (bucket_id, k, id, i4) SELECT 1, 0, 1000 + n, n % 4"
            + " FROM generate_series(1, 20) n");
    lists.assertSame();
    shards.onShard(0, "UPDATE samples SET i4 = id % 3 WHERE id >= 1000");
    lists.assertSame();
    shards.onShard(0, "DROP TRIGGER bump ON samples; DROP FUNCTION bump()");
  }

  @Test
  void primaryKeys_thatChangePlaces_areSeen() throws SQLException {
    shards.onShard(
        0,
        "ALTER TABLE samples DROP CONSTRAINT samples_pkey,"
            + " ADD PRIMARY KEY (bucket_id, id) DEFERRABLE");
    shards.onShard(
        0,
        "INSERT INTO samples (bucket_id, k, id, i4) SELECT 1, 0, 1000 + n, n % 4"
            + " FROM generate_series(1, 20) n");
    shards.onShard(0, "UPDATE samples SET id = id + 1 WHERE id >= 1000");
    lists.assertSame();
    shards.onShard(0, "UPDATE samples SET id = 2021 - id WHERE id >= 1000");
    lists.assertSame();
    shards.onShard(
        0, "ALTER TABLE samples DROP CONSTRAINT samples_pkey, ADD PRIMARY KEY (bucket_id, id)");
  }
}
