package io.shardwright.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.query.AggregateRequest.Function;
import io.shardwright.query.AggregateRequest.Interval;
import io.shardwright.query.AggregateRequest.Measure;
import io.shardwright.query.AggregateRequest.Unit;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A request for aggregates, from JSON. */
final class AggregateReader extends RequestFields {
  private static final List<String> FIELDS =
      List.of(
          "group",
          "table",
          "time",
          "where",
          "aggregates",
          "by",
          "dimensions",
          "consistency",
          "onPartial",
          "timeoutMs");
  private static final List<String> BY_FIELDS = List.of("unit", "zone");
  private static final List<String> AGGREGATE_FIELDS = List.of("function", "column", "at");
  private static final String AGGREGATES = "write [{\"function\": \"count\"}, ...]";
  private static final String BY = "write {\"unit\": \"hour\", \"zone\": \"Europe/Paris\"}";

  private AggregateReader(RequestProblems problems) {
    super(problems);
  }

  /**
   * @param problems hears of each mistake
   * @return empty when it is no JSON object
   */
  static Optional<AggregateRequest> read(byte[] json, RequestProblems problems) {
    return object(json, problems).map(root -> new AggregateReader(problems).request(root));
  }

  private AggregateRequest request(JsonNode root) {
    allow("", root, FIELDS);
    return new AggregateRequest(
        text("/group", root.get("group"), NAME),
        required("/table", root.get("table"), NAME).orElse(""),
        time(root.get("time")),
        where(root.get("where")),
        measures(root.get("aggregates")),
        by(root.get("by")),
        isNull(root.get("dimensions"))
            ? List.of()
            : names("/dimensions", root.get("dimensions"), "write [\"status\", ...]"),
        word("/consistency", root.get("consistency"), Consistency.values(), Consistency::word)
            .orElse(Consistency.SHARD_LATEST),
        word("/onPartial", root.get("onPartial"), OnPartial.values(), OnPartial::word)
            .orElse(OnPartial.FAIL),
        timeout(root.get("timeoutMs")));
  }

  private List<Measure> measures(JsonNode node) {
    List<Measure> measures = new ArrayList<>();
    if (isNull(node) || !node.isArray() || node.isEmpty()) {
      problems.add("/aggregates", "is no list of aggregates", AGGREGATES);
      return measures;
    }
    for (int i = 0; i < node.size(); i++) {
      String at = "/aggregates/" + i;
      JsonNode entry = node.get(i);
      if (!entry.isObject()) {
        problems.add(at, "is no object", "write {\"function\": \"count\"}");
        continue;
      }
      allow(at, entry, AGGREGATE_FIELDS);
      Optional<Function> function =
          word(at + "/function", entry.get("function"), Function.values(), Function::word);
      if (isNull(entry.get("function"))) {
        problems.add(at + "/function", "is missing", "write count, sum, min, max, avg, ...");
      }
      Optional<String> column = text(at + "/column", entry.get("column"), NAME);
      List<Double> places = places(at + "/at", entry.get("at"));
      function.ifPresent(known -> measures.add(new Measure(known, column, places)));
    }
    return measures;
  }

  private List<Double> places(String at, JsonNode node) {
    List<Double> places = new ArrayList<>();
    if (isNull(node)) {
      return places;
    }
    if (!node.isArray() || node.isEmpty()) {
      problems.add(at, "is no list of numbers", "write [0.5, 0.99]");
      return places;
    }
    for (int i = 0; i < node.size(); i++) {
      if (node.get(i).isNumber()) {
        places.add(node.get(i).doubleValue());
      } else {
        problems.add(at + "/" + i, "is no number", "write one above 0 and up to 1");
      }
    }
    return places;
  }

  private Optional<Interval> by(JsonNode node) {
    if (isNull(node)) {
      return Optional.empty();
    }
    if (!node.isObject()) {
      problems.add("/by", "is no object", BY);
      return Optional.empty();
    }
    allow("/by", node, BY_FIELDS);
    if (isNull(node.get("unit"))) {
      problems.add("/by/unit", "is missing", "write minute, hour or day");
    }
    Optional<Unit> unit = word("/by/unit", node.get("unit"), Unit.values(), Unit::word);
    Optional<ZoneId> zone =
        isNull(node.get("zone"))
            ? Optional.of(ZoneOffset.UTC)
            : text("/by/zone", node.get("zone"), BY).flatMap(this::zone);
    return unit.isPresent() && zone.isPresent()
        ? Optional.of(new Interval(unit.get(), zone.get()))
        : Optional.empty();
  }

  private Optional<ZoneId> zone(String name) {
    try {
      return Optional.of(ZoneId.of(name));
    } catch (DateTimeException e) {
      problems.add(
          "/by/zone", "is '" + shortened(name) + "', which is no time zone", "write Europe/Paris");
      return Optional.empty();
    }
  }
}
