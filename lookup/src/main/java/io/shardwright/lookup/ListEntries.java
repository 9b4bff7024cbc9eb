package io.shardwright.lookup;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.lookup.TextTable.Field;
import io.shardwright.routing.BucketId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The entries of one index that is not unique, on any of its shards. Stateless. */
final class ListEntries {
  private final ListIndex index;
  private final TextTable table;
  private final List<Field> written;

  ListEntries(ListIndex index) {
    this.index = index;
    List<Field> key = new ArrayList<>();
    key.add(Field.integer("bucket_id"));
    key.add(Field.integer("row_bucket"));
    key.addAll(Field.numbered("p", index.primaryKey()));
    List<Field> values = new ArrayList<>(Field.numbered("v", index.columns()));
    values.addAll(
        Field.numbered(
            "c", index.covering().stream().map(ListIndex.CoveringColumn::column).toList()));
    values.add(Field.bool("live"));
    values.add(Field.integer("version"));
    this.table = new TextTable(index.product(), index.name().entryTable(), key, values);
    this.written = Stream.concat(key.stream(), values.stream()).toList();
  }

  /**
   * Writes entries where there is none or one of a smaller version. Again it changes nothing.
   *
   * @param entries each place once, in an order that all writers keep
   */
  void write(Connection connection, List<ListEntry> entries) throws SQLException {
    table.update(
        connection,
        "INSERT INTO "
            + table.quoted()
            + (index.product() == DatabaseProduct.POSTGRESQL ? " AS e (" : " (")
            + table.names(written)
            + ") VALUES "
            + table.parameters(written, entries.size())
            + onConflict(),
        to -> {
          for (ListEntry entry : entries) {
            table.addKeys(to, List.of(key(entry.place())));
            addValues(to, entry);
          }
        });
  }

  /** MariaDB makes assignments in order: the version, which they compare, comes last. */
  private String onConflict() {
    return switch (index.product()) {
      case POSTGRESQL ->
          table.values().stream()
              .map(field -> field.name() + " = EXCLUDED." + field.name())
              .collect(
                  Collectors.joining(
                      ", ",
                      " ON CONFLICT (" + table.names(table.key()) + ") DO UPDATE SET ",
                      ", written_at = now() WHERE e.version < EXCLUDED.version"));
      case MARIADB ->
          Stream.concat(
                  Stream.of("written_at = IF(VALUES(version) > version, NOW(6), written_at)"),
                  table.values().stream()
                      .map(
                          field ->
                              "%1$s = IF(VALUES(version) > version, VALUES(%1$s), %1$s)"
                                  .formatted(field.name())))
              .collect(Collectors.joining(", ", " ON DUPLICATE KEY UPDATE ", ""));
    };
  }

  /** Puts an entry right that is still of the version that it was seen with. */
  boolean correct(Connection connection, ListEntry entry) throws SQLException {
    return table.update(
            connection,
            "UPDATE "
                + table.quoted()
                + " SET "
                + table.values().stream()
                    .map(field -> field.name() + " = " + table.parameter(field))
                    .collect(Collectors.joining(", "))
                + " WHERE "
                + table.isKey()
                + " AND version = "
                + entry.version(),
            to -> {
              addValues(to, entry);
              table.addKeys(to, List.of(key(entry.place())));
            })
        == 1;
  }

  private void addValues(TextTable.Parameters to, ListEntry entry) throws SQLException {
    List<Object> values = new ArrayList<>(entry.values());
    values.add(entry.live() ? "1" : "0");
    values.add(entry.version());
    for (int i = 0; i < values.size(); i++) {
      to.add(values.get(i), table.values().get(i));
    }
  }

  /** Those that are there, tombstones too. */
  List<ListEntry> read(Connection connection, Collection<ListEntry.Place> places)
      throws SQLException {
    return table.rows(connection, places.stream().map(ListEntries::key).toList()).stream()
        .map(this::entry)
        .toList();
  }

  /** The live ones of a bucket behind one, in the order of the key. */
  List<ListEntry> page(Connection connection, BucketId bucket, Optional<ListEntry> after, int limit)
      throws SQLException {
    return table
        .page(
            connection,
            bucket.value(),
            after.map(entry -> key(entry.place())),
            " AND live = TRUE",
            limit)
        .stream()
        .map(this::entry)
        .toList();
  }

  /** Removes tombstones of a bucket that are a day old. */
  int purge(Connection connection, BucketId bucket) throws SQLException {
    String day =
        index.product() == DatabaseProduct.POSTGRESQL
            ? "now() - interval '24 hours'"
            : "NOW(6) - INTERVAL 24 HOUR";
    return table.update(
        connection,
        "DELETE FROM "
            + table.quoted()
            + " WHERE bucket_id = "
            + bucket.value()
            + " AND live = FALSE AND written_at < "
            + day,
        to -> {});
  }

  /** Of a row that is gone from a place. */
  ListEntry tombstone(ListEntry.Place place, long version) {
    return new ListEntry(place, Collections.nCopies(index.held().size(), null), version, false);
  }

  private ListEntry entry(TextTable.Row row) {
    int held = index.held().size();
    List<Object> key = row.key();
    return new ListEntry(
        new ListEntry.Place(
            bucket(key.get(0)), new RowId(bucket(key.get(1)), key.subList(2, key.size()))),
        row.values().subList(0, held),
        Long.parseLong((String) row.values().get(held + 1)),
        TextTable.isTrue(row.values().get(held)));
  }

  private static BucketId bucket(Object text) {
    return new BucketId(Integer.parseInt((String) text));
  }

  private static List<Object> key(ListEntry.Place place) {
    List<Object> key = new ArrayList<>();
    key.add(place.bucket().value());
    key.add(place.row().bucket().value());
    key.addAll(place.row().primaryKey());
    return key;
  }
}
