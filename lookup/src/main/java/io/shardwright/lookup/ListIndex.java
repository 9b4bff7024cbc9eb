package io.shardwright.lookup;

import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.ListRecord;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.IndexKind.Covering;
import io.shardwright.config.IndexKind.Freshness;
import io.shardwright.config.IndexKind.Listing;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.LookupIndex;
import io.shardwright.schema.ShardSchema.Column;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A lookup index of a table, of values that many rows have.
 *
 * @param columns that are indexed, in index order; the first of them, as many as {@code function}
 *     has types, decide the bucket of an entry
 * @param covering further columns that entries hold
 * @param primaryKey of the table, without bucket_id
 * @param freshness what statements find unless they say otherwise
 * @param product of the shards
 * @param function from the values of the first columns to a bucket in the index's own map
 */
public record ListIndex(
    IndexName name,
    String table,
    List<ListColumn> columns,
    List<CoveringColumn> covering,
    List<ListColumn> primaryKey,
    Freshness freshness,
    DatabaseProduct product,
    BucketFunction function,
    Spread spread) {
  public ListIndex {
    columns = List.copyOf(columns);
    covering = List.copyOf(covering);
    primaryKey = List.copyOf(primaryKey);
  }

  /**
   * A column of an entry.
   *
   * @param name the table's
   * @param type as declared
   * @param typeName without length
   * @param keyType how it would be hashed; empty when it cannot
   */
  public record ListColumn(String name, String type, String typeName, Optional<KeyType> keyType) {
    static ListColumn of(Column column) {
      return new ListColumn(column.name(), column.type(), column.typeName(), column.keyType());
    }
  }

  /** A column that is held beside the indexed ones. */
  public record CoveringColumn(ListColumn column, Covering covering) {}

  /**
   * An index as it was found on a shard.
   *
   * @param recorded the same, as the catalog has it
   */
  public static ListIndex of(LookupIndex found, CatalogIndex recorded, DatabaseProduct product) {
    ListRecord list = recorded.list().orElseThrow();
    Listing listing = (Listing) found.kind();
    return new ListIndex(
        found.name(),
        found.table().name(),
        found.columns().stream().map(ListColumn::of).toList(),
        found.covering().stream()
            .map(
                column ->
                    new CoveringColumn(ListColumn.of(column), list.covering().get(column.name())))
            .toList(),
        found.primaryKey().stream().map(ListColumn::of).toList(),
        listing.freshness(),
        product,
        found.function(),
        Spread.of(list, found.function().buckets()));
  }

  /** Those that decide the bucket of an entry. */
  public List<ListColumn> shardBy() {
    return columns.subList(0, function.types().size());
  }

  /** Whose values an entry holds: indexed, then covering ones. */
  List<ListColumn> held() {
    return Stream.concat(columns.stream(), covering.stream().map(CoveringColumn::column)).toList();
  }

  /**
   * Where the entry of a row is; empty when it has none.
   *
   * @param values as texts, those of the {@link #shardBy} columns first
   * @throws ShardwrightException SW302 when a value cannot be hashed
   */
  Optional<ListEntry.Place> place(RowId row, List<Object> values) {
    List<Object> hashed = values.subList(0, function.types().size());
    OptionalLong hash = hashed.contains(null) ? OptionalLong.empty() : hash(hashed);
    return hash.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ListEntry.Place(
                spread.isGiant(hash.getAsLong())
                    ? spread.bucket(hash.getAsLong(), rowHash(row))
                    : spread.buckets(hash.getAsLong()).get(0),
                row));
  }

  private OptionalLong hash(List<Object> hashed) {
    try {
      return function.hash(hashed);
    } catch (ShardwrightException e) {
      throw new ShardwrightException(
          e.code(),
          "a row of table "
              + table
              + " cannot be in the lookup index "
              + name.placement()
              + " ("
              + shardBy().stream().map(ListColumn::name).collect(Collectors.joining(", "))
              + "): "
              + e.detail(),
          e);
    }
  }

  /** Persisted: docs/catalog-format.md. */
  private static long rowHash(RowId row) {
    List<String> texts =
        Stream.concat(Stream.of(row.bucket().value()), row.primaryKey().stream())
            .limit(BucketFunction.MAX_COLUMNS)
            .map(part -> part instanceof byte[] b ? HexFormat.of().formatHex(b) : part.toString())
            .toList();
    List<KeyType> types = Collections.nCopies(texts.size(), KeyType.TEXT);
    return new BucketFunction(types, HashAlgorithm.XXH64, 1).hash(texts).getAsLong();
  }

  /** The view of its entries, on each of its shards. */
  public String view() {
    return name.listView();
  }

  /**
   * Where the entries of a value are.
   *
   * @param values of the {@link #shardBy} columns
   * @return one bucket, or several of a giant, in no order; none when no stored row can have them
   * @throws io.shardwright.errors.ShardwrightException SW302 when a value is not of its column's
   *     type
   */
  public List<BucketId> buckets(List<?> values) {
    OptionalLong hash = function.hash(values);
    return hash.isPresent() ? spread.buckets(hash.getAsLong()) : List.of();
  }
}
