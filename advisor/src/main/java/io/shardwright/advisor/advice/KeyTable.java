package io.shardwright.advisor.advice;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts by key, a key being one text or several. The bytes of all keys lie in one array, since an
 * object for each would cost three times the memory: about 40 bytes and the text for each key. Open
 * addressing, at most half full. Keys are numbered in the order in which they came. Not
 * thread-safe.
 */
final class KeyTable {
  private static final int BITS_MIN = 5;

  private final int keysMax;
  private final int bytesMax;
  private final int width;

  /** The hash of a key in the upper half, its number and 1 in the lower; 0 where none is. */
  private long[] slots = new long[1 << BITS_MIN];

  private int[] ends = new int[1 << (BITS_MIN - 1)];
  private long[] counts = new long[1 << (BITS_MIN - 1)];
  private byte[] bytes = new byte[256];
  private int size;

  /** The key that is looked for, behind those that are held. */
  private int end;

  /**
   * @param width texts of each key
   * @param bytesMax of all keys
   */
  KeyTable(int width, int keysMax, int bytesMax) {
    this.width = width;
    this.keysMax = keysMax;
    this.bytesMax = bytesMax;
  }

  int size() {
    return size;
  }

  int width() {
    return width;
  }

  long count(int number) {
    return counts[number];
  }

  List<String> key(int number) {
    List<String> key = new ArrayList<>(width);
    int at = start(number);
    for (int i = 0; i < width; i++) {
      int length = 0;
      for (int n = 0; n < Integer.BYTES; n++) {
        length = length << 8 | (bytes[at++] & 0xff);
      }
      key.add(new String(bytes, at, length, StandardCharsets.UTF_8));
      at += length;
    }
    return key;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  /**
   * @return false for a further key when there are as many as there may be; it is not counted
   */
  boolean add(List<String> key, long times) {
    encode(key);
    int start = start(size);
    int hash = hash(start, end);
    int slot = slot(start, end, hash);
    if (slots[slot] == 0) {
      if (size >= keysMax || end > bytesMax) {
        return false;
      }
      if (size == counts.length) {
        grow();
        slot = slot(start, end, hash);
      }
      ends[size] = end;
      size++;
      slots[slot] = (long) hash << Integer.SIZE | size;
    }
    counts[(int) slots[slot] - 1] += times;
    return true;
  }

  private void grow() {
    int larger = counts.length * 2;
    ends = Arrays.copyOf(ends, larger);
    counts = Arrays.copyOf(counts, larger);
    long[] before = slots;
    slots = new long[larger * 2];
    for (long held : before) {
      if (held != 0) {
        int slot = (int) (held >>> Integer.SIZE) & (slots.length - 1);
        while (slots[slot] != 0) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = held;
      }
    }
  }

  private int slot(int from, int to, int hash) {
    int slot = hash & (slots.length - 1);
    while (slots[slot] != 0 && !isKey(slots[slot], from, to, hash)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private boolean isKey(long held, int from, int to, int hash) {
    int number = (int) held - 1;
    return (int) (held >>> Integer.SIZE) == hash
        && Arrays.equals(bytes, start(number), ends[number], bytes, from, to);
  }

  private int hash(int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + bytes[i];
    }
    // Numbers that follow each other would lie side by side.
    hash *= 0x9E3779B9;
    return hash ^ hash >>> 15;
  }

  /** The length of each text before it, so that ("a", "bc") is not ("ab", "c"). */
  private void encode(List<String> key) {
    end = start(size);
    for (int i = 0; i < width; i++) {
      String text = key.get(i);
      int length = text.length();
      reserve(Integer.BYTES + length);
      int at = end + Integer.BYTES;
      int n = 0;
      while (n < length && text.charAt(n) < 0x80) {
        bytes[at + n] = (byte) text.charAt(n);
        n++;
      }
      if (n < length) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        length = encoded.length;
        reserve(Integer.BYTES + length);
        System.arraycopy(encoded, 0, bytes, at, length);
      }
      for (int b = 0; b < Integer.BYTES; b++) {
        bytes[end++] = (byte) (length >>> (24 - 8 * b));
      }
      end += length;
    }
  }

  private void reserve(int more) {
    if (end + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end + more, bytes.length * 2));
    }
  }
}
