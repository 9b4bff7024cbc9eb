package io.shardwright.lookup;

import io.shardwright.config.DatabaseProduct;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the triggers on a shard tell what a statement changes. Only between {@link #announce} and
 * {@link #take}: what changes otherwise is refused there.
 */
enum Telling {
  POSTGRESQL {
    @Override
    String announcement(long version) {
      return "SELECT set_config('shardwright.index', '"
          + version
          + "', false), set_config('shardwright.changes', 'on', true)";
    }

    /** One round trip for all. */
    @Override
    List<List<Change>> take(Connection connection, List<EntryTable> tables) throws SQLException {
      StringBuilder texts = new StringBuilder();
      tables.forEach(table -> texts.append(table.takeChanges()).append("; "));
      texts.append("SELECT set_config('shardwright.changes', '', true)");
      List<List<Change>> changes = new ArrayList<>();
      try (Statement statement = connection.createStatement()) {
        statement.execute(texts.toString());
        for (EntryTable table : tables) {
          try (ResultSet row = statement.getResultSet()) {
            changes.add(table.changes(row));
          }
          statement.getMoreResults();
        }
      }
      return changes;
    }
  },

  MARIADB {
    @Override
    String announcement(long version) {
      return "SET @shardwright_index = " + version + ", @shardwright_changes = ''";
    }

    @Override
    List<List<Change>> take(Connection connection, List<EntryTable> tables) throws SQLException {
      List<List<Change>> changes = new ArrayList<>();
      try (Statement statement = connection.createStatement()) {
        for (EntryTable table : tables) {
          try (ResultSet row = statement.executeQuery(table.takeChanges())) {
            changes.add(table.changes(row));
          }
        }
        statement.execute("SET @shardwright_changes = NULL");
      }
      return changes;
    }
  };

  static Telling of(DatabaseProduct product) {
    return valueOf(product.name());
  }

  abstract String announcement(long version);

  /**
   * @param version of the catalog's state that the session works by
   */
  final void announce(Connection connection, long version) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(announcement(version));
    }
  }

  /** The changes of each index, in the order in which they were made. */
  abstract List<List<Change>> take(Connection connection, List<EntryTable> tables)
      throws SQLException;
}
