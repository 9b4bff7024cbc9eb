package io.shardwright.bench.compare;

import java.util.Arrays;
import java.util.Locale;

/** Of a figure that was measured several times. */
record Spread(double least, double median, double most) {

  static Spread of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int count = sorted.length;
    return new Spread(
        sorted[0], (sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[count - 1]);
  }

  /** Three digits that say something. */
  static String number(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  @Override
  public String toString() {
    return number(median) + " (" + number(least) + " to " + number(most) + ")";
  }
}
