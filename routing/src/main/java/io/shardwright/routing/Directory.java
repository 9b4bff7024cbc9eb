package io.shardwright.routing;

import java.util.List;

/**
 * Keys of giants and the buckets that are reserved for them, beside the hashed ones: numbers from V
 * on. Persisted contract, version 1 (docs/routing-contract.md, Reserved buckets). It only ever
 * grows, at its end.
 *
 * @param entries in the order of their buckets, which follow each other without a gap
 */
public record Directory(List<Entry> entries) {
  public static final Directory EMPTY = new Directory(List.of());

  public Directory {
    entries = List.copyOf(entries);
    for (int i = 1; i < entries.size(); i++) {
      if (entries.get(i).first() != entries.get(i - 1).end()) {
        throw new IllegalArgumentException(
            entries.get(i) + " does not follow " + entries.get(i - 1));
      }
    }
  }

  /**
   * A key, or the first columns of keys. Of several entries that a key begins with, the longest
   * decides.
   *
   * @param key values as texts, in key order; not empty
   * @param first bucket, not below V
   * @param count of buckets: 1 for a whole key, which has one bucket as every key
   */
  public record Entry(List<String> key, int first, int count) {
    public Entry {
      key = List.copyOf(key);
      if (key.isEmpty() || first < 1 || count < 1) {
        throw new IllegalArgumentException("an entry of " + count + " buckets from " + first);
      }
    }

    /** Exclusive. */
    public int end() {
      return first + count;
    }

    public BucketSet buckets() {
      return BucketSet.between(first, end() - 1);
    }

    /** Without the key's values, which are not for every eye. */
    @Override
    public String toString() {
      return "the entry of buckets " + buckets();
    }
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** How many buckets there are beside the hashed ones. */
  public int reserved() {
    return isEmpty() ? 0 : entries.get(entries.size() - 1).end() - entries.get(0).first();
  }

  /** The entries whose buckets are below {@code end}. */
  public Directory upTo(int end) {
    return new Directory(entries.stream().filter(entry -> entry.end() <= end).toList());
  }

  /** Of two of which one grew out of the other. */
  public Directory longerOf(Directory other) {
    return other.entries.size() > entries.size() ? other : this;
  }

  /** Whether the other one is this one, or grew out of it. */
  public boolean isBeginningOf(Directory other) {
    return other.entries.size() >= entries.size()
        && other.entries.subList(0, entries.size()).equals(entries);
  }
}
