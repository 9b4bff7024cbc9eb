package io.shardwright.migration;

import java.sql.SQLException;
import java.sql.Statement;

class PostgresOpenTransactionTest extends OpenTransactionContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }

  @Override
  String upsert() {
    return " ON CONFLICT (bucket_id, buyer_id, order_id) DO UPDATE SET note = 'new'";
  }

  @Override
  void begin(Statement session, String name) throws SQLException {
    session.execute("BEGIN");
  }

  @Override
  void prepare(Statement session, String name) throws SQLException {
    session.execute("PREPARE TRANSACTION '" + name + "'");
  }

  @Override
  String commitPrepared(String name) {
    return "COMMIT PREPARED '" + name + "'";
  }
}
