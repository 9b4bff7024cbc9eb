package io.shardwright.ids;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers whose text holds the values of columns, so that the text alone routes: {@code h2r_{base36
 * user_id}_{base36 id}}.
 *
 * <p>A pattern is literal text and fields {@code {encoding column}}. Encodings are {@code decimal},
 * {@code base36} (lower case) and {@code base62}; {@code decimal(6)} has exactly six digits, with
 * leading zeros, without a width there are none. Values are whole numbers from 0 to 2^63-1.
 *
 * <p>Strict both ways: each list of values has exactly one text and each text at most one list. A
 * pattern in which the end of a field cannot be told is refused. Immutable.
 */
public final class KeyCodec {
  /** Longer texts are not of any pattern. */
  public static final int TEXT_CHARS_MAX = 200;

  private static final Pattern FIELD =
      Pattern.compile("([a-z0-9]+)(?:\\(([0-9]{1,2})\\))? +([^\\s{}()]+)");
  private static final int WIDTH_MAX = 19;

  private final String pattern;
  private final List<Part> parts;
  private final List<String> columns;

  /** Literal text, or a field when {@code radix} is there. */
  private record Part(String text, Radix radix, int width) {
    boolean isField() {
      return radix != null;
    }

    boolean isVariable() {
      return isField() && width == 0;
    }
  }

  private KeyCodec(String pattern, List<Part> parts) {
    this.pattern = pattern;
    this.parts = List.copyOf(parts);
    this.columns = parts.stream().filter(Part::isField).map(Part::text).toList();
  }

  /**
   * @throws ShardwrightException SW101, whose detail names the place and what to write
   */
  public static KeyCodec of(String pattern) {
    return of(pattern, UnaryOperator.identity());
  }

  /**
   * @param folded column names as the database compares them
   */
  public static KeyCodec of(String pattern, UnaryOperator<String> folded) {
    List<Part> parts = new ArrayList<>();
    int at = 0;
    while (at < pattern.length()) {
      int open = pattern.indexOf('{', at);
      int end = open < 0 ? pattern.length() : open;
      if (end > at) {
        parts.add(literal(pattern, pattern.substring(at, end)));
      }
      if (open < 0) {
        break;
      }
      int close = pattern.indexOf('}', open);
      if (close < 0) {
        throw invalid(pattern, "has a { without }");
      }
      parts.add(field(pattern, pattern.substring(open + 1, close), folded));
      at = close + 1;
    }
    check(pattern, parts);
    return new KeyCodec(pattern, parts);
  }

  /** The fields' columns, in the order of the text. */
  public List<String> columns() {
    return columns;
  }

  /**
   * The columns' values, in the order of {@link #columns}; empty when the text is not of this
   * format. Such a text is the codec's text of these values and of no others.
   */
  public Optional<List<Long>> decode(String text) {
    if (text.length() > TEXT_CHARS_MAX) {
      return Optional.empty();
    }
    List<Long> values = new ArrayList<>(columns.size());
    int at = 0;
    for (Part part : parts) {
      int end = part.isField() ? end(text, at, part) : at + part.text.length();
      if (end > text.length()) {
        return Optional.empty();
      }
      if (!part.isField()) {
        if (!text.startsWith(part.text, at)) {
          return Optional.empty();
        }
      } else {
        OptionalLong value = value(part, text.substring(at, end));
        if (value.isEmpty()) {
          return Optional.empty();
        }
        values.add(value.getAsLong());
      }
      at = end;
    }
    return at == text.length() ? Optional.of(List.copyOf(values)) : Optional.empty();
  }

  /**
   * The values of some columns, in their order; empty when the text is not of this format.
   *
   * @param some each of {@link #columns}
   */
  public Optional<List<Object>> decode(String text, List<String> some) {
    return decode(text)
        .map(
            values ->
                some.stream().<Object>map(name -> values.get(columns.indexOf(name))).toList());
  }

  /**
   * @param values one per column, in the order of {@link #columns}
   * @throws ShardwrightException SW305 when a value is negative or does not fit its width
   */
  public String encode(List<Long> values) {
    if (values.size() != columns.size()) {
      throw new IllegalArgumentException(columns.size() + " values expected: " + values.size());
    }
    StringBuilder text = new StringBuilder();
    int next = 0;
    for (Part part : parts) {
      if (part.isField()) {
        text.append(text(part, values.get(next++)));
      } else {
        text.append(part.text);
      }
    }
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyCodec codec && codec.parts.equals(parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  /** The pattern. */
  @Override
  public String toString() {
    return pattern;
  }

  private static int end(String text, int from, Part field) {
    if (!field.isVariable()) {
      return from + field.width;
    }
    int end = from;
    while (end < text.length() && field.radix.isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static OptionalLong value(Part field, String digits) {
    if (field.isVariable()) {
      return field.radix.parse(digits);
    }
    OptionalLong value = field.radix.parseUnsigned(digits);
    return value.isPresent() && value.getAsLong() < 0 ? OptionalLong.empty() : value;
  }

  private static String text(Part field, long value) {
    String digits = value < 0 ? "" : field.radix.format(value, Math.max(1, field.width));
    if (value < 0 || (!field.isVariable() && digits.length() > field.width)) {
      throw new ShardwrightException(
          ErrorCode.ID_MALFORMED,
          "value "
              + value
              + " of "
              + field.text
              + (value < 0 ? " is negative" : " needs more than " + field.width + " digits"));
    }
    return digits;
  }

  private static Part literal(String pattern, String text) {
    if (text.indexOf('}') >= 0) {
      throw invalid(pattern, "has a } without {");
    }
    return new Part(text, null, 0);
  }

  private static Part field(String pattern, String text, UnaryOperator<String> folded) {
    Matcher field = FIELD.matcher(text);
    if (!field.matches()) {
      throw invalid(pattern, "has {" + text + "}: write {encoding column}, e.g. {base36 user_id}");
    }
    Radix radix =
        switch (field.group(1)) {
          case "decimal" -> Radix.DECIMAL;
          case "base36" -> Radix.BASE36;
          case "base62" -> Radix.BASE62;
          default ->
              throw invalid(
                  pattern, "has encoding '" + field.group(1) + "': use decimal, base36 or base62");
        };
    int width = field.group(2) == null ? 0 : Integer.parseInt(field.group(2));
    if (field.group(2) != null && (width < 1 || width > WIDTH_MAX)) {
      throw invalid(pattern, "has width " + width + ": use 1 to " + WIDTH_MAX);
    }
    return new Part(folded.apply(field.group(3)), radix, width);
  }

  private static void check(String pattern, List<Part> parts) {
    Set<String> seen = new HashSet<>();
    for (Part part : parts) {
      if (part.isField() && !seen.add(part.text)) {
        throw invalid(pattern, "has column " + part.text + " twice: name it once");
      }
    }
    if (seen.isEmpty()) {
      throw invalid(pattern, "has no field: write e.g. h2r_{base36 user_id}_{base36 id}");
    }
    for (int i = 0; i + 1 < parts.size(); i++) {
      Part part = parts.get(i);
      Part next = parts.get(i + 1);
      if (part.isVariable() && (next.isField() || part.radix.isDigit(next.text.charAt(0)))) {
        throw invalid(
            pattern,
            "does not tell where "
                + part.text
                + " ends: put a character after it that is none of its digits, or give it a width");
      }
    }
  }

  private static ShardwrightException invalid(String pattern, String why) {
    return new ShardwrightException(
        ErrorCode.CONFIGURATION_INVALID, "pattern '" + pattern + "' " + why);
  }
}
