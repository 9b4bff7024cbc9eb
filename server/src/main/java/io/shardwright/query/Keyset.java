package io.shardwright.query;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.query.PagePlan.SortKey;
import java.util.List;

/**
 * The condition for rows behind a row, in the order of the sort keys.
 *
 * <p>For keys a, b, c it is {@code a <= ? AND (a < ? OR (a = ? AND (b < ? OR (b = ? AND c < ?))))}.
 * The first test is what an index range is made of; a comparison of rows would do on PostgreSQL,
 * and on MariaDB it reads the whole index. NULL has a place of its own: behind all values or before
 * them, as the database puts it.
 */
final class Keyset {
  private final Database database;
  private final boolean nullsAreLargest;
  private final List<SortKey> keys;
  private final List<Object> values;
  private final List<Object> parameters;
  private final StringBuilder sql = new StringBuilder();

  private Keyset(
      DatabaseProduct product, List<SortKey> keys, List<Object> values, List<Object> parameters) {
    this.database = Database.of(product);
    this.nullsAreLargest = product == DatabaseProduct.POSTGRESQL;
    this.keys = keys;
    this.values = values;
    this.parameters = parameters;
  }

  /**
   * @param values of the row, one for each key; null for NULL
   * @param parameters what fills the condition is added to them
   */
  static String after(
      DatabaseProduct product, List<SortKey> keys, List<Object> values, List<Object> parameters) {
    Keyset keyset = new Keyset(product, keys, values, parameters);
    keyset.guard();
    keyset.behind(0);
    return keyset.sql.toString();
  }

  private void guard() {
    SortKey first = keys.get(0);
    if (values.get(0) != null && !(first.nullable() && nullsLast(first))) {
      test(0, first.descending() ? " <= ?" : " >= ?");
      sql.append(" AND ");
    }
  }

  private boolean nullsLast(SortKey key) {
    return nullsAreLargest != key.descending();
  }

  private void behind(int i) {
    SortKey key = keys.get(i);
    String column = database.quote(key.name());
    sql.append('(');
    if (values.get(i) != null) {
      test(i, key.descending() ? " < ?" : " > ?");
      if (key.nullable() && nullsLast(key)) {
        sql.append(" OR ").append(column).append(" IS NULL");
      }
    } else {
      sql.append(nullsLast(key) ? "1 = 0" : column + " IS NOT NULL");
    }
    if (i + 1 < keys.size()) {
      sql.append(" OR (");
      if (values.get(i) != null) {
        test(i, " = ?");
      } else {
        sql.append(column).append(" IS NULL");
      }
      sql.append(" AND ");
      behind(i + 1);
      sql.append(')');
    }
    sql.append(')');
  }

  private void test(int i, String comparison) {
    sql.append(database.quote(keys.get(i).name())).append(comparison);
    parameters.add(values.get(i));
  }
}
