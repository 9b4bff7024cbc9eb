package io.shardwright.driver;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * PostgreSQL's numeric division, so that an average over shards has the digits that one database
 * would give. Follows {@code select_div_scale} and {@code div_var} of the server's numeric.c: the
 * result has at least 16 significant digits, counted in groups of four decimal digits, at least the
 * scale of either operand, at most 1000 decimals, and is rounded half away from zero.
 */
final class NumericAverage {
  private static final int MIN_SIGNIFICANT_DIGITS = 16;
  private static final int GROUP_DIGITS = 4;
  private static final int MAX_SCALE = 1000;

  private NumericAverage() {}

  static BigDecimal divide(BigDecimal sum, BigDecimal count) {
    return sum.divide(count, scale(sum, count), RoundingMode.HALF_UP);
  }

  private static int scale(BigDecimal dividend, BigDecimal divisor) {
    int quotientWeight = weight(dividend) - weight(divisor);
    // With equal first groups the quotient may be below one: the server assumes that it is.
    if (firstGroup(dividend) <= firstGroup(divisor)) {
      quotientWeight--;
    }
    int scale = MIN_SIGNIFICANT_DIGITS - quotientWeight * GROUP_DIGITS;
    scale = Math.max(scale, Math.max(dividend.scale(), divisor.scale()));
    return Math.min(Math.max(scale, 0), MAX_SCALE);
  }

  /** The power of 10000 of the first group that is not zero; 0 for zero. */
  private static int weight(BigDecimal value) {
    return value.signum() == 0 ? 0 : Math.floorDiv(exponent(value), GROUP_DIGITS);
  }

  /** That group, 1 to 9999; 0 for zero. */
  private static int firstGroup(BigDecimal value) {
    if (value.signum() == 0) {
      return 0;
    }
    int digits = exponent(value) - weight(value) * GROUP_DIGITS + 1;
    BigInteger unscaled = value.unscaledValue().abs();
    int shift = value.precision() - digits;
    BigInteger group =
        shift >= 0
            ? unscaled.divide(BigInteger.TEN.pow(shift))
            : unscaled.multiply(BigInteger.TEN.pow(-shift));
    return group.intValueExact();
  }

  /** The power of ten of the first digit. */
  private static int exponent(BigDecimal value) {
    return value.precision() - value.scale() - 1;
  }
}
