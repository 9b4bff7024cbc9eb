package io.shardwright.catalog;

import io.shardwright.config.IndexKind.Covering;
import io.shardwright.config.IndexKind.Listing;
import io.shardwright.config.IndexKind.Spread;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the catalog records of a lookup index that is not unique, beside what it records of all.
 * Fixed for the life of the index, but for the giants, which are counted when it is created.
 *
 * @param shardBy how many of its columns decide the bucket
 * @param spread buckets of a giant; 1: there are none
 * @param giants hashes of their shard_by values, all 64 bits, in ascending order
 */
public record ListRecord(
    int shardBy, Map<String, Covering> covering, int spread, List<Long> giants) {
  private static final int HEX = 16;

  public ListRecord {
    covering = Collections.unmodifiableMap(new LinkedHashMap<>(covering));
    giants = giants.stream().distinct().sorted().toList();
  }

  /** As the file declares it, before giants are counted. */
  public static ListRecord of(Listing listing) {
    return new ListRecord(
        listing.shardBy(),
        listing.covering(),
        listing.spread().map(Spread::buckets).orElse(1),
        List.of());
  }

  public ListRecord withGiants(List<Long> counted) {
    return new ListRecord(shardBy, covering, spread, counted);
  }

  /** Whether exactly these values are its giants. */
  boolean isOf(BucketFunction function, List<List<String>> values) {
    try {
      return giants.equals(
          values.stream()
              .flatMapToLong(value -> function.hash(value).stream())
              .distinct()
              .sorted()
              .boxed()
              .toList());
    } catch (ShardwrightException e) {
      // One is not of its column's type, and was not on record.
      return false;
    }
  }

  /** {@code status:stale-ok,amount:check}. */
  String storedCovering() {
    return covering.entrySet().stream()
        .map(column -> column.getKey() + ":" + column.getValue().written())
        .collect(Collectors.joining(","));
  }

  /** 16 hexadecimal digits each. */
  String storedGiants() {
    return giants.stream()
        .map(hash -> String.format("%016x", hash))
        .collect(Collectors.joining(","));
  }

  static ListRecord ofStored(int shardBy, String covering, int spread, String giants) {
    Map<String, Covering> columns = new LinkedHashMap<>();
    for (String column : parts(covering)) {
      int colon = column.indexOf(':');
      columns.put(
          column.substring(0, colon),
          Covering.ofWritten(column.substring(colon + 1)).orElseThrow());
    }
    return new ListRecord(
        shardBy,
        columns,
        spread,
        parts(giants).stream().map(hash -> Long.parseUnsignedLong(hash, HEX)).toList());
  }

  private static List<String> parts(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1));
  }

  /** What of the file differs; empty: nothing that is fixed. */
  Optional<String> difference(Listing file, List<String> columns) {
    if (file.shardBy() != shardBy) {
      return Optional.of("shard_by: " + columns.subList(0, shardBy));
    }
    if (!file.covering().equals(covering)) {
      return Optional.of("covering: {" + storedCovering().replace(":", ": ") + "}");
    }
    return ListRecord.of(file).spread == spread
        ? Optional.empty()
        : Optional.of(spread == 1 ? "no spread" : "spread: {giants: " + spread + "}");
  }
}
