package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Facts.Place;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.IssuedColumn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ids that an INSERT leaves to the driver: it does not name the column, or says DEFAULT.
 *
 * @param name of the column, quoted
 * @param added true when the statement does not name it
 * @param defaults where a row, by its number from 0, says DEFAULT
 */
record IssuedIds(IssuedColumn column, String name, boolean added, Map<Integer, Place> defaults) {

  /**
   * @param columns that the statement gives values, in its order
   * @throws ShardwrightException SW310 when the column refers to rows of another table
   */
  static Optional<IssuedIds> of(
      Dialect dialect, InsertStatement statement, Schema.Table table, List<String> columns) {
    Schema.Sharding sharding = table.sharding().orElseThrow();
    if (sharding.id().isEmpty()) {
      return Optional.empty();
    }
    Schema.GeneIdColumn id = sharding.id().get();
    int place = columns.indexOf(id.column());
    Map<Integer, Place> defaults = new HashMap<>();
    for (InsertStatement.Default value : statement.defaults()) {
      if (value.column() == place) {
        defaults.put(value.row(), value.place());
      }
    }
    if (place >= 0 && defaults.isEmpty()) {
      return Optional.empty();
    }
    if (!id.own()) {
      throw new ShardwrightException(
          ErrorCode.ID_MISSING,
          "the INSERT into "
              + table.name()
              + " gives no value for "
              + id.column()
              + ", which refers to a row of another table there (it is not the primary key by"
              + " itself); give it the id of that row");
    }
    boolean everyRow = !statement.ignores() && statement.updatedOnConflict().isEmpty();
    return Optional.of(
        new IssuedIds(
            new IssuedColumn(sharding.group(), table.name(), id.column(), id.layout(), everyRow),
            dialect.quote(id.column()),
            place < 0,
            Map.copyOf(defaults)));
  }

  /**
   * Puts in the id of one of the shard's rows.
   *
   * @param element number of the row among those of the shard
   * @param from where the text of the row's values goes on
   * @return where it goes on now
   */
  int render(Rendering out, int element, int from) {
    int row = out.share().elements().get(element);
    Place place = added ? new Place(from, from) : defaults.get(row);
    if (place == null) {
      return from;
    }
    out.copy(from, place.from());
    out.issuedId(new Argument.IssuedId(row, out.share().elementBuckets().get(element), column));
    if (added) {
      out.append(", ");
    }
    return place.to();
  }
}
