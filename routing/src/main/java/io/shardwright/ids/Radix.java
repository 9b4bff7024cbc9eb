package io.shardwright.ids;

import java.util.OptionalLong;

/**
 * Numbers from 0 to 2^63-1 as text, exactly one text per number: no leading zeros, no sign, one
 * case (base 62 uses both as different digits), no overflow.
 */
enum Radix {
  DECIMAL("0123456789"),
  BASE36("0123456789abcdefghijklmnopqrstuvwxyz"),
  BASE62("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

  private final String digits;

  Radix(String digits) {
    this.digits = digits;
  }

  boolean isDigit(char c) {
    return digits.indexOf(c) >= 0;
  }

  /**
   * @param value not negative
   */
  String format(long value) {
    return format(value, 1);
  }

  /** With leading zeros up to {@code width} digits; longer when it needs more. Unsigned. */
  String format(long value, int width) {
    StringBuilder text = new StringBuilder();
    for (long rest = value; rest != 0; rest = Long.divideUnsigned(rest, digits.length())) {
      text.append(digits.charAt((int) Long.remainderUnsigned(rest, digits.length())));
    }
    while (text.length() < width) {
      text.append(digits.charAt(0));
    }
    return text.reverse().toString();
  }

  /** Empty for every text that {@link #format(long)} does not make. */
  OptionalLong parse(CharSequence text) {
    boolean padded = text.length() > 1 && text.charAt(0) == digits.charAt(0);
    OptionalLong value = padded ? OptionalLong.empty() : parseUnsigned(text);
    return value.isPresent() && value.getAsLong() >= 0 ? value : OptionalLong.empty();
  }

  /** Leading zeros are taken, values up to 2^64-1 too; empty for other characters and overflow. */
  OptionalLong parseUnsigned(CharSequence text) {
    if (text.length() == 0) {
      return OptionalLong.empty();
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      long digit = digits.indexOf(text.charAt(i));
      if (digit < 0 || Long.compareUnsigned(value, max()) > 0) {
        return OptionalLong.empty();
      }
      long next = value * digits.length() + digit;
      if (Long.compareUnsigned(next, digit) < 0) {
        return OptionalLong.empty();
      }
      value = next;
    }
    return OptionalLong.of(value);
  }

  /** The largest value that can be multiplied by the base without overflow. */
  private long max() {
    return Long.divideUnsigned(-1L, digits.length());
  }
}
