package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of lookup indexes, and the version of the state that they are part of. */
final class IndexRows {
  private static final String ALL =
      "SELECT i.grp, i.name, i.table_name, g.key_columns, i.state, i.version"
          + " FROM shardwright_index i"
          + " JOIN shardwright_group g ON g.name = CONCAT(i.grp, '.', i.name)";

  private static final String LISTS =
      "SELECT grp, name, index_columns, covering, spread, giants FROM shardwright_list";

  private static final String TYPES = "SELECT key_types FROM shardwright_group WHERE name = ?";

  private IndexRows() {}

  /**
   * @param indexes as the catalog has them
   * @throws ShardwrightException SW416 when the file has one otherwise
   */
  static void check(
      Connection connection, Configuration configuration, Map<String, CatalogIndex> indexes)
      throws SQLException {
    for (CatalogIndex index : indexes.values()) {
      index.check(configuration);
      List<List<String>> spread = index.spreadValues(configuration);
      if (!spread.isEmpty()) {
        index.checkSpread(configuration, types(connection, index), spread);
      }
    }
  }

  private static List<KeyType> types(Connection connection, CatalogIndex index)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(TYPES)) {
      select.setString(1, index.name().placement());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return GroupRow.splitNames(row.getString(1)).stream().map(KeyType::valueOf).toList();
      }
    }
  }

  /**
   * By {@link IndexName#placement}.
   *
   * @param format of the catalog, one that has indexes
   */
  static Map<String, CatalogIndex> read(Connection connection, int format) throws SQLException {
    Map<String, CatalogIndex> indexes = readAll(connection);
    if (format >= CatalogInstaller.FORMAT_OF_LISTS) {
      readLists(connection, indexes);
    }
    return indexes;
  }

  /** Of indexes that are not unique the columns by which they are sharded become all of them. */
  private static void readLists(Connection connection, Map<String, CatalogIndex> indexes)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LISTS)) {
      while (row.next()) {
        List<String> columns = GroupRow.splitNames(row.getString(3));
        String covering = row.getString(4);
        int spread = row.getInt(5);
        String giants = row.getString(6);
        indexes.computeIfPresent(
            new IndexName(row.getString(1), row.getString(2)).placement(),
            (name, index) ->
                new CatalogIndex(
                    index.name(),
                    index.table(),
                    columns,
                    Optional.of(
                        ListRecord.ofStored(index.columns().size(), covering, spread, giants)),
                    index.state(),
                    index.version()));
      }
    }
  }

  private static Map<String, CatalogIndex> readAll(Connection connection) throws SQLException {
    Map<String, CatalogIndex> indexes = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(ALL)) {
      while (row.next()) {
        IndexName name = new IndexName(row.getString(1), row.getString(2));
        indexes.put(
            name.placement(),
            new CatalogIndex(
                name,
                row.getString(3),
                GroupRow.splitNames(row.getString(4)),
                IndexState.ofStored(row.getString(5)),
                row.getLong(6)));
      }
    }
    return indexes;
  }

  static long version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT version FROM shardwright_state")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** In the caller's transaction, which from here on is alone in changing the state. */
  static long nextVersion(Connection connection) throws SQLException {
    raiseVersion(connection);
    return version(connection);
  }

  /** The same for whom it does not matter which one it is. */
  static void raiseVersion(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE shardwright_state SET version = version + 1");
    }
  }

  /** False when the catalog has it otherwise; in the caller's transaction. */
  static boolean change(Connection connection, CatalogIndex known, CatalogIndex next)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE shardwright_index SET state = ?, version = ?"
                + " WHERE grp = ? AND name = ? AND state = ? AND version = ?")) {
      update.setString(1, next.state().stored());
      update.setLong(2, next.version());
      setKnown(update, 3, known);
      if (update.executeUpdate() == 0) {
        return false;
      }
    }
    if (next.list().isPresent()) {
      try (PreparedStatement update =
          connection.prepareStatement(
              "UPDATE shardwright_list SET giants = ? WHERE grp = ? AND name = ?")) {
        update.setString(1, next.list().get().storedGiants());
        update.setString(2, known.name().group());
        update.setString(3, known.name().index());
        update.executeUpdate();
      }
    }
    return true;
  }

  static void insert(Connection connection, CatalogIndex index) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_index (grp, name, table_name, state, version)"
                + " VALUES (?, ?, ?, ?, ?)")) {
      insert.setString(1, index.name().group());
      insert.setString(2, index.name().index());
      insert.setString(3, index.table());
      insert.setString(4, IndexState.DECLARED.stored());
      insert.setLong(5, nextVersion(connection));
      insert.executeUpdate();
    }
    if (index.list().isPresent()) {
      insert(connection, index, index.list().get());
    }
  }

  private static void insert(Connection connection, CatalogIndex index, ListRecord list)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_list (grp, name, index_columns, covering, spread, giants)"
                + " VALUES (?, ?, ?, ?, ?, ?)")) {
      insert.setString(1, index.name().group());
      insert.setString(2, index.name().index());
      insert.setString(3, String.join(",", index.columns()));
      insert.setString(4, list.storedCovering());
      insert.setInt(5, list.spread());
      insert.setString(6, list.storedGiants());
      insert.executeUpdate();
    }
  }

  /** With its map. False when the catalog has it otherwise; in the caller's transaction. */
  static boolean delete(Connection connection, CatalogIndex known) throws SQLException {
    if (known.list().isPresent()) {
      try (PreparedStatement delete =
          connection.prepareStatement("DELETE FROM shardwright_list WHERE grp = ? AND name = ?")) {
        delete.setString(1, known.name().group());
        delete.setString(2, known.name().index());
        delete.executeUpdate();
      }
    }
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM shardwright_index"
                + " WHERE grp = ? AND name = ? AND state = ? AND version = ?")) {
      setKnown(delete, 1, known);
      if (delete.executeUpdate() == 0) {
        return false;
      }
    }
    for (String sql :
        List.of(
            "DELETE FROM shardwright_map_range WHERE grp = ?",
            "DELETE FROM shardwright_map_version WHERE grp = ?",
            "DELETE FROM shardwright_group WHERE name = ?")) {
      try (PreparedStatement delete = connection.prepareStatement(sql)) {
        delete.setString(1, known.name().placement());
        delete.executeUpdate();
      }
    }
    return true;
  }

  private static void setKnown(PreparedStatement statement, int first, CatalogIndex known)
      throws SQLException {
    statement.setString(first, known.name().group());
    statement.setString(first + 1, known.name().index());
    statement.setString(first + 2, known.state().stored());
    statement.setLong(first + 3, known.version());
  }
}
