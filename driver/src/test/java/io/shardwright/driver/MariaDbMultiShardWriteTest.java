package io.shardwright.driver;

import static io.shardwright.driver.TransactionTest.assertRefused;

import io.shardwright.errors.ErrorCode;
import org.junit.jupiter.api.Test;

class MariaDbMultiShardWriteTest extends MultiShardWriteContract {
  @Override
  TestingDatabase database() {
    return TestingDatabase.MARIADB;
  }

  @Test
  void returning_ofAReferenceTable_isRefused() {
    assertRefused(
        ErrorCode.STATEMENT_UNSUPPORTED, () -> shards.rows("DELETE FROM countries RETURNING code"));
  }
}
