package io.shardwright.routing;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** A {@link Directory} of keys of known types. Immutable. */
public final class ReservedBuckets {
  public static final ReservedBuckets NONE = new ReservedBuckets(List.of(), Directory.EMPTY);

  /** A giant is somebody: a tenant, a buyer, a code. Days and bytes are not named so. */
  private static final Set<KeyType> NAMEABLE =
      EnumSet.of(KeyType.INTEGER, KeyType.TEXT, KeyType.UUID);

  private final List<KeyType> types;
  private final Directory directory;

  /** By canonical values. */
  private final Map<List<Object>, Directory.Entry> entries = new HashMap<>();

  /** First values: most keys are of no entry, and are through after one look. */
  private final Set<Object> firsts = new HashSet<>();

  /** Numbers of columns, descending. */
  private final List<Integer> lengths;

  private ReservedBuckets(List<KeyType> types, Directory directory) {
    this.types = List.copyOf(types);
    this.directory = directory;
    SortedSet<Integer> descending = new TreeSet<>((a, b) -> b - a);
    for (Directory.Entry entry : directory.entries()) {
      List<Object> key = canonical(entry);
      if (entries.put(key, entry) != null) {
        throw invalid(entry, "names the key of another entry; write it once");
      }
      firsts.add(key.get(0));
      descending.add(key.size());
    }
    this.lengths = List.copyOf(descending);
  }

  /**
   * @param types of the key's columns, in key order
   * @throws ShardwrightException SW101 when a value is not of its column's type, when columns of
   *     the type cannot be named, when an entry has more columns than the key, a whole key more
   *     than one bucket, or a key two entries
   */
  public static ReservedBuckets of(List<KeyType> types, Directory directory) {
    return directory.isEmpty() ? NONE : new ReservedBuckets(types, directory);
  }

  private List<Object> canonical(Directory.Entry entry) {
    if (entry.key().size() > types.size()) {
      throw invalid(
          entry, "names " + entry.key().size() + " columns; the route key has " + types.size());
    }
    if (entry.key().size() == types.size() && entry.count() != 1) {
      throw invalid(entry, "is of a whole key, which has one bucket; reserve one");
    }
    List<Object> key = new ArrayList<>();
    for (int i = 0; i < entry.key().size(); i++) {
      KeyType type = types.get(i);
      if (!NAMEABLE.contains(type)) {
        throw invalid(
            entry,
            "names a column of type " + type + "; only " + NAMEABLE + " can be in a directory");
      }
      key.add(value(entry, type, entry.key().get(i)));
    }
    return key;
  }

  private static Object value(Directory.Entry entry, KeyType type, String text) {
    Optional<Object> value;
    try {
      value = type.canonical(text);
    } catch (ShardwrightException e) {
      value = Optional.empty();
    }
    return value.orElseThrow(
        () -> invalid(entry, "names a value that no column of type " + type + " can have"));
  }

  private static ShardwrightException invalid(Directory.Entry entry, String what) {
    return new ShardwrightException(ErrorCode.CONFIGURATION_INVALID, entry + " " + what);
  }

  public Directory directory() {
    return directory;
  }

  public boolean isEmpty() {
    return lengths.isEmpty();
  }

  /**
   * The entry that a key belongs to.
   *
   * @param values one per key column, of which {@link KeyType#canonical} has a form
   */
  Optional<Directory.Entry> entryOf(List<?> values) {
    if (isEmpty() || !firsts.contains(canonical(values, 0))) {
      return Optional.empty();
    }
    List<Object> key = new ArrayList<>();
    for (int i = 0; i < lengths.get(0); i++) {
      key.add(canonical(values, i));
    }
    for (int length : lengths) {
      Directory.Entry entry = entries.get(key.subList(0, length));
      if (entry != null) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  private Object canonical(List<?> values, int column) {
    return types.get(column).canonical(values.get(column)).orElseThrow();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReservedBuckets that
        && types.equals(that.types)
        && directory.equals(that.directory);
  }

  @Override
  public int hashCode() {
    return Objects.hash(types, directory);
  }
}
