package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbIndexApplyTest extends IndexApplyContract {
  @Override
  OrderShards shards() {
    return PostgresIndexApplyTest.tables(OrderShards.mariaDb(2).withCatalog());
  }

  @Override
  int tables() {
    return 2;
  }

  @Test
  void run_columnsThatAreTooLongForAKey_areNamed() throws SQLException {
    OrderShards shards =
        shards().everywhere("ALTER TABLE orders MODIFY status varchar(900) NOT NULL");

    assertThat(shards.applyWith(OrderShards.WITH_INDEX).problems())
        .extracting(Finding::message)
        .singleElement()
        .asString()
        .startsWith("the columns of lookup index orders.by_status are too long for a primary key");
  }
}
