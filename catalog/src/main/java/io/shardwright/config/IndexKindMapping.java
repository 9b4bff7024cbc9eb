package io.shardwright.config;

import io.shardwright.config.IndexKind.Covering;
import io.shardwright.config.IndexKind.Freshness;
import io.shardwright.config.IndexKind.Listing;
import io.shardwright.config.IndexKind.Spread;
import io.shardwright.config.IndexKind.Unique;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What kind of lookup index an entry of {@code indexes} declares. */
final class IndexKindMapping {
  private static final List<String> OF_ALL =
      List.of("table", "columns", "unique", "mode", "reconcile");
  private static final List<String> OF_LISTINGS =
      List.of("shard_by", "spread", "covering", "freshness");
  private static final String OF_UNIQUE = "cache";

  /** Columns of an entry beside the indexed ones. */
  private static final int COVERING_MAX = 16;

  private final YamlMap entry;
  private final List<String> columns;
  private final UnaryOperator<String> folded;

  /**
   * @param columns that are indexed
   * @param folded names of columns as the database compares them
   */
  IndexKindMapping(YamlMap entry, List<String> columns, UnaryOperator<String> folded) {
    this.entry = entry;
    this.columns = columns;
    this.folded = folded;
    List<String> known = new ArrayList<>(OF_ALL);
    known.addAll(OF_LISTINGS);
    known.add(OF_UNIQUE);
    entry.allow(known);
  }

  /**
   * @param buckets of the group; empty when they are missing or wrong
   */
  IndexKind read(OptionalInt buckets) {
    String unique = entry.text("unique").orElse("");
    if (!entry.has("unique")) {
      entry.problem(
          "unique",
          "is missing",
          "write unique: true, or unique: false when several rows may have one value");
    } else if (!List.of("true", "false").contains(unique)) {
      entry.problem("unique", "is " + entry.shown("unique"), "write true or false");
    }
    return unique.equals("false") ? listing(buckets) : unique();
  }

  private IndexKind unique() {
    checkMode("sync", "a unique index guards its values before each commit");
    for (String key : OF_LISTINGS) {
      if (entry.has(key) && entry.has("unique")) {
        entry.problem(key, "is for indexes with unique: false", "leave it out");
      }
    }
    return new Unique(CacheMapping.ofIndex(entry));
  }

  private IndexKind listing(OptionalInt buckets) {
    checkMode("async", "an index of values with many rows is kept behind the commits");
    if (entry.has(OF_UNIQUE)) {
      entry.problem(OF_UNIQUE, "is for indexes with unique: true", "leave it out");
    }
    int shardBy = shardBy();
    return new Listing(shardBy, spread(shardBy, buckets), covering(), freshness());
  }

  private void checkMode(String only, String why) {
    if (entry.has("mode") && !entry.text("mode").filter(only::equals).isPresent()) {
      entry.problem(
          "mode", "is " + entry.shown("mode") + ": " + why, "write " + only + " or leave it out");
    }
  }

  private int shardBy() {
    Optional<List<YamlMap.Text>> texts = entry.texts("shard_by");
    if (texts.isEmpty()) {
      return 1;
    }
    List<String> names = texts.get().stream().map(text -> folded.apply(text.value())).toList();
    if (names.isEmpty() || names.size() > columns.size()) {
      entry.problem("shard_by", "is " + names, "write the first column, or more, of columns");
      return 1;
    }
    if (!names.equals(columns.subList(0, names.size()))) {
      entry.problem(
          "shard_by",
          "is " + names + ", which are not the first of columns " + columns,
          "name the first ones, in their order");
      return 1;
    }
    return names.size();
  }

  private Optional<Spread> spread(int shardBy, OptionalInt buckets) {
    if (!entry.has("spread")) {
      return Optional.empty();
    }
    Optional<YamlMap> spread = entry.map("spread");
    if (spread.isEmpty()) {
      return Optional.empty();
    }
    YamlMap map = spread.get().allow(List.of("giants", "values"));
    int max = Math.min(Spread.BUCKETS_MAX, Math.max(2, buckets.orElse(Spread.BUCKETS_MAX)));
    OptionalInt giants = map.requireInteger("giants", 2, max);
    List<List<String>> values = map.has("values") ? map.textLists("values") : List.of();
    if (values.size() > Spread.VALUES_MAX) {
      map.problem("values", "has " + values.size() + " values", "use at most " + Spread.VALUES_MAX);
    }
    if (values.stream().anyMatch(value -> value.size() != shardBy)) {
      map.problem(
          "values",
          "has a value that is not of the columns " + columns.stream().limit(shardBy).toList(),
          "write a list with a value for each of them");
    }
    return giants.isPresent()
        ? Optional.of(new Spread(giants.getAsInt(), values))
        : Optional.empty();
  }

  private Map<String, Covering> covering() {
    Map<String, Covering> covering = new LinkedHashMap<>();
    Optional<YamlMap> declared = entry.has("covering") ? entry.map("covering") : Optional.empty();
    if (declared.isEmpty()) {
      return covering;
    }
    YamlMap map = declared.get();
    for (String written : map.names()) {
      String name = folded.apply(written);
      GroupMapping.nameMistake(name, "column").ifPresent(mistake -> map.problem(written, mistake));
      if (columns.contains(name)) {
        map.problem(written, "is an indexed column, which entries hold anyway", "leave it out");
      } else if (covering.containsKey(name)) {
        map.problem(written, "column " + name + " is there twice", "name it once");
      }
      covering.put(name, covering(map, written));
    }
    if (covering.size() > COVERING_MAX) {
      entry.problem(
          "covering", "has " + covering.size() + " columns", "use at most " + COVERING_MAX);
    }
    return covering;
  }

  private static Covering covering(YamlMap map, String column) {
    Optional<Covering> covering = map.text(column).flatMap(Covering::ofWritten);
    if (covering.isEmpty()) {
      map.problem(
          column,
          map.has(column) ? "is " + map.shown(column) : "is empty",
          "write " + alternatives(Covering.values(), Covering::written));
    }
    return covering.orElse(Covering.CHECK);
  }

  private Freshness freshness() {
    Optional<Freshness> freshness = entry.text("freshness").flatMap(Freshness::ofWritten);
    if (entry.has("freshness") && freshness.isEmpty()) {
      entry.problem(
          "freshness",
          "is " + entry.shown("freshness"),
          "write " + alternatives(Freshness.values(), Freshness::written));
    }
    return freshness.orElse(Freshness.LAGGING);
  }

  private static <T> String alternatives(T[] values, Function<T, String> written) {
    return Arrays.stream(values).map(written).collect(Collectors.joining(" or "));
  }
}
