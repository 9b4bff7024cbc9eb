package io.shardwright.schema;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Collects findings; the same one on several shards becomes one that names them. Thread-safe. */
final class Findings {
  /** A schema of nonsense on a thousand shards shall not exhaust the memory. */
  private static final int MAX = 10_000;

  private final Map<Key, Set<ShardId>> problems = new LinkedHashMap<>();
  private final Map<Key, Set<ShardId>> warnings = new LinkedHashMap<>();

  private record Key(ErrorCode code, Optional<String> table, String message, String action) {}

  /** Where a finding belongs: a shard, a table of it, or neither. */
  record Place(Optional<ShardId> shard, Optional<String> table) {
    static final Place EVERYWHERE = new Place(Optional.empty(), Optional.empty());

    static Place of(ShardId shard) {
      return new Place(Optional.of(shard), Optional.empty());
    }

    static Place of(ShardId shard, String table) {
      return new Place(Optional.of(shard), Optional.of(table));
    }

    static Place of(String table) {
      return new Place(Optional.empty(), Optional.of(table));
    }
  }

  synchronized void problem(ErrorCode code, Place place, String message, String action) {
    add(problems, new Key(code, place.table, message, action), place.shard);
  }

  void problem(Place place, String message, String action) {
    problem(ErrorCode.SCHEMA_INVALID, place, message, action);
  }

  /** An error whose message already says what to do. */
  void problem(Place place, ShardwrightException e) {
    String prefix = e.code().code() + ": ";
    String text = e.getMessage().substring(prefix.length());
    int end = text.lastIndexOf("; ");
    problem(
        e.code(),
        place,
        end < 0 ? text : text.substring(0, end),
        end < 0 ? "see docs/errors.md" : text.substring(end + 2));
  }

  synchronized void warning(Place place, String message, String action) {
    add(warnings, new Key(ErrorCode.SCHEMA_INVALID, place.table, message, action), place.shard);
  }

  synchronized List<Finding> problems() {
    return list(problems);
  }

  synchronized List<Finding> warnings() {
    return list(warnings);
  }

  private static void add(Map<Key, Set<ShardId>> to, Key key, Optional<ShardId> shard) {
    if (to.size() < MAX || to.containsKey(key)) {
      Set<ShardId> shards = to.computeIfAbsent(key, k -> new TreeSet<>());
      shard.ifPresent(shards::add);
    }
  }

  /** In one order however the shards' threads ran. */
  private static List<Finding> list(Map<Key, Set<ShardId>> from) {
    List<Finding> findings = new ArrayList<>();
    from.forEach(
        (key, shards) ->
            findings.add(
                new Finding(key.code, List.copyOf(shards), key.table, key.message, key.action)));
    findings.sort(
        Comparator.comparing(Finding::code)
            .thenComparing(finding -> finding.table().orElse(""))
            .thenComparing(Finding::message));
    return findings;
  }
}
