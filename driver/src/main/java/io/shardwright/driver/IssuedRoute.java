package io.shardwright.driver;

import io.shardwright.sql.Route;
import io.shardwright.sql.Route.IssuedColumn;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A route after the ids of its rows were issued.
 *
 * @param column empty when there were none to be issued
 * @param idsByRow of the statement, from 0
 */
record IssuedRoute(Route route, Optional<IssuedColumn> column, SortedMap<Integer, Long> idsByRow) {

  static IssuedRoute none(Route route) {
    return new IssuedRoute(route, Optional.empty(), Collections.emptySortedMap());
  }

  /** In the order of the statement's rows. */
  List<Long> ids() {
    return List.copyOf(idsByRow.values());
  }

  /**
   * Whether the ids are the generated keys: where the database gives back none but its own.
   *
   * @param wanted null for none
   * @throws SQLException SW212 when it cannot be told which keys there are; nothing was sent
   */
  boolean areKeys(GeneratedKeys wanted, PhysicalDatabase database) throws SQLException {
    if (column.isEmpty() || wanted == null || database.givesKeysByName()) {
      return false;
    }
    String name = column.get().column();
    String instead = "use INSERT ... RETURNING";
    if (!column.get().everyRow()) {
      throw SqlErrors.unsupported(
          "generated keys of an INSERT that leaves "
              + name
              + " to the driver and may skip or change rows (IGNORE, ON DUPLICATE KEY UPDATE)",
          instead);
    }
    for (String other : wanted.names()) {
      if (!other.equalsIgnoreCase(name)) {
        throw SqlErrors.unsupported(
            "generated key " + other + " of an INSERT that leaves " + name + " to the driver",
            "ask for " + name + " alone, or " + instead);
      }
    }
    return true;
  }
}
