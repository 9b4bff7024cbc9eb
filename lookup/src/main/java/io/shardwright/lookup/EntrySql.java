package io.shardwright.lookup;

import io.shardwright.catalog.Database;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.lookup.UniqueIndex.IndexColumn;
import io.shardwright.routing.KeyType;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The statements on the tables of one index (docs/decisions/lookup-index.md). */
final class EntrySql {
  /** In place of a row's bucket. */
  static final int NO_ROW = -1;

  private final UniqueIndex index;
  private final Database database;
  private final String entries;
  private final String values;
  private final String primaryKey;

  EntrySql(UniqueIndex index) {
    this.index = index;
    this.database = Database.of(index.product());
    this.entries = database.quote(index.name().entryTable());
    this.values = numbered("v", index.columns().size());
    this.primaryKey = numbered("p", index.primaryKey().size());
  }

  private boolean isMariaDb() {
    return index.product() == DatabaseProduct.MARIADB;
  }

  private static String numbered(String prefix, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> prefix + i)
        .collect(Collectors.joining(", "));
  }

  private static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  private int width() {
    return index.columns().size();
  }

  /** bucket_id, then the values: {@code bucket_id = ? AND v1 = ?}. */
  private String ofValue() {
    return "bucket_id = ?"
        + IntStream.rangeClosed(1, width())
            .mapToObj(i -> " AND v" + i + " = " + value(i - 1))
            .collect(Collectors.joining());
  }

  /** PostgreSQL compares no text with a number; MariaDB makes of a value what the column is. */
  private String value(int column) {
    return isMariaDb() ? "?" : "CAST(? AS " + index.columns().get(column).type() + ")";
  }

  private String columns() {
    return "bucket_id, " + values + ", slot, row_bucket, " + primaryKey + ", token";
  }

  private String now() {
    return isMariaDb() ? "NOW(6)" : "clock_timestamp()";
  }

  /** With 0 for an entry of a row, 1 for a reservation, 2 for one whose time is over. */
  private String read() {
    return "SELECT "
        + columns()
        + ", CASE WHEN reserved_until IS NULL THEN 0 WHEN reserved_until > "
        + now()
        + " THEN 1 ELSE 2 END FROM "
        + entries;
  }

  /** The candidates of {@code count} values. */
  String read(int count) {
    String one = ofValue();
    return read()
        + " WHERE "
        + (count == 1
            ? one
            : IntStream.range(0, count)
                .mapToObj(i -> "(" + one + ")")
                .collect(Collectors.joining(" OR ")));
  }

  /** All candidates of a bucket: bucket_id. */
  String readBucket() {
    return read() + " WHERE bucket_id = ?";
  }

  /** bucket_id, values: the row whose lock is that of all candidates of the value. */
  String lock() {
    return "SELECT 1 FROM " + entries + " WHERE " + ofValue() + " AND slot = 0 FOR UPDATE";
  }

  /**
   * At slot 0, unless that is taken. Waits for nobody: MariaDB would wait for who holds the
   * candidates, and he may wait for this writer. The values of a row are of its columns' types;
   * those of a reservation may not be, and IGNORE would cut them: who takes it meets a duplicate
   * key.
   */
  String insertFirst(boolean reservation) {
    return (isMariaDb()
            ? "SET STATEMENT innodb_lock_wait_timeout = 0 FOR INSERT "
                + (reservation ? "INTO " : "IGNORE INTO ")
            : "INSERT INTO ")
        + entries
        + row(reservation)
        + (isMariaDb() ? "" : " ON CONFLICT DO NOTHING");
  }

  /** Beside others. */
  String insert(boolean reservation) {
    return "INSERT INTO " + entries + row(reservation);
  }

  /** Of a reservation, the last parameter is for how many microseconds. */
  private String row(boolean reservation) {
    int count = 1 + width() + 2 + index.primaryKey().size() + 1;
    String until =
        now() + (isMariaDb() ? " + INTERVAL ? MICROSECOND" : " + ? * interval '1 microsecond'");
    return " ("
        + columns()
        + (reservation ? ", reserved_until" : "")
        + ") VALUES ("
        + marks(count)
        + (reservation ? ", " + until : "")
        + ")";
  }

  /** New slot, then bucket_id, values, old slot. */
  String move() {
    return "UPDATE " + entries + " SET slot = ? WHERE " + ofValue() + " AND slot = ?";
  }

  /** token, then bucket_id, values, slot. */
  String renew() {
    return "UPDATE "
        + entries
        + " SET token = ?, written_at = "
        + now()
        + " WHERE "
        + ofValue()
        + " AND slot = ?";
  }

  /** bucket_id, values, slot, token. */
  String remove() {
    return "DELETE FROM " + entries + " WHERE " + ofValue() + " AND slot = ? AND token = ?";
  }

  /** Waits for every writer of the value on this shard. */
  String claim() {
    return "INSERT INTO "
        + database.quote(index.name().claimTable())
        + " ("
        + values
        + ") VALUES ("
        + marks(width())
        + ")";
  }

  /** Whether a row has the value: bucket_id, primary key, values. */
  String rowHasValue() {
    return "SELECT 1 FROM "
        + database.quote(index.table())
        + " WHERE bucket_id = ?"
        + Stream.concat(index.primaryKey().stream(), index.columns().stream())
            .map(column -> " AND " + database.quote(column.name()) + " = ?")
            .collect(Collectors.joining());
  }

  /**
   * What this transaction changed and was asked to tell: n, row_bucket, primary key, old values,
   * new values. PostgreSQL forgets it, too.
   */
  String takeChanges() {
    int pk = index.primaryKey().size();
    if (!isMariaDb()) {
      return "DELETE FROM "
          + database.quote(index.name().changeTable())
          + " WHERE owner = pg_current_xact_id() RETURNING n, row_bucket, "
          + numbered("p", pk)
          + ", "
          + numbered("old", width())
          + ", "
          + numbered("new", width());
    }
    StringJoiner select = new StringJoiner(", ");
    StringJoiner columns = new StringJoiner(", ");
    json("p", 2, index.primaryKey(), select, columns);
    json("old", 3, index.columns(), select, columns);
    json("new", 4, index.columns(), select, columns);
    return "SELECT n, row_bucket, "
        + select
        + " FROM JSON_TABLE(CONCAT('[', TRIM(TRAILING ',' FROM"
        + " REPLACE(@shardwright_changes, '\n', ',')), ']'), '$[*]' COLUMNS (n FOR ORDINALITY,"
        + " index_name VARCHAR(64) PATH '$[0]', row_bucket INT PATH '$[1]', "
        + columns
        + ")) changes WHERE index_name = '"
        + index.name().object()
        + "'";
  }

  /** As {@code MariaDbIndexObjects} writes them. */
  private static void json(
      String prefix, int place, List<IndexColumn> of, StringJoiner select, StringJoiner columns) {
    for (int i = 0; i < of.size(); i++) {
      String name = prefix + (i + 1);
      KeyType type = of.get(i).keyType();
      select.add(type == KeyType.BYTES ? "UNHEX(" + name + ")" : name);
      columns.add(
          name
              + (type == KeyType.INTEGER ? " DECIMAL(65)" : " VARCHAR(6144)")
              + " PATH '$["
              + place
              + "]["
              + i
              + "]'");
    }
  }
}
