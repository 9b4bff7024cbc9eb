package io.shardwright.examples.orders;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * One invoice of the retail data, as it stands in the files.
 *
 * @param number six digits, with {@code C} before them on credits and {@code A} on adjustments
 * @param customer empty where the files name none
 * @param at of the first line; the files have no time zone, their times are read as UTC
 * @param lines at least one, in file order
 */
public record Invoice(
    String number, Kind kind, OptionalLong customer, String country, Instant at, List<Line> lines) {

  /** What the first character of the number says. */
  public enum Kind {
    SALE,
    CREDIT,
    ADJUSTMENT
  }

  /**
   * @param description may be empty
   * @param quantity below 0 on credits and on stock that was written off
   * @param unitPrice pounds, up to three decimals; below 0 on two adjustments
   */
  public record Line(String stockCode, String description, int quantity, BigDecimal unitPrice) {
    /** Exact. */
    public BigDecimal amount() {
      return unitPrice.multiply(BigDecimal.valueOf(quantity));
    }
  }

  public Invoice {
    lines = List.copyOf(lines);
  }

  /** Exact, in pounds; below 0 on credits. */
  public BigDecimal amount() {
    return lines.stream().map(Line::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
