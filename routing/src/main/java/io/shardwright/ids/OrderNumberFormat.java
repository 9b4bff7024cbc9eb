package io.shardwright.ids;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Order numbers that people read and type, and that name their bucket:
 *
 * <pre>prefix | version 1 | yyMMddHHmmss, UTC | gene | node 2 | sequence 4 | check digit</pre>
 *
 * All but the prefix are decimal digits; the gene is as wide as V-1. The check digit (Damm) finds
 * each wrong digit and each two neighbours swapped. Contract version 1 (docs/ids.md,
 * docs/vectors/order-number-v1.tsv).
 *
 * @param prefix up to 8 letters A-Z, may be empty
 * @param buckets V of the group
 */
public record OrderNumberFormat(String prefix, int buckets) {
  static final Instant EPOCH = Instant.parse("2025-01-01T00:00:00Z");
  static final Instant LAST = Instant.parse("2099-12-31T23:59:59Z");
  public static final int NODES = 64;

  static final int SEQUENCES = 10_000;
  static final int VERSIONS = 10;

  private static final Pattern PREFIX = Pattern.compile("[A-Z]{0,8}");
  private static final int CENTURY = 2000;
  private static final int TIME_DIGITS = 12;
  private static final int NODE_DIGITS = 2;
  private static final int SEQUENCE_DIGITS = 4;

  /** The quasigroup of H. M. Damm (2004): row is the digit so far, column the next digit. */
  private static final String[] DAMM = {
    "0317598642", "7092154863", "4206871359", "1750983426", "6123045978",
    "3674209581", "5869720134", "8945362017", "9438617205", "2581436790"
  };

  /**
   * @throws ShardwrightException SW101 when prefix or V is not possible
   */
  public OrderNumberFormat {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new ShardwrightException(
          ErrorCode.CONFIGURATION_INVALID,
          "'" + prefix + "' is no prefix of order numbers: use up to 8 letters A-Z");
    }
    if (buckets < 1 || buckets > BucketFunction.MAX_BUCKETS) {
      throw new IllegalArgumentException("buckets must be 1 to 65536: " + buckets);
    }
  }

  /**
   * @throws IllegalArgumentException when a field is outside its range
   */
  public String text(OrderNumber number) {
    String problem = problem(number);
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException(problem);
    }
    LocalDateTime time = LocalDateTime.ofInstant(number.createdAt(), ZoneOffset.UTC);
    String digits =
        digits(number.version(), 1)
            + digits(time.getYear() - CENTURY, 2)
            + digits(time.getMonthValue(), 2)
            + digits(time.getDayOfMonth(), 2)
            + digits(time.getHour(), 2)
            + digits(time.getMinute(), 2)
            + digits(time.getSecond(), 2)
            + digits(number.gene().value(), geneDigits())
            + digits(number.node(), NODE_DIGITS)
            + digits(number.sequence(), SEQUENCE_DIGITS);
    return prefix + digits + damm(digits);
  }

  /** Empty for every text that {@link #text} does not make. */
  public Optional<OrderNumber> parse(String text) {
    if (text.length() != length() || !text.startsWith(prefix)) {
      return Optional.empty();
    }
    String digits = text.substring(prefix.length());
    if (!digits.chars().allMatch(c -> c >= '0' && c <= '9') || damm(digits) != 0) {
      return Optional.empty();
    }
    int gene = 1 + TIME_DIGITS;
    int node = gene + geneDigits();
    int sequence = node + NODE_DIGITS;
    try {
      OrderNumber number =
          new OrderNumber(
              value(digits, 0, 1),
              LocalDateTime.of(
                      CENTURY + value(digits, 1, 3),
                      value(digits, 3, 5),
                      value(digits, 5, 7),
                      value(digits, 7, 9),
                      value(digits, 9, 11),
                      value(digits, 11, gene))
                  .toInstant(ZoneOffset.UTC),
              new BucketId(value(digits, gene, node)),
              value(digits, node, sequence),
              value(digits, sequence, sequence + SEQUENCE_DIGITS));
      return problem(number).isEmpty() ? Optional.of(number) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /**
   * A number that a generator of this group can have issued by now.
   *
   * @param version the group's generation
   * @throws ShardwrightException SW305 for any other text
   */
  public OrderNumber parse(String text, int version, InstantSource clock) {
    OrderNumber number =
        parse(text)
            .orElseThrow(
                () ->
                    GeneId.malformed(
                        text,
                        "is no order number: these have "
                            + length()
                            + " characters, the prefix '"
                            + prefix
                            + "', a time, a bucket below "
                            + buckets
                            + " and a check digit"));
    if (number.version() != version) {
      throw GeneId.malformed(
          text, "is of generation " + number.version() + ", the group's generation is " + version);
    }
    GeneId.checkNotAhead(text, number.createdAt(), clock);
    return number;
  }

  private int length() {
    return prefix.length() + 1 + TIME_DIGITS + geneDigits() + NODE_DIGITS + SEQUENCE_DIGITS + 1;
  }

  private int geneDigits() {
    return Integer.toString(buckets - 1).length();
  }

  private String problem(OrderNumber number) {
    if (number.version() < 0 || number.version() >= VERSIONS) {
      return "version " + number.version() + " is outside 0 to 9";
    }
    if (number.createdAt().isBefore(EPOCH)
        || number.createdAt().isAfter(LAST)
        || !number.createdAt().equals(number.createdAt().truncatedTo(ChronoUnit.SECONDS))) {
      return "time " + number.createdAt() + " is no whole second from " + EPOCH + " to " + LAST;
    }
    if (number.gene().value() >= buckets) {
      return "bucket " + number.gene() + " is outside 0 to " + (buckets - 1);
    }
    if (number.node() < 0 || number.node() >= NODES) {
      return "node " + number.node() + " is outside 0 to " + (NODES - 1);
    }
    return number.sequence() < 0 || number.sequence() >= SEQUENCES
        ? "sequence " + number.sequence() + " is outside 0 to " + (SEQUENCES - 1)
        : "";
  }

  private static String digits(int value, int width) {
    return Radix.DECIMAL.format(value, width);
  }

  private static int value(String digits, int from, int to) {
    return Integer.parseInt(digits, from, to, 10);
  }

  /** The check digit of digits without one, and 0 of digits that end in theirs. */
  private static int damm(String digits) {
    int interim = 0;
    for (int i = 0; i < digits.length(); i++) {
      interim = DAMM[interim].charAt(digits.charAt(i) - '0') - '0';
    }
    return interim;
  }
}
