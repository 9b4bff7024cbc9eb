package io.shardwright.examples.migrations;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.internal.database.base.Schema;
import org.flywaydb.core.internal.database.base.Table;
import org.flywaydb.core.internal.exception.FlywaySqlException;
import org.flywaydb.database.postgresql.PostgreSQLConnection;

/** Sessions belong to pooled connections, so nothing is set in them and nothing is restored. */
@SuppressWarnings("rawtypes") // as the methods of Flyway that are overridden
final class FlywayConnection extends PostgreSQLConnection {
  private final Supplier<Connection> connections;

  FlywayConnection(FlywayDatabase database, Connection connection) {
    super(database, connection);
    this.connections = database::open;
  }

  @Override
  protected void doRestoreOriginalState() {}

  @Override
  public void doChangeCurrentSchemaOrSearchPathTo(String searchPath) {}

  @Override
  public void changeCurrentSchemaTo(Schema schema) {
    try {
      if (!schema.getName().equals(doGetCurrentSchema().getName())) {
        throw new FlywayException(
            "schema "
                + schema.getName()
                + " is not the shards' own; set currentSchema in the urls of shardwright.yaml");
      }
    } catch (SQLException e) {
      throw new FlywaySqlException("the current schema cannot be read", e);
    }
  }

  /**
   * Runs one after the other with all others that migrate. The lock is PostgreSQL's, on the shard
   * of the history table, held by a transaction of a connection of its own. Before the table exists
   * there is none: its creation is a schema change, of which the driver runs one at a time.
   */
  @Override
  public <T> T lock(Table table, Callable<T> work) {
    try {
      if (!table.exists()) {
        return work.call();
      }
      try (Connection holder = connections.get()) {
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
          // An aggregate gives one row, however many rows the table has.
          statement.execute(
              "SELECT COUNT(*), pg_advisory_xact_lock("
                  + table.toString().hashCode()
                  + ") FROM "
                  + table);
          return work.call();
        } finally {
          holder.rollback();
        }
      }
    } catch (SQLException e) {
      throw new FlywaySqlException("the lock of " + table + " cannot be taken", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new FlywayException(e);
    }
  }
}
