package io.shardwright.migration;

import java.sql.SQLException;
import java.sql.Statement;

class MariaDbOpenTransactionTest extends OpenTransactionContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }

  @Override
  String upsert() {
    return " ON DUPLICATE KEY UPDATE note = 'new'";
  }

  @Override
  void begin(Statement session, String name) throws SQLException {
    session.execute("XA START '" + name + "'");
  }

  @Override
  void prepare(Statement session, String name) throws SQLException {
    session.execute("XA END '" + name + "'");
    session.execute("XA PREPARE '" + name + "'");
  }

  @Override
  String commitPrepared(String name) {
    return "XA COMMIT '" + name + "'";
  }
}
