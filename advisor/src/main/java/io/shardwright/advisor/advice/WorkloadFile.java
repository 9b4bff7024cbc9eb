package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Capacity.Headroom;
import io.shardwright.advisor.advice.Declarations.Decision;
import io.shardwright.advisor.logs.FileErrors;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link AdviceSettings} from lines of {@code name = value}; # begins a comment line. */
// Long because: what the file may say is read in one place.
public final class WorkloadFile {
  private static final int LINES_MAX = 100_000;
  private static final Pattern SIZE =
      Pattern.compile(
          "((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9][0-9_]*)(?:\\.[0-9]+)?)\\s*([A-Za-z]*)");

  private static final Pattern ZERO = Pattern.compile("0(\\.0+)?");

  /** Of every number, so that products and quotients of them are numbers, too. */
  private static final double NUMBER_MIN = 1e-9;

  private static final double NUMBER_MAX = 1e18;

  /** A limit above it never refuses; 1,125 for one and an eighth is noticed. */
  private static final double LIMIT_MAX = 1_000;

  private static final Map<String, Double> UNITS =
      Map.of(
          "", 1.0, "B", 1.0, "KB", 1e3, "MB", 1e6, "GB", 1e9, "TB", 1e12, "PB", 1e15, "GIB", 0x1p30,
          "TIB", 0x1p40);

  private static final int SHOWN_CHARS = 40;

  private static final List<String> KINDS = List.of("data", "queries", "writes");
  private static final List<String> NUMBERS =
      List.of(
          "capacity.data",
          "capacity.indexes",
          "capacity.shard_data",
          "capacity.queries",
          "capacity.shard_queries",
          "capacity.writes",
          "capacity.shard_writes",
          "limit.max_to_mean",
          "limit.hottest_to_mean");
  private static final Pattern DAYS = Pattern.compile("([1-9][0-9]{0,5})\\s*(d|days?)");

  /** A quarter of each shard together: what keeps it serving while one thing goes wrong. */
  private static final Map<String, Map<String, Double>> HEADROOM = new HashMap<>();

  static {
    HEADROOM.put(
        "data", ordered("index_rebuild", 0.10, "migration", 0.10, "growth_until_expansion", 0.05));
    HEADROOM.put("queries", ordered("peak", 0.10, "replica_failure", 0.10, "migration", 0.05));
    HEADROOM.put("writes", ordered("peak", 0.10, "migration", 0.10, "index_rebuild", 0.05));
  }

  private final String name;
  private final List<String> mistakes = new ArrayList<>();
  private final Map<WorkloadClass, Double> weights = AdviceSettings.defaultWeights();
  private final Map<String, WorkloadClass> classes = new HashMap<>();
  private final Map<String, Double> numbers = new HashMap<>();
  private final Map<String, Set<String>> columns = new HashMap<>();

  /** Null: nobody measured. */
  private Double measuredBytes;

  private final Map<String, Map<String, Double>> headrooms = new HashMap<>();
  private final Map<String, Integer> retention = new HashMap<>();
  private final Map<String, Set<String>> entries = new LinkedHashMap<>();
  private final Map<Decision, String> decisions = new EnumMap<>(Decision.class);

  private static Map<String, Double> ordered(
      String first, double a, String second, double b, String third, double c) {
    Map<String, Double> map = new LinkedHashMap<>();
    map.put(first, a);
    map.put(second, b);
    map.put(third, c);
    return map;
  }

  private WorkloadFile(String name) {
    this.name = name;
  }

  /**
   * @param measuredBytes of all tables with their indexes, when the file tells no capacity.data
   * @param shards over which keys are spread, at least
   * @throws ShardwrightException SW603 with all mistakes of the file
   */
  public static AdviceSettings read(
      Optional<Path> file,
      OptionalLong measuredBytes,
      Optional<Integer> shards,
      int buckets,
      boolean showKeys) {
    List<String> lines = List.of();
    if (file.isPresent()) {
      try {
        lines = Files.readAllLines(file.get(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID, file.get() + " cannot be read: " + FileErrors.reason(e), e);
      }
    }
    WorkloadFile parsed = new WorkloadFile(file.map(Path::toString).orElse(""));
    if (measuredBytes.isPresent()) {
      parsed.measuredBytes = (double) measuredBytes.getAsLong();
    }
    return parsed.settings(lines, shards, buckets, showKeys);
  }

  static AdviceSettings parse(
      String name, List<String> lines, Optional<Integer> shards, int buckets, boolean showKeys) {
    return new WorkloadFile(name).settings(lines, shards, buckets, showKeys);
  }

  private AdviceSettings settings(
      List<String> lines, Optional<Integer> shards, int buckets, boolean showKeys) {
    if (lines.size() > LINES_MAX) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          name
              + " has "
              + lines.size()
              + " lines; a workload file has at most "
              + LINES_MAX
              + ": give the one that --workload is for, and logs without it");
    }
    for (int i = 0; i < lines.size(); i++) {
      line(i + 1, lines.get(i).strip());
    }
    Capacity capacity = capacity();
    checkContradictions();
    if (!mistakes.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, String.join("; ", mistakes) + "; correct the file");
    }
    return new AdviceSettings(
        weights,
        classes,
        declarations(),
        capacity,
        shards,
        buckets,
        numbers.getOrDefault("limit.max_to_mean", AdviceSettings.MAX_TO_MEAN_DEFAULT),
        numbers.getOrDefault("limit.hottest_to_mean", AdviceSettings.HOTTEST_TO_MEAN_DEFAULT),
        showKeys);
  }

  private void checkContradictions() {
    Set<String> both = new TreeSet<>(columns.getOrDefault("mutable", Set.of()));
    both.retainAll(columns.getOrDefault("immutable", Set.of()));
    if (!both.isEmpty()) {
      mistakes.add(name + ": " + both + " cannot be both mutable and immutable");
    }
  }

  private Declarations declarations() {
    return new Declarations(
        columns.getOrDefault("mutable", Set.of()),
        columns.getOrDefault("immutable", Set.of()),
        columns.getOrDefault("unique", Set.of()),
        columns.getOrDefault("gene", Set.of()),
        retention,
        entries,
        decisions);
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
    int dot = key.indexOf('.');
    String kind = dot < 0 ? key : key.substring(0, dot);
    String of = dot < 0 ? "" : key.substring(dot + 1);
    switch (kind) {
      case "mutable", "immutable", "unique", "gene" ->
          columns.computeIfAbsent(key, k -> new HashSet<>()).addAll(list(value));
      case "entry" -> entries.put(of, new LinkedHashSet<>(list(value)));
      case "retention" -> days(place, value).ifPresent(days -> retention.put(of, days));
      case "decision" -> decision(place, of, value);
      case "capacity", "limit" -> known(place, key, value);
      case "growth" ->
          numberOrZero(place, value)
              .ifPresent(n -> check(place, key, value, n, 100, "rate, 0 up to 100"));
      case "utilisation" ->
          number(place, value)
              .ifPresent(n -> check(place, key, value, n, 1, "part, above 0 up to 1"));
      case "headroom" -> headroom(place, of, value);
      default ->
          mistakes.add(
              place
                  + key
                  + " is not known; docs/advisor.md lists weight, class, mutable, immutable,"
                  + " unique, gene, entry, retention, decision, capacity, headroom, utilisation,"
                  + " growth and limit");
    }
  }

  private static List<String> list(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::strip).toList();
  }

  private void known(String place, String key, String value) {
    if (NUMBERS.contains(key)) {
      number(place, value)
          .filter(n -> isLimitMeant(place, key, value, n))
          .ifPresent(n -> numbers.put(key, n));
    } else {
      mistakes.add(place + key + " is not known; write one of " + NUMBERS);
    }
  }

  private boolean isLimitMeant(String place, String key, String value, double number) {
    // The fullest shard is never below the mean.
    double least = key.equals("limit.max_to_mean") ? 1 : 0;
    boolean meant = !key.startsWith("limit.") || (number >= least && number <= LIMIT_MAX);
    if (!meant) {
      mistakes.add(
          place
              + key
              + " is "
              + (least > 0 ? "1 up to " : "above 0 up to ")
              + (long) LIMIT_MAX
              + ", not "
              + value);
    }
    return meant;
  }

  private void check(
      String place, String key, String value, double number, double max, String what) {
    String of = key.substring(key.indexOf('.') + 1);
    if (!KINDS.contains(of)) {
      mistakes.add(place + key + " is not known; it is of one of " + KINDS);
    } else if (number > max) {
      mistakes.add(place + key + " is a " + what + ", not " + value);
    } else {
      numbers.put(key, number);
    }
  }

  private void headroom(String place, String of, String value) {
    int dot = of.indexOf('.');
    String kind = dot < 0 ? of : of.substring(0, dot);
    if (dot < 0 || !KINDS.contains(kind)) {
      mistakes.add(
          place
              + "write headroom.KIND.PURPOSE with one of "
              + KINDS
              + ", as in"
              + " headroom.data.index_rebuild = 0.1");
      return;
    }
    // A purpose that is not needed is written as 0.
    numberOrZero(place, value)
        .ifPresent(
            n -> {
              if (n >= 1) {
                mistakes.add(place + "headroom." + of + " is a part, below 1, not " + value);
              } else {
                headroom(kind).put(of.substring(dot + 1), n);
              }
            });
  }

  private Map<String, Double> headroom(String kind) {
    return headrooms.computeIfAbsent(kind, k -> new LinkedHashMap<>(HEADROOM.get(k)));
  }

  private Optional<Integer> days(String place, String value) {
    Matcher matcher = DAYS.matcher(value);
    if (!matcher.matches()) {
      mistakes.add(place + value + " is no time to keep rows; write 400 days, or 400d");
      return Optional.empty();
    }
    return Optional.of(Integer.valueOf(matcher.group(1)));
  }

  private void decision(String place, String of, String value) {
    Optional<Decision> decision =
        Arrays.stream(Decision.values()).filter(d -> d.written().equals(of)).findFirst();
    if (decision.isPresent()) {
      decisions.put(decision.get(), value);
    } else {
      mistakes.add(
          place
              + "decision."
              + of
              + " is not known; write one of "
              + Arrays.stream(Decision.values()).map(Decision::written).toList());
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

  private Optional<Double> numberOrZero(String place, String value) {
    return ZERO.matcher(value).matches() ? Optional.of(0.0) : number(place, value);
  }

  private Optional<Double> number(String place, String value) {
    Matcher matcher = SIZE.matcher(value);
    Double unit = matcher.matches() ? UNITS.get(matcher.group(2).toUpperCase(Locale.ROOT)) : null;
    if (unit == null) {
      mistakes.add(
          place
              + value
              + " is no number; write 15000, 0.75, 300GB or 1.8TB"
              + (value.contains(",")
                  ? ", with a point before parts; a comma is for thousands only, as in 15,000"
                  : ""));
      return Optional.empty();
    }
    double number = new BigDecimal(matcher.group(1).replaceAll("[_,]", "")).doubleValue() * unit;
    if (number <= 0) {
      mistakes.add(place + value + " must be above 0");
      return Optional.empty();
    }
    if (number < NUMBER_MIN || number > NUMBER_MAX) {
      mistakes.add(
          place
              + shortened(value)
              + " is out of range; numbers are 0.000000001 up to 1,000,000,000,000,000,000");
      return Optional.empty();
    }
    return Optional.of(number);
  }

  private static String shortened(String value) {
    return value.length() > SHOWN_CHARS ? value.substring(0, SHOWN_CHARS) + "..." : value;
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
    boolean measured = need == null && shard != null && kind.equals("data");
    if (measured) {
      need = measuredBytes;
    }
    if (need == null && shard == null) {
      return;
    }
    if (need == null || shard == null) {
      mistakes.add(
          name + ": give both capacity." + kind + " and capacity.shard_" + kind + ", or neither");
      return;
    }
    if (kind.equals("data") && !measured) {
      need += numbers.getOrDefault("capacity.indexes", 0.0);
    }
    List<Headroom> reserve = reserve(kind);
    if (reserve.stream().mapToDouble(Headroom::share).sum() >= 1) {
      mistakes.add(name + ": headroom." + kind + " leaves nothing of a shard; lower it");
      return;
    }
    double growth = numbers.getOrDefault("growth." + kind, AdviceSettings.GROWTH_DEFAULT);
    figures.add(new Capacity.Figure(kind, need, shard, reserve, growth, unit));
  }

  private List<Headroom> reserve(String kind) {
    Double utilisation = numbers.get("utilisation." + kind);
    if (utilisation != null) {
      return utilisation == 1
          ? List.of()
          : List.of(new Headroom("as told, not itemised", 1 - utilisation));
    }
    List<Headroom> reserve = new ArrayList<>();
    headroom(kind)
        .forEach(
            (purpose, share) -> {
              if (share > 0) {
                reserve.add(new Headroom(purpose.replace('_', ' '), share));
              }
            });
    return reserve;
  }
}
