package io.shardwright.bench.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** results.json: the same figures, and each turn. */
final class ReportJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ReportJson() {}

  static String of(List<Outcome> outcomes, Map<String, String> machine) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("machine", machine);
    root.put("scale", scale(outcomes.get(0).scale()));
    root.put("targets", Goal.of(outcomes).stream().map(ReportJson::goal).toList());
    Map<String, Object> databases = new LinkedHashMap<>();
    outcomes.forEach(outcome -> databases.put(outcome.database().id(), outcome(outcome)));
    root.put("databases", databases);
    try {
      return JSON.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> outcome(Outcome outcome) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("server", outcome.server());
    json.put("workloads", outcome.results().stream().map(ReportJson::result).toList());
    outcome.cold().ifPresent(cold -> json.put("coldStart", cold(cold)));
    json.put("leastHeap", bySide(outcome.heaps()));
    json.put("skewedOrdersByShard", bySide(outcome.skewed()));
    return json;
  }

  private static <T> Map<String, T> bySide(Map<Side, T> figures) {
    Map<String, T> json = new LinkedHashMap<>();
    figures.forEach((side, figure) -> json.put(side.label(), figure));
    return json;
  }

  private static Map<String, Object> scale(Scale scale) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rows", scale.rows());
    json.put("rowsOfOtherSets", scale.rowsOfOtherSets());
    json.put("buyers", scale.buyers());
    json.put("rounds", scale.rounds());
    json.put("warmUpMillis", scale.warmUpMillis());
    json.put("turnMillis", scale.turnMillis());
    json.put("processes", scale.processes());
    return json;
  }

  private static Map<String, Object> goal(Goal goal) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("what", goal.what());
    json.put("target", goal.target());
    json.put("measured", goal.measured());
    json.put("met", goal.isMet());
    return json;
  }

  private static Map<String, Object> result(Result result) {
    Workload workload = result.workload();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", workload.name());
    json.put("title", workload.title());
    json.put("set", workload.set());
    json.put("threads", workload.threads());
    if (workload.perSecond() > 0) {
      json.put("begunPerSecond", workload.perSecond());
    }
    json.put("sides", result.scores().stream().map(score -> score(result, score)).toList());
    return json;
  }

  private static Map<String, Object> score(Result result, Score score) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("side", score.side().label());
    if (score.isRefused()) {
      json.put("refused", score.refusal());
      return json;
    }
    json.put("micros", spread(score.micros()));
    Score first = result.scores().get(0);
    if (!first.isRefused()) {
      json.put("timesOf", first.side().label());
      json.put("times", spread(score.timesOf(first, Score::micros)));
    }
    json.put("operationsPerSecond", spread(score.perSecond()));
    json.put("rowsPerSecond", spread(score.rowsPerSecond()));
    Map<String, Double> percentiles = new LinkedHashMap<>();
    for (double percentile : new double[] {50, 99, 99.9, 100}) {
      percentiles.put(Double.toString(percentile), score.latency(percentile));
    }
    json.put("percentileMicros", percentiles);
    json.put("processorMicros", spread(score.cpuMicros()));
    json.put("bytes", spread(score.bytes()));
    Score.Counts counts = score.counts();
    if (counts != null) {
      json.put("statements", counts.statements());
      json.put("roundTrips", counts.roundTrips());
      if (!Double.isNaN(counts.connections())) {
        json.put("connections", counts.connections());
      }
    }
    json.put("turnMicros", score.each(Score::micros));
    json.put("turnOperations", score.turns().stream().map(Slot::operations).toList());
    return json;
  }

  private static List<Map<String, Object>> cold(Result cold) {
    return cold.scores().stream()
        .map(
            score -> {
              Map<String, Object> json = new LinkedHashMap<>();
              json.put("side", score.side().label());
              if (score.isRefused()) {
                json.put("refused", score.refusal());
              } else {
                json.put("millis", spread(Spread.of(score.each(ColdStart::millis))));
              }
              return json;
            })
        .toList();
  }

  private static Map<String, Double> spread(Spread spread) {
    Map<String, Double> json = new LinkedHashMap<>();
    json.put("median", spread.median());
    json.put("least", spread.least());
    json.put("most", spread.most());
    return json;
  }
}
