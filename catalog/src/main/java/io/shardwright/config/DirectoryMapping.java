package io.shardwright.config;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.Directory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code directory} of a group: keys with buckets of their own. */
final class DirectoryMapping {
  private static final String BUCKETS = "write one range of numbers, e.g. buckets: \"1024-1027\"";
  private static final String KEY =
      "write the values of the first key columns, e.g. key: [7], or of all of them";

  private DirectoryMapping() {}

  /**
   * @param group that may have a key {@code directory}
   * @param columns of the group's key; 0 when they are missing or wrong
   * @param buckets V; empty when it is missing or wrong
   */
  static Directory read(YamlMap group, int columns, OptionalInt buckets) {
    List<Directory.Entry> entries = new ArrayList<>();
    int next = buckets.orElse(0);
    for (YamlMap map : group.maps("directory")) {
      map.allow(List.of("key", "buckets"));
      Optional<List<String>> key = key(map, columns);
      Optional<BucketSet> reserved = buckets(map);
      if (key.isEmpty() || reserved.isEmpty() || buckets.isEmpty()) {
        continue;
      }
      BucketSet set = reserved.get();
      int first = set.iterator().next().value();
      if (first != next) {
        map.problem(
            "buckets",
            "is " + map.shown("buckets") + ", and the next reserved bucket is " + next,
            "number them from V = "
                + buckets.getAsInt()
                + " on without a gap, in the file's order");
      } else if (set.end() > BucketFunction.MAX_BUCKETS) {
        map.problem(
            "buckets",
            "is " + map.shown("buckets"),
            "stay below " + BucketFunction.MAX_BUCKETS + ", hashed and reserved ones together");
      } else if (key.get().size() == columns && set.size() > 1) {
        map.problem(
            "buckets",
            "are " + set.size() + " for a whole route key, whose rows are in one bucket",
            "reserve one, or leave the last column out of key:");
      } else if (first == buckets.getAsInt() + new Directory(entries).reserved()) {
        // Otherwise one before it is wrong, and the result does not count.
        entries.add(new Directory.Entry(key.get(), first, set.size()));
      }
      next = set.end();
    }
    return new Directory(entries);
  }

  private static Optional<List<String>> key(YamlMap map, int columns) {
    if (!map.has("key")) {
      map.problem("key", "is missing", KEY);
      return Optional.empty();
    }
    Optional<List<YamlMap.Text>> texts = map.texts("key");
    if (texts.isEmpty() || columns == 0) {
      return Optional.empty();
    }
    List<String> key = texts.get().stream().map(YamlMap.Text::value).toList();
    if (key.isEmpty() || key.size() > columns) {
      map.problem("key", "has " + key.size() + " values, and the route key has " + columns, KEY);
      return Optional.empty();
    }
    if (key.stream().anyMatch(value -> value.chars().anyMatch(c -> c < ' ' || c == '\\'))) {
      map.problem("key", "has a value with a backslash or control character", "use other keys");
      return Optional.empty();
    }
    return Optional.of(key);
  }

  private static Optional<BucketSet> buckets(YamlMap map) {
    Optional<String> text = map.requireText("buckets", BUCKETS);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      BucketSet some = BucketSet.parse(text.get());
      if (some.ranges().size() == 1) {
        return Optional.of(some);
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the problem: it is not of the form.
    }
    map.problem("buckets", "is " + map.shown("buckets"), BUCKETS);
    return Optional.empty();
  }
}
