package io.shardwright.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.Test;
import io.shardwright.query.QueryRequest.TimeRange;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What requests of all kinds have in common, from JSON. Unknown fields and fields that are there
 * twice are refused: a filter that is passed over would give rows that were not asked for. Reads on
 * after a mistake, with what it stands for left out.
 */
abstract class RequestFields {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final List<String> TIME_FIELDS = List.of("purpose", "column", "from", "to");
  private static final List<String> CONDITION_FIELDS =
      Stream.concat(Stream.of("column"), Arrays.stream(Test.values()).map(Test::word))
          .distinct()
          .toList();
  static final String NAME = "write a name";
  private static final String INSTANT = "write a moment as 2011-11-01T00:00:00Z";
  private static final int TIMEOUT_MAX = 60_000;

  final RequestProblems problems;

  RequestFields(RequestProblems problems) {
    this.problems = problems;
  }

  /**
   * @param problems hears when it is no JSON object
   */
  static Optional<JsonNode> object(byte[] json, RequestProblems problems) {
    try {
      JsonNode root = MAPPER.readTree(json);
      if (root instanceof MissingNode || root == null || !root.isObject()) {
        problems.add("", "is no JSON object", "write {\"table\": ..., \"time\": {...}}");
        return Optional.empty();
      }
      return Optional.of(root);
    } catch (JsonProcessingException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " in line "
                  + e.getLocation().getLineNr()
                  + " column "
                  + e.getLocation().getColumnNr();
      boolean twice = e.getOriginalMessage().startsWith("Duplicate field");
      problems.add(
          "",
          (twice ? "has a field twice" : "is no JSON") + where,
          twice ? "keep one of them" : "correct it there");
      return Optional.empty();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  Optional<Duration> timeout(JsonNode node) {
    return integer("/timeoutMs", node, TIMEOUT_MAX).map(Duration::ofMillis);
  }

  List<String> select(JsonNode node) {
    return names("/select", node, "write [\"order_id\", ...]");
  }

  List<String> names(String at, JsonNode node, String instead) {
    List<String> names = new ArrayList<>();
    if (isNull(node) || !node.isArray() || node.isEmpty()) {
      problems.add(at, "is no list of columns", instead);
      return names;
    }
    for (int i = 0; i < node.size(); i++) {
      required(at + "/" + i, node.get(i), NAME).ifPresent(names::add);
    }
    return names;
  }

  TimeRange time(JsonNode node) {
    if (node == null || !node.isObject()) {
      problems.add(
          "/time",
          node == null ? "is missing" : "is no object",
          "write {\"column\": \"created_at\", \"from\": ..., \"to\": ...}");
      return null;
    }
    allow("/time", node, TIME_FIELDS);
    Optional<Purpose> purpose =
        word("/time/purpose", node.get("purpose"), Purpose.values(), Purpose::word);
    Optional<String> column = text("/time/column", node.get("column"), NAME);
    if (!node.hasNonNull("purpose") && !node.hasNonNull("column")) {
      problems.add(
          "/time",
          "names neither a column nor a purpose",
          "there is no default time: write \"column\": \"created_at\" or \"purpose\": \"created\"");
    }
    Optional<Instant> from = instant("/time/from", node.get("from"));
    Optional<Instant> to = instant("/time/to", node.get("to"));
    return from.isEmpty() || to.isEmpty()
        ? null
        : new TimeRange(purpose, column, from.get(), to.get());
  }

  Optional<Instant> instant(String at, JsonNode node) {
    return required(at, node, INSTANT).flatMap(text -> instant(at, text));
  }

  Optional<Instant> instant(String at, String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (instant.equals(instant.truncatedTo(ChronoUnit.MICROS))) {
        return Optional.of(instant);
      }
      problems.add(at, "is more precise than a microsecond", "databases keep no more: round it");
    } catch (DateTimeException e) {
      problems.add(at, "is '" + shortened(text) + "'", INSTANT);
    }
    return Optional.empty();
  }

  List<Condition> where(JsonNode node) {
    List<Condition> conditions = new ArrayList<>();
    if (isNull(node)) {
      return conditions;
    }
    if (!node.isArray()) {
      problems.add("/where", "is no list", "write [{\"column\": \"status\", \"in\": [1, 2]}]");
      return conditions;
    }
    for (int i = 0; i < node.size(); i++) {
      String at = "/where/" + i;
      JsonNode entry = node.get(i);
      if (!entry.isObject()) {
        problems.add(at, "is no object", "write {\"column\": \"status\", \"eq\": 1}");
        continue;
      }
      allow(at, entry, CONDITION_FIELDS);
      Optional<String> column = required(at + "/column", entry.get("column"), NAME);
      List<Condition> tests = tests(at, entry, column.orElse(""));
      if (tests.isEmpty()) {
        problems.add(at, "compares with nothing", "write one of eq, in, gt, gte, lt, lte, null");
      }
      if (column.isPresent()) {
        conditions.addAll(tests);
      }
    }
    return conditions;
  }

  List<Condition> tests(String at, JsonNode entry, String column) {
    List<Condition> tests = new ArrayList<>();
    for (Test test : List.of(Test.EQ, Test.GT, Test.GTE, Test.LT, Test.LTE)) {
      if (entry.has(test.word())) {
        Optional<Object> value = scalar(at + "/" + test.word(), entry.get(test.word()));
        tests.add(new Condition(column, test, value.stream().toList()));
      }
    }
    JsonNode in = entry.get("in");
    if (in != null) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < in.size(); i++) {
        scalar(at + "/in/" + i, in.get(i)).ifPresent(values::add);
      }
      if (!in.isArray() || in.isEmpty()) {
        problems.add(at + "/in", "is no list of values", "write [1, 2]");
      }
      tests.add(new Condition(column, Test.IN, values));
    }
    JsonNode isNull = entry.get("null");
    if (isNull != null) {
      if (!isNull.isBoolean()) {
        problems.add(at + "/null", "is neither true nor false", "write true or false");
      }
      tests.add(new Condition(column, isNull.asBoolean() ? Test.NULL : Test.NOT_NULL, List.of()));
    }
    return tests;
  }

  Optional<Object> scalar(String at, JsonNode node) {
    if (node.isTextual()) {
      return Optional.of(node.textValue());
    }
    if (node.isIntegralNumber()) {
      return Optional.of(node.canConvertToLong() ? node.longValue() : node.bigIntegerValue());
    }
    if (node.isNumber()) {
      return Optional.of(node.decimalValue());
    }
    if (node.isBoolean()) {
      return Optional.of(node.booleanValue());
    }
    problems.add(
        at,
        node.isNull() ? "is null" : "is no single value",
        node.isNull() ? "write \"null\": true to ask for NULL" : "write a number, text or boolean");
    return Optional.empty();
  }

  void allow(String at, JsonNode object, List<String> known) {
    for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        problems.add(at + "/" + shortened(name), "is not known", "use " + String.join(", ", known));
      }
    }
  }

  Optional<String> required(String at, JsonNode node, String instead) {
    if (isNull(node)) {
      problems.add(at, "is missing", instead);
      return Optional.empty();
    }
    return text(at, node, instead);
  }

  Optional<String> text(String at, JsonNode node, String instead) {
    if (isNull(node)) {
      return Optional.empty();
    }
    if (!node.isTextual()) {
      problems.add(at, "is no text", instead);
      return Optional.empty();
    }
    return Optional.of(node.textValue());
  }

  Optional<Integer> integer(String at, JsonNode node, int max) {
    if (isNull(node)) {
      return Optional.empty();
    }
    if (node.isIntegralNumber()
        && node.canConvertToInt()
        && node.intValue() > 0
        && node.intValue() <= max) {
      return Optional.of(node.intValue());
    }
    problems.add(
        at,
        "is no whole number above 0",
        max == Integer.MAX_VALUE ? "write one" : "write 1 to " + max);
    return Optional.empty();
  }

  <E> Optional<E> word(String at, JsonNode node, E[] values, Function<E, String> word) {
    Optional<String> text = text(at, node, "write a word");
    for (E value : values) {
      if (text.filter(word.apply(value)::equals).isPresent()) {
        return Optional.of(value);
      }
    }
    text.ifPresent(
        wrong ->
            problems.add(
                at,
                "is '" + shortened(wrong) + "'",
                "write one of "
                    + Arrays.stream(values).map(word).collect(Collectors.joining(", "))));
    return Optional.empty();
  }

  static boolean isNull(JsonNode node) {
    return node == null || node.isNull();
  }

  /** What a caller wrote is shown to the caller, and not at length. */
  static String shortened(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }
}
