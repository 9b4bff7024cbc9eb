package io.shardwright.driver;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values by text, at most so many.
 *
 * <p>Problem: reads must cost one hash look-up, and texts that come once must not push out those
 * that return. Idea: second chance (clock). A hit marks its entry; when the cache is full the
 * oldest entry goes, unless it was marked since its last turn. Invariant: at most {@code max}
 * entries. A look-up takes no lock and allocates nothing; an insertion is O(1) amortised.
 * Thread-safe.
 */
final class BoundedCache<V> {
  private final int max;
  private final ConcurrentHashMap<String, Entry<V>> entries = new ConcurrentHashMap<>();
  private final ArrayDeque<Entry<V>> clock = new ArrayDeque<>();

  private static final class Entry<V> {
    private final String text;
    private final V value;
    private volatile boolean used;

    Entry(String text, V value) {
      this.text = text;
      this.value = value;
    }
  }

  BoundedCache(int max) {
    this.max = max;
  }

  /** Null when it is not there. */
  V get(String text) {
    Entry<V> entry = entries.get(text);
    if (entry == null) {
      return null;
    }
    if (!entry.used) {
      entry.used = true;
    }
    return entry.value;
  }

  /** The first value of a text stays. */
  void put(String text, V value) {
    synchronized (clock) {
      Entry<V> entry = new Entry<>(text, value);
      if (entries.putIfAbsent(text, entry) != null) {
        return;
      }
      while (clock.size() >= max) {
        Entry<V> oldest = clock.removeFirst();
        if (oldest.used) {
          oldest.used = false;
          clock.addLast(oldest);
        } else {
          entries.remove(oldest.text);
        }
      }
      clock.addLast(entry);
    }
  }

  int size() {
    return entries.size();
  }
}
