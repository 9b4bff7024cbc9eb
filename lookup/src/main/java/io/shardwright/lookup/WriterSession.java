package io.shardwright.lookup;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A session on a shard that has said once that it maintains the indexes, so that the guards let its
 * plain INSERTs pass without being told so each time.
 *
 * @param version of the catalog's state that it works by
 * @param triggered tables with triggers or rules of their own, which may change more than an INSERT
 *     says: those have to tell
 */
public record WriterSession(long version, Set<String> triggered) {
  private static final String POSTGRESQL =
      """
      SELECT c.relname FROM pg_class c
      WHERE c.oid IN (%s) AND (c.relhasrules OR EXISTS (
        SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
          AND t.tgname NOT LIKE ALL (ARRAY['!shardwright\\_%%', '~~shardwright\\_%%'])))\
      """;

  private static final String MARIADB =
      """
      SELECT DISTINCT event_object_table FROM information_schema.triggers
      WHERE event_object_schema = DATABASE() AND event_object_table IN (%s)
        AND trigger_name NOT LIKE '!shardwright\\_%%'
        AND trigger_name NOT LIKE '~shardwright\\_%%'\
      """;

  public WriterSession {
    triggered = Set.copyOf(triggered);
  }

  /**
   * Says so, outside a transaction, whose rollback would take it back.
   *
   * @param tables that have unique indexes
   */
  public static WriterSession begin(
      Connection connection, DatabaseProduct product, long version, Collection<String> tables)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          product == DatabaseProduct.MARIADB
              ? "SET @shardwright_index = " + version
              : "SELECT set_config('shardwright.index', '" + version + "', false)");
    }
    return new WriterSession(version, triggered(connection, product, List.copyOf(tables)));
  }

  private static Set<String> triggered(
      Connection connection, DatabaseProduct product, List<String> tables) throws SQLException {
    Set<String> triggered = new HashSet<>();
    boolean mariaDb = product == DatabaseProduct.MARIADB;
    String places =
        String.join(", ", Collections.nCopies(tables.size(), mariaDb ? "?" : "to_regclass(?)"));
    try (PreparedStatement select =
        connection.prepareStatement((mariaDb ? MARIADB : POSTGRESQL).formatted(places))) {
      for (int i = 0; i < tables.size(); i++) {
        select.setString(
            i + 1, mariaDb ? tables.get(i) : Database.of(product).quote(tables.get(i)));
      }
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          triggered.add(row.getString(1));
        }
      }
    }
    return triggered;
  }
}
