package io.shardwright.bench;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/** All rows of a table by COPY, piped from one PostgreSQL database into another. */
final class PipedCopy {
  private PipedCopy() {}

  static void run(Connection source, Connection target, String table) throws SQLException {
    CopyManager from = source.unwrap(PGConnection.class).getCopyAPI();
    CopyManager to = target.unwrap(PGConnection.class).getCopyAPI();
    CopyOut out = from.copyOut("COPY " + table + " TO STDOUT");
    CopyIn in = to.copyIn("COPY " + table + " FROM STDIN");
    for (byte[] row = out.readFromCopy(); row != null; row = out.readFromCopy()) {
      in.writeToCopy(row, 0, row.length);
    }
    long unused = in.endCopy();
  }
}
