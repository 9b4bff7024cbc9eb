package io.shardwright.driver;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values as the corpus writes them: parameters with their Java type, and ids that carry a gene. */
final class CorpusValues {
  private static final GeneIdLayout LAYOUT = GeneIdLayout.forBuckets(1024);
  private static final BucketFunction ORDERS =
      new BucketFunction(
          List.of(KeyType.INTEGER, KeyType.INTEGER), HashAlgorithm.XXH64, LAYOUT.buckets());
  private static final BucketFunction SAMPLES =
      new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, 64);

  /** {@code {id TENANT/BUYER/NUMBER}} and {@code {bucket TENANT/BUYER}}. */
  private static final Pattern PLACE =
      Pattern.compile("\\{(?:id|bucket) (-?\\d+)/(-?\\d+)(?:/(\\d+))?}");

  private static final Pattern PARAMETER =
      Pattern.compile("\\s*(?:'((?:[^']|'')*)'|(\\{[^}]*})|([a-z]+ )?([^',\\s][^,]*?))\\s*(?:,|$)");

  private CorpusValues() {}

  static int ordersBucket(long tenant, long buyer) {
    return ORDERS.bucket(List.of(tenant, buyer)).orElseThrow().value();
  }

  static int samplesBucket(long key) {
    return SAMPLES.bucket(List.of(key)).orElseThrow().value();
  }

  /** The text with the number in place of each {@link #PLACE}. */
  static String withIds(String text) {
    return PLACE.matcher(text).replaceAll(place -> Long.toString(number(place)));
  }

  private static long number(MatchResult place) {
    int bucket = ordersBucket(Long.parseLong(place.group(1)), Long.parseLong(place.group(2)));
    if (place.group(3) == null) {
      return bucket;
    }
    return (Long.parseLong(place.group(3)) << (LAYOUT.geneBits() + LAYOUT.geneShift()))
        | ((long) bucket << LAYOUT.geneShift());
  }

  /**
   * A list of {@code 'text'}, {@code 1} (Integer), {@code 1L}, {@code 1.50} (BigDecimal), {@code
   * null}, {@code true}, {@code {id 1/2/3}} (Long), or a type and its value: {@code short 1}.
   */
  static List<Object> parse(String list) {
    List<Object> values = new ArrayList<>();
    Matcher next = PARAMETER.matcher(list);
    int end = 0;
    while (end < list.length()) {
      if (!next.find(end) || next.start() != end) {
        throw new IllegalArgumentException("not a list of parameters: " + list);
      }
      values.add(value(next));
      end = next.end();
    }
    return values;
  }

  private static Object value(Matcher parameter) {
    if (parameter.group(1) != null) {
      return parameter.group(1).replace("''", "'");
    }
    if (parameter.group(2) != null) {
      return Long.valueOf(withIds(parameter.group(2)));
    }
    String type = parameter.group(3) == null ? "" : parameter.group(3).strip();
    return value(type, parameter.group(4));
  }

  private static Object value(String type, String text) {
    return switch (type) {
      case "" -> untyped(text);
      case "short" -> Short.valueOf(text);
      case "byte" -> Byte.valueOf(text);
      case "double" -> Double.valueOf(text);
      case "float" -> Float.valueOf(text);
      case "big" -> new BigInteger(text);
      case "uuid" -> UUID.fromString(text);
      case "date" -> LocalDate.parse(text);
      case "sqldate" -> Date.valueOf(text);
      case "local" -> LocalDateTime.parse(text);
      case "offset" -> OffsetDateTime.parse(text);
      case "timestamp" -> Timestamp.valueOf(text);
      default -> throw new IllegalArgumentException("no type is named '" + type + "'");
    };
  }

  private static Object untyped(String text) {
    if (text.equals("null")) {
      return NULL;
    }
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    if (text.endsWith("L")) {
      return Long.valueOf(text.substring(0, text.length() - 1));
    }
    return text.contains(".") ? new BigDecimal(text) : (Object) Integer.valueOf(text);
  }

  /** In lists of parameters, which hold no nulls. */
  static final Object NULL =
      new Object() {
        @Override
        public String toString() {
          return "null";
        }
      };
}
