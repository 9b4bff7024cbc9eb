package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.sql.Hints.Freshness;
import io.shardwright.sql.Hints.Partial;
import io.shardwright.sql.Hints.RouteHint;
import io.shardwright.sql.Hints.Target;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the hints of a statement's comments: {@code shardwright:}, then {@code name=value} with
 * commas between. A comment that begins with anything else is none of ours. What is not understood
 * is refused, since a hint that is passed over silently would mislead.
 */
final class HintReader {
  private static final List<String> NAMES =
      List.of("scatter", "timeout", "max_rows", "partial", "freshness", "key", "bucket", "group");
  private static final Pattern MARK =
      Pattern.compile("\\s*shardwright\\s*:(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*=\\s*");
  private static final Pattern VALUE =
      Pattern.compile("\\((?:[^()']|'(?:[^']|'')*')*\\)|'(?:[^']|'')*'|[^,()'\\s]+");
  private static final Pattern ITEM =
      Pattern.compile("\\s*('(?:[^']|'')*'|[-+]?[\\w.+-]+)\\s*(,|$)");

  private final Map<String, String> values = new LinkedHashMap<>();

  private HintReader() {}

  /**
   * @param comments without their marks
   * @throws ShardwrightException SW215 for a name that is unknown or there twice, or a bad value
   */
  static Hints read(List<String> comments) {
    HintReader reader = new HintReader();
    for (String comment : comments) {
      Matcher mark = MARK.matcher(comment);
      if (mark.matches()) {
        reader.add(mark.group(1));
      }
    }
    return reader.values.isEmpty() ? Hints.NONE : reader.hints();
  }

  private void add(String text) {
    Matcher name = NAME.matcher(text);
    Matcher value = VALUE.matcher(text);
    int at = 0;
    boolean more = true;
    while (more) {
      name.region(at, text.length());
      if (!name.lookingAt()) {
        throw malformed(text.substring(at));
      }
      value.region(name.end(), text.length());
      if (!value.lookingAt()) {
        throw malformed(text.substring(at));
      }
      put(name.group(1).toLowerCase(Locale.ROOT), value.group());
      at = value.end();
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      more = at < text.length();
      if (more && text.charAt(at++) != ',') {
        throw malformed(text.substring(at - 1));
      }
    }
  }

  private void put(String name, String value) {
    if (!NAMES.contains(name)) {
      throw refused("the hint " + name + " is unknown; the hints are " + String.join(", ", NAMES));
    }
    if (values.putIfAbsent(name, value) != null) {
      throw refused("the hint " + name + " is there twice; give it once");
    }
  }

  private Hints hints() {
    return new Hints(
        choice("scatter", ScatterPolicy.class),
        timeout(),
        maxRows(),
        choice("partial", Partial.class),
        choice("freshness", Freshness.class),
        route());
  }

  private <E extends Enum<E>> Optional<E> choice(String name, Class<E> type) {
    String value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    for (E constant : type.getEnumConstants()) {
      if (Hints.written(constant).equalsIgnoreCase(value)) {
        return Optional.of(constant);
      }
    }
    List<String> choices = Arrays.stream(type.getEnumConstants()).map(Hints::written).toList();
    throw bad(name, "one of " + String.join(", ", choices));
  }

  private Optional<Duration> timeout() {
    String value = values.get("timeout");
    if (value == null) {
      return Optional.empty();
    }
    return Optional.of(
        Hints.duration(value)
            .orElseThrow(
                () ->
                    bad(
                        "timeout",
                        "a number above 0 with its unit, up to a day: 500ms, 2s or 1m")));
  }

  private OptionalLong maxRows() {
    String value = values.get("max_rows");
    if (value == null) {
      return OptionalLong.empty();
    }
    if (!value.matches("[1-9]\\d{0,17}")) {
      throw bad("max_rows", "a whole number from 1 on");
    }
    return OptionalLong.of(Long.parseLong(value));
  }

  private Optional<RouteHint> route() {
    String bucket = values.get("bucket");
    String key = values.get("key");
    Optional<String> group = Optional.ofNullable(values.get("group")).map(HintReader::unquoted);
    if (bucket != null && key != null) {
      throw refused("the hints key and bucket name a bucket twice; give one of them");
    }
    if (bucket == null && key == null) {
      if (group.isPresent()) {
        throw refused("the hint group stands beside key or bucket only; add one of them");
      }
      return Optional.empty();
    }
    return Optional.of(
        new RouteHint(group, bucket == null ? new Target.Key(keyValues(key)) : bucket(bucket)));
  }

  private Target bucket(String value) {
    if (!value.matches("\\d{1,9}")) {
      throw bad("bucket", "the number of a bucket, from 0 on (parameters cannot stand in hints)");
    }
    return new Target.Bucket(Integer.parseInt(value));
  }

  private List<Object> keyValues(String value) {
    String list = value.startsWith("(") ? value.substring(1, value.length() - 1) : value;
    List<Object> items = new ArrayList<>();
    Matcher item = ITEM.matcher(list);
    int at = 0;
    do {
      item.region(at, list.length());
      if (!item.lookingAt()) {
        throw badKey();
      }
      items.add(keyValue(item.group(1)));
      at = item.end();
    } while (item.group(2).equals(","));
    return items;
  }

  private Object keyValue(String item) {
    if (item.startsWith("'")) {
      return unquoted(item);
    }
    try {
      return new BigDecimal(item);
    } catch (NumberFormatException e) {
      throw badKey();
    }
  }

  private ShardwrightException badKey() {
    return bad(
        "key",
        "numbers and texts in quotes, in the order of the route key: (1, 'a') (parameters cannot"
            + " stand in hints)");
  }

  private static String unquoted(String value) {
    return value.startsWith("'")
        ? value.substring(1, value.length() - 1).replace("''", "'")
        : value;
  }

  private static ShardwrightException bad(String name, String wanted) {
    return refused("the value of the hint " + name + " is not understood; write " + wanted);
  }

  private static ShardwrightException malformed(String rest) {
    String shown = rest.strip();
    return refused(
        "a hint is not understood"
            + (shown.isEmpty()
                ? ""
                : " from '" + shown.substring(0, Math.min(20, shown.length())) + "' on")
            + "; write /* shardwright: name=value, name=value */ with "
            + String.join(", ", NAMES));
  }

  private static ShardwrightException refused(String message) {
    return new ShardwrightException(ErrorCode.HINT_INVALID, message);
  }
}
