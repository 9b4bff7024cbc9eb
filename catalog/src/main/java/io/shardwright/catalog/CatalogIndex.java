package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Index;
import io.shardwright.config.IndexKind;
import io.shardwright.config.IndexKind.Listing;
import io.shardwright.config.IndexKind.Spread;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.KeyType;
import java.util.List;
import java.util.Optional;

/**
 * A lookup index as the catalog records it. Table and columns are fixed for its life.
 *
 * @param columns that are indexed; the first of them are hashed, in this order
 * @param list of an index that is not unique
 * @param version of the catalog's state that made its state; what the guard on the shards asks of
 *     those who write
 */
public record CatalogIndex(
    IndexName name,
    String table,
    List<String> columns,
    Optional<ListRecord> list,
    IndexState state,
    long version) {
  public CatalogIndex {
    columns = List.copyOf(columns);
  }

  /** A unique one. */
  public CatalogIndex(
      IndexName name, String table, List<String> columns, IndexState state, long version) {
    this(name, table, columns, Optional.empty(), state, version);
  }

  public CatalogIndex with(IndexState next) {
    return new CatalogIndex(name, table, columns, list, next, version);
  }

  CatalogIndex withVersion(long next) {
    return new CatalogIndex(name, table, columns, list, state, next);
  }

  /**
   * @param giants hashes of their values ({@link ListRecord#giants})
   */
  public CatalogIndex withGiants(List<Long> giants) {
    return new CatalogIndex(
        name, table, columns, list.map(record -> record.withGiants(giants)), state, version);
  }

  /** Those that decide the bucket of an entry. */
  List<String> shardBy() {
    return columns.subList(0, list.map(ListRecord::shardBy).orElse(columns.size()));
  }

  /**
   * A file that leaves out an index which nothing maintains is fine. One that leaves out another is
   * not: its process would pass the guard and write rows without entries.
   *
   * @throws ShardwrightException SW416 when the file has it otherwise
   */
  void check(Configuration configuration) {
    Group group = configuration.groups().get(name.group());
    Index file = group == null ? null : group.indexes().get(name.index());
    if (file == null && state.isMaintained()) {
      throw mismatch(
          "is " + state.stored() + " in the catalog and the file lacks it",
          "put it back under groups." + name.group() + ".indexes, or drop it first");
    }
    if (file != null && !file.columns().equals(columns)) {
      throw mismatch(
          "has the columns " + columns + " in the catalog and " + file.columns() + " in the file",
          "write columns: " + columns + " in the file, or use a new name");
    }
    if (file != null && !file.table().orElse(table).equals(table)) {
      throw mismatch(
          "is one of table "
              + table
              + " in the catalog and of "
              + file.table().get()
              + " in the"
              + " file",
          "write table: " + table + " in the file, or use a new name");
    }
    if (file != null) {
      checkKind(file.kind());
    }
  }

  private void checkKind(IndexKind file) {
    if (list.isPresent() != file instanceof Listing) {
      throw mismatch(
          "is " + (list.isPresent() ? "not unique" : "unique") + " in the catalog",
          "write unique: " + list.isEmpty() + " in the file, or use a new name");
    }
    if (file instanceof Listing listing) {
      list.get()
          .difference(listing, columns)
          .ifPresent(
              recorded -> {
                throw mismatch(
                    "has " + recorded + " in the catalog and something else in the file",
                    "write it so, or use a new name");
              });
    }
  }

  /** Those of the file, once it is on record which values are spread. */
  List<List<String>> spreadValues(Configuration configuration) {
    Group group = configuration.groups().get(name.group());
    Index file = group == null ? null : group.indexes().get(name.index());
    return state.isMaintained() && file != null && file.kind() instanceof Listing listing
        ? listing.spread().map(Spread::values).orElse(List.of())
        : List.of();
  }

  /**
   * @param types of the columns that decide the bucket
   * @throws ShardwrightException SW416 when other values are on record
   */
  void checkSpread(Configuration configuration, List<KeyType> types, List<List<String>> values) {
    Group group = configuration.groups().get(name.group());
    BucketFunction function = new BucketFunction(types, group.hash(), group.buckets());
    if (!list.orElseThrow().isOf(function, values)) {
      throw mismatch(
          "has other values on record as giants than spread.values of the file says",
          "write those with which it was created, or leave spread.values out; to spread others,"
              + " drop the index and create it again");
    }
  }

  private ShardwrightException mismatch(String what, String instead) {
    return new ShardwrightException(
        ErrorCode.CATALOG_MISMATCH, "lookup index " + name + " " + what + "; " + instead);
  }
}
