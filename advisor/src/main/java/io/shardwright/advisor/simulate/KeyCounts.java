package io.shardwright.advisor.simulate;

/**
 * Rows by key, keys told apart by their 64-bit hash: two of ten million keys share one with a
 * probability of about 3 in a million. Open addressing; at most {@value #KEYS_MAX} keys are counted
 * one by one (1 GiB), further ones are not looked at. Not thread-safe.
 */
final class KeyCounts {
  static final int KEYS_MAX = 1 << 25;

  /** Parts by the first bits of the hash: one part's slots stay in the cache while it is filled. */
  private static final int PART_BITS = 8;

  private final Part[] parts = new Part[1 << PART_BITS];
  private int size;
  private boolean full;

  /** The keys that begin alike. */
  private static final class Part {
    /** Hash and rows of each slot in turn; 0 rows where no key is. */
    private long[] slots = new long[2 * 64];

    private int size;

    void grow() {
      long[] larger = new long[slots.length * 2];
      for (int i = 0; i < slots.length; i += 2) {
        if (slots[i + 1] != 0) {
          int slot = slot(larger, slots[i]);
          larger[slot] = slots[i];
          larger[slot + 1] = slots[i + 1];
        }
      }
      slots = larger;
    }

    static int slot(long[] slots, long hash) {
      int mask = slots.length / 2 - 1;
      int slot = (int) ((hash * 0x9E3779B97F4A7C15L) >>> 32) & mask;
      while (slots[2 * slot + 1] != 0 && slots[2 * slot] != hash) {
        slot = (slot + 1) & mask;
      }
      return 2 * slot;
    }
  }

  KeyCounts() {
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part();
    }
  }

  /**
   * Puts the numbers of hashes in an order that {@link #add} likes best.
   *
   * @param order at least {@code size} long, is overwritten
   */
  static void order(long[] hashes, int size, int[] order) {
    int[] starts = new int[(1 << PART_BITS) + 1];
    for (int i = 0; i < size; i++) {
      starts[part(hashes[i]) + 1]++;
    }
    for (int part = 0; part < 1 << PART_BITS; part++) {
      starts[part + 1] += starts[part];
    }
    for (int i = 0; i < size; i++) {
      order[starts[part(hashes[i])]++] = i;
    }
  }

  private static int part(long hash) {
    return (int) (hash >>> (Long.SIZE - PART_BITS));
  }

  /**
   * @return the rows of the key so far; 0 when it is not counted
   */
  long add(long hash, long more) {
    Part part = parts[part(hash)];
    int slot = Part.slot(part.slots, hash);
    if (part.slots[slot + 1] == 0) {
      if (size >= KEYS_MAX) {
        full = true;
        return 0;
      }
      if (part.size >= part.slots.length / 8 * 3) {
        part.grow();
        slot = Part.slot(part.slots, hash);
      }
      part.slots[slot] = hash;
      part.size++;
      size++;
    }
    part.slots[slot + 1] += more;
    return part.slots[slot + 1];
  }

  int size() {
    return size;
  }

  /** True when keys were left out. */
  boolean isFull() {
    return full;
  }
}
