package io.shardwright.cli.loadtest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was measured.
 *
 * @param setting how, for people and programs
 * @param millis of the parts before the scenarios: databases, rows
 */
public record LoadTestReport(
    Map<String, Object> setting, Map<String, Long> millis, List<Measured> scenarios) {
  public LoadTestReport {
    setting = new LinkedHashMap<>(setting);
    millis = new LinkedHashMap<>(millis);
    scenarios = List.copyOf(scenarios);
  }

  /**
   * One scenario.
   *
   * @param seconds that it took
   * @param series by kind of request
   * @param fanOut shards that one request concerned
   * @param statements that the driver sent to each shard
   * @param rows that came back from each shard or were written to it
   * @param rowsSent by the shards for these answers, those beyond LIMIT included
   * @param connections that were in use
   * @param compared answers that were compared with what was loaded
   * @param wrong the first of those that were not right; empty: all were
   * @param wrongCount of them all
   * @param notes findings of the scenario
   * @param timeline in parts of the same length
   */
  public record Measured(
      Scenario scenario,
      double seconds,
      List<Requests> series,
      Spread fanOut,
      Map<String, Long> statements,
      Map<String, Long> rows,
      long rowsSent,
      Connections connections,
      long compared,
      List<String> wrong,
      long wrongCount,
      List<Note> notes,
      List<Moment> timeline) {
    public boolean isRight() {
      return wrongCount == 0;
    }

    public long requests() {
      return series.stream().mapToLong(Requests::requests).sum();
    }

    /** By code, of all series. */
    public Map<String, Long> errors() {
      Map<String, Long> errors = new TreeMap<>();
      series.forEach(
          one -> one.errors().forEach((code, count) -> errors.merge(code, count, Long::sum)));
      return errors;
    }

    private Map<String, Object> json() {
      return object(
          "scenario", scenario.word(),
          "description", scenario.description(),
          "seconds", seconds,
          "requests", requests(),
          "perSecond", round(requests() / seconds),
          "errors", errors(),
          "series", series.stream().map(Requests::json).toList(),
          "fanOut", object("mean", fanOut.mean(), "max", fanOut.max()),
          "statements", byShard(statements),
          "rows", byShard(rows),
          "rowsSentByShards", rowsSent,
          "connections",
              object("most", connections.most(), "mostOfOneShard", connections.mostOfOneShard()),
          "right", isRight(),
          "compared", compared,
          "wrongCount", wrongCount,
          "wrong", wrong,
          "notes",
              notes.stream()
                  .map(
                      note ->
                          object("name", note.name(), "value", note.value(), "unit", note.unit()))
                  .toList(),
          "timeline", timeline.stream().map(Moment::json).toList());
    }
  }

  /**
   * The answers of a series, or its errors. Times in milliseconds from the moment for which a
   * request was planned.
   *
   * @param partial answers that lacked shards, and said so
   * @param errors by code; empty: these are answers
   */
  public record Requests(
      String name,
      long requests,
      double perSecond,
      Percentiles millis,
      long partial,
      Map<String, Long> errors) {
    public Requests {
      errors = new TreeMap<>(errors);
    }

    private Map<String, Object> json() {
      return object(
          "name", name,
          "requests", requests,
          "perSecond", round(perSecond),
          "partial", partial,
          "errors", errors,
          "p50Ms", millis.p50(),
          "p95Ms", millis.p95(),
          "p99Ms", millis.p99(),
          "maxMs", millis.max());
    }
  }

  public record Percentiles(double p50, double p95, double p99, double max) {}

  public record Spread(double mean, double max) {
    /** Of counts by shard. */
    public static Spread of(Map<String, Long> counts) {
      double sum = counts.values().stream().mapToLong(Long::longValue).sum();
      long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
      return new Spread(counts.isEmpty() ? 0 : round(sum / counts.size()), most);
    }

    /** How far the first is from all being equal; 1: they are. */
    public double skew() {
      return mean == 0 ? 1 : round(max / mean);
    }
  }

  /** Seen at once, by looking some fifty times in a second. */
  public record Connections(int most, int mostOfOneShard) {}

  public record Note(String name, double value, String unit) {}

  /**
   * A part of a scenario.
   *
   * @param second in which it begins
   */
  public record Moment(double second, long answered, long errors, double p50Ms, double maxMs) {
    private Map<String, Object> json() {
      return object(
          "second", second, "answered", answered, "errors", errors, "p50Ms", p50Ms, "maxMs", maxMs);
    }
  }

  public boolean isRight() {
    return scenarios.stream().allMatch(Measured::isRight);
  }

  /** The setting, on a line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s, %s shards, %s orders with %s lines of %s buyers, seed %s; %s s of each scenario, %s"
            + " requests a second; %s processors for driver, gateway and client",
        setting.get("database"),
        setting.get("shards"),
        setting.get("orders"),
        setting.get("lines"),
        setting.get("buyers"),
        setting.get("seed"),
        setting.get("secondsOfEach"),
        setting.get("requestsPerSecond"),
        setting.get("processors"));
  }

  /** Maps, lists, texts and numbers, in order. */
  public Map<String, Object> json() {
    return object(
        "right",
        isRight(),
        "setting",
        setting,
        "millis",
        millis,
        "scenarios",
        scenarios.stream().map(Measured::json).toList());
  }

  /** The first wrong answer of each scenario that has one. */
  public List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    for (Measured measured : scenarios) {
      if (!measured.isRight()) {
        wrong.add(measured.scenario().word() + ": " + measured.wrong().get(0));
      }
    }
    return wrong;
  }

  private static Map<String, Object> byShard(Map<String, Long> counts) {
    Spread spread = Spread.of(counts);
    return object(
        "max",
        (long) spread.max(),
        "mean",
        spread.mean(),
        "skew",
        spread.skew(),
        "byShard",
        counts);
  }

  static double round(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  private static Map<String, Object> object(Object... keysAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      object.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return object;
  }
}
