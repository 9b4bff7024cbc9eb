package io.shardwright.routing;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Some buckets of one group, in ascending order. Immutable. Its text is that of ranges with both
 * ends included, e.g. {@code 0-127,400}; the empty text is the empty set.
 */
public final class BucketSet implements Iterable<BucketId> {
  public static final BucketSet EMPTY = new BucketSet(new BitSet());

  /** Above every V that a group can have. */
  private static final int BUCKET_MAX = 1 << 20;

  private final BitSet bits;

  /**
   * Neighbouring buckets.
   *
   * @param last inclusive
   */
  public record Range(int first, int last) {
    @Override
    public String toString() {
      return first == last ? Integer.toString(first) : first + "-" + last;
    }
  }

  /** {@code bits} is the set's own from here on. */
  private BucketSet(BitSet bits) {
    this.bits = bits;
  }

  public static BucketSet of(Collection<BucketId> buckets) {
    BitSet bits = new BitSet();
    buckets.forEach(bucket -> bits.set(bucket.value()));
    return new BucketSet(bits);
  }

  /** 0 to {@code count - 1}. */
  public static BucketSet first(int count) {
    BitSet bits = new BitSet(count);
    bits.set(0, count);
    return new BucketSet(bits);
  }

  /**
   * @param last inclusive
   */
  public static BucketSet between(int first, int last) {
    BitSet bits = new BitSet(last + 1);
    bits.set(first, last + 1);
    return new BucketSet(bits);
  }

  /**
   * @throws IllegalArgumentException with what is wrong: not of the form, or a number above a
   *     million
   */
  public static BucketSet parse(String text) {
    BitSet bits = new BitSet();
    if (text.isEmpty()) {
      return EMPTY;
    }
    for (String part : text.split(",", -1)) {
      String range = part.strip();
      int dash = range.indexOf('-');
      int first = number(dash < 0 ? range : range.substring(0, dash), text);
      int last = dash < 0 ? first : number(range.substring(dash + 1), text);
      if (last < first) {
        throw new IllegalArgumentException(
            "the range " + range + " of buckets ends before it begins");
      }
      bits.set(first, last + 1);
    }
    return new BucketSet(bits);
  }

  private static int number(String digits, String text) {
    try {
      int number = Integer.parseInt(digits.strip());
      if (number >= 0 && number <= BUCKET_MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "'" + digits + "' in '" + text + "' is no bucket; write ranges such as 0-127,400");
  }

  public boolean contains(BucketId bucket) {
    return bits.get(bucket.value());
  }

  public boolean containsAll(BucketSet other) {
    BitSet rest = (BitSet) other.bits.clone();
    rest.andNot(bits);
    return rest.isEmpty();
  }

  public boolean isEmpty() {
    return bits.isEmpty();
  }

  public int size() {
    return bits.cardinality();
  }

  /** The greatest number plus one; 0 when empty. */
  public int end() {
    return bits.length();
  }

  public BucketSet plus(BucketSet other) {
    BitSet all = (BitSet) bits.clone();
    all.or(other.bits);
    return new BucketSet(all);
  }

  public BucketSet minus(BucketSet other) {
    BitSet rest = (BitSet) bits.clone();
    rest.andNot(other.bits);
    return new BucketSet(rest);
  }

  public BucketSet and(BucketSet other) {
    BitSet both = (BitSet) bits.clone();
    both.and(other.bits);
    return new BucketSet(both);
  }

  /** As few as possible, in ascending order. */
  public List<Range> ranges() {
    List<Range> ranges = new ArrayList<>();
    int first = bits.nextSetBit(0);
    while (first >= 0) {
      int end = bits.nextClearBit(first);
      ranges.add(new Range(first, end - 1));
      first = bits.nextSetBit(end);
    }
    return ranges;
  }

  public List<BucketId> toList() {
    return bits.stream().mapToObj(BucketId::new).toList();
  }

  @Override
  public Iterator<BucketId> iterator() {
    return new Iterator<>() {
      private int next = bits.nextSetBit(0);

      @Override
      public boolean hasNext() {
        return next >= 0;
      }

      @Override
      public BucketId next() {
        if (next < 0) {
          throw new NoSuchElementException();
        }
        BucketId bucket = new BucketId(next);
        next = bits.nextSetBit(next + 1);
        return bucket;
      }
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BucketSet set && set.bits.equals(bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Range range : ranges()) {
      text.append(text.isEmpty() ? "" : ",").append(range);
    }
    return text.toString();
  }
}
