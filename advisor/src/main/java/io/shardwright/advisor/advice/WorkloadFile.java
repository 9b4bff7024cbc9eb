package io.shardwright.advisor.advice;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link AdviceSettings} from lines of {@code name = value}; # begins a comment line. */
public final class WorkloadFile {
  private static final int LINES_MAX = 100_000;
  private static final Pattern SIZE =
      Pattern.compile("([0-9][0-9_,]*(?:\\.[0-9]+)?)\\s*([A-Za-z]*)");
  private static final Map<String, Double> UNITS =
      Map.of(
          "", 1.0, "B", 1.0, "KB", 1e3, "MB", 1e6, "GB", 1e9, "TB", 1e12, "PB", 1e15, "GIB", 0x1p30,
          "TIB", 0x1p40);

  private final String name;
  private final List<String> mistakes = new ArrayList<>();
  private final Map<WorkloadClass, Double> weights = AdviceSettings.defaultWeights();
  private final Map<String, WorkloadClass> classes = new HashMap<>();
  private final Map<String, Double> numbers = new HashMap<>();
  private final Map<String, Set<String>> columns = new HashMap<>();

  private WorkloadFile(String name) {
    this.name = name;
  }

  /**
   * @param shards over which keys are spread, at least
   * @throws ShardwrightException SW603 with all mistakes of the file
   */
  public static AdviceSettings read(
      Optional<Path> file, Optional<Integer> shards, int buckets, boolean showKeys) {
    List<String> lines = List.of();
    if (file.isPresent()) {
      try {
        lines = Files.readAllLines(file.get(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID, file.get() + " cannot be read: " + e.getMessage(), e);
      }
    }
    return parse(file.map(Path::toString).orElse(""), lines, shards, buckets, showKeys);
  }

  static AdviceSettings parse(
      String name, List<String> lines, Optional<Integer> shards, int buckets, boolean showKeys) {
    WorkloadFile file = new WorkloadFile(name);
    for (int i = 0; i < Math.min(lines.size(), LINES_MAX); i++) {
      file.line(i + 1, lines.get(i).strip());
    }
    Capacity capacity = file.capacity();
    if (!file.mistakes.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, String.join("; ", file.mistakes) + "; correct the file");
    }
    return new AdviceSettings(
        file.weights,
        file.classes,
        file.columns.getOrDefault("mutable", Set.of()),
        file.columns.getOrDefault("unique", Set.of()),
        file.columns.getOrDefault("gene", Set.of()),
        capacity,
        shards,
        buckets,
        file.numbers.getOrDefault("limit.max_to_mean", AdviceSettings.MAX_TO_MEAN_DEFAULT),
        file.numbers.getOrDefault("limit.hottest_to_mean", AdviceSettings.HOTTEST_TO_MEAN_DEFAULT),
        showKeys);
  }

  private void line(int number, String line) {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    int equals = line.indexOf('=');
    String key = equals < 0 ? line : line.substring(0, equals).strip();
    String value = equals < 0 ? "" : line.substring(equals + 1).strip();
    String place = name + ", line " + number + ": ";
    if (value.isEmpty()) {
      mistakes.add(place + "write name = value");
    } else if (key.startsWith("weight.")) {
      classOf(place, key.substring(7))
          .ifPresent(each -> number(place, value).ifPresent(n -> weights.put(each, n)));
    } else if (key.startsWith("class.")) {
      classOf(place, value).ifPresent(each -> classes.put(key.substring(6), each));
    } else {
      setting(place, key, value);
    }
  }

  private void setting(String place, String key, String value) {
    switch (key) {
      case "mutable", "unique", "gene" ->
          columns
              .computeIfAbsent(key, k -> new HashSet<>())
              .addAll(Arrays.stream(value.split(",", -1)).map(String::strip).toList());
      case "capacity.data",
          "capacity.shard_data",
          "capacity.queries",
          "capacity.shard_queries",
          "capacity.writes",
          "capacity.shard_writes",
          "limit.max_to_mean",
          "limit.hottest_to_mean" ->
          number(place, value).ifPresent(n -> numbers.put(key, n));
      case "utilisation.data", "utilisation.queries", "utilisation.writes" ->
          number(place, value)
              .ifPresent(
                  n -> {
                    if (n > 1) {
                      mistakes.add(place + key + " is a part, above 0 up to 1, not " + value);
                    } else {
                      numbers.put(key, n);
                    }
                  });
      default ->
          mistakes.add(
              place
                  + key
                  + " is not known; docs/advisor.md lists weight, class, mutable, unique, gene,"
                  + " capacity, utilisation and limit");
    }
  }

  private Optional<WorkloadClass> classOf(String place, String written) {
    Optional<WorkloadClass> found =
        Arrays.stream(WorkloadClass.values()).filter(c -> c.written().equals(written)).findFirst();
    if (found.isEmpty()) {
      mistakes.add(
          place
              + written
              + " is no class; write one of "
              + Arrays.stream(WorkloadClass.values()).map(WorkloadClass::written).toList());
    }
    return found;
  }

  private Optional<Double> number(String place, String value) {
    Matcher matcher = SIZE.matcher(value);
    Double unit = matcher.matches() ? UNITS.get(matcher.group(2).toUpperCase(Locale.ROOT)) : null;
    if (unit == null) {
      mistakes.add(place + value + " is no number; write 15000, 0.75, 300GB or 1.8TB");
      return Optional.empty();
    }
    double number = new BigDecimal(matcher.group(1).replaceAll("[_,]", "")).doubleValue() * unit;
    if (number <= 0) {
      mistakes.add(place + value + " must be above 0");
      return Optional.empty();
    }
    return Optional.of(number);
  }

  private Capacity capacity() {
    List<Capacity.Figure> figures = new ArrayList<>();
    figure(figures, "data", "bytes");
    figure(figures, "queries", "a second");
    figure(figures, "writes", "a second");
    return new Capacity(figures);
  }

  private void figure(List<Capacity.Figure> figures, String kind, String unit) {
    Double need = numbers.get("capacity." + kind);
    Double shard = numbers.get("capacity.shard_" + kind);
    if (need == null && shard == null) {
      return;
    }
    if (need == null || shard == null) {
      mistakes.add(
          name + ": give both capacity." + kind + " and capacity.shard_" + kind + ", or neither");
      return;
    }
    double used = numbers.getOrDefault("utilisation." + kind, AdviceSettings.UTILISATION_DEFAULT);
    figures.add(new Capacity.Figure(kind, need, shard, used, unit));
  }
}
