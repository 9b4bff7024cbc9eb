package io.shardwright.config;

import io.shardwright.config.QueryRules.AsyncLimits;
import io.shardwright.config.QueryRules.ExportLimits;
import io.shardwright.config.QueryRules.Limits;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.config.QueryRules.QueryTable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What may be asked across all shards. */
final class QueryMapping {
  private static final List<String> KEYS =
      List.of(
          "timeout",
          "shard_timeout",
          "rows",
          "rate",
          "cursor_keys",
          "tables",
          "roles",
          "tokens",
          "directory",
          "exports",
          "async");
  private static final List<String> EXPORT_KEYS =
      List.of("span", "expire", "rate", "concurrent", "file_rows", "patience");
  private static final List<String> ASYNC_KEYS = List.of("patience", "expire", "concurrent");
  private static final List<String> TABLE_KEYS =
      List.of("id", "times", "select", "filter", "order", "mask", "last_four", "wide", "span");
  private static final String TABLES =
      "write tables: {orders: {id: [order_id], times: {created: created_at}}}";
  private static final String TIMES = "write times: {created: created_at, paid: paid_at}";
  private static final List<String> TIME_KEYS = List.of("column", "assigned");
  private static final String DATABASE = "database";
  private static final String TIME = "write {column: settled_at, assigned: database}";
  private static final String CURSOR_KEYS =
      "write cursor_keys: [\"${CURSOR_KEY}\"], 32 random characters or more";
  private static final int CURSOR_KEY_MIN = 32;
  private static final Duration TIMEOUT_MIN = Duration.ofMillis(10);
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(1);
  private static final Duration SPAN_MIN = Duration.ofSeconds(1);
  private static final Duration SPAN_MAX = Duration.ofDays(3_660);

  private static final int RATE_MAX = 10_000;

  private static final Duration EXPIRE_MIN = Duration.ofMinutes(1);
  private static final Duration PATIENCE_MAX = Duration.ofHours(24);
  private static final int EXPORT_RATE_MAX = 1_000_000;

  /** Each has a page in memory, once for each shard. */
  private static final int CONCURRENT_MAX = 16;

  private static final int FILE_ROWS_MIN = 100;
  private static final int FILE_ROWS_MAX = 10_000_000;

  /** The rows of a page are in memory, once for each shard. */
  private static final int ROWS_MAX = 10_000;

  private final YamlMap map;
  private final Set<String> sharded;

  private QueryMapping(YamlMap map, Set<String> sharded) {
    this.map = map.allow(KEYS);
    this.sharded = sharded;
  }

  /**
   * @param root that may have a key {@code query}
   * @param sharded the tables of all groups
   */
  static Optional<QueryRules> read(YamlMap root, Set<String> sharded) {
    return root.has("query")
        ? root.map("query").map(map -> new QueryMapping(map, sharded).rules())
        : Optional.empty();
  }

  private QueryRules rules() {
    Limits usual = Limits.DEFAULT;
    Duration timeout = map.duration("timeout", TIMEOUT_MIN, TIMEOUT_MAX).orElse(usual.timeout());
    Duration shardTimeout =
        map.duration("shard_timeout", TIMEOUT_MIN, TIMEOUT_MAX)
            .orElse(shorter(usual.shardTimeout(), timeout));
    if (shardTimeout.compareTo(timeout) > 0) {
      map.problem(
          "shard_timeout", "is longer than timeout", "write a shorter one, or leave it out");
    }
    int rows = map.integer("rows", 1, ROWS_MAX).orElse(usual.rows());
    int rate = map.integer("rate", 1, RATE_MAX).orElse(usual.rate());
    Map<String, QueryTable> tables = new LinkedHashMap<>();
    Optional<YamlMap> entries = map.requireMap("tables", TABLES);
    for (String name : entries.map(YamlMap::names).orElse(List.of())) {
      if (!sharded.contains(name)) {
        entries.get().problem(name, "is no table of a group", "add it to groups.<g>.tables first");
      }
      entries.get().map(name).ifPresent(entry -> tables.put(name, table(entry.allow(TABLE_KEYS))));
    }
    return new QueryRules(
        new Limits(timeout, shardTimeout, rows, rate),
        cursorKeys(),
        tables,
        QueryAccessMapping.read(map, tables.keySet()),
        directory(),
        exports(),
        async());
  }

  private Optional<Path> directory() {
    try {
      return map.text("directory").filter(text -> !text.isBlank()).map(Path::of);
    } catch (InvalidPathException e) {
      map.problem("directory", "is no path", "write one, e.g. /var/lib/shardwright");
      return Optional.empty();
    }
  }

  private ExportLimits exports() {
    ExportLimits usual = ExportLimits.DEFAULT;
    Optional<YamlMap> entry = map.has("exports") ? map.map("exports") : Optional.empty();
    if (entry.isEmpty()) {
      return usual;
    }
    YamlMap limits = entry.get().allow(EXPORT_KEYS);
    requireDirectory("exports");
    return new ExportLimits(
        limits.duration("span", SPAN_MIN, SPAN_MAX),
        limits.duration("expire", EXPIRE_MIN, SPAN_MAX).orElse(usual.expire()),
        limits.integer("rate", 1, EXPORT_RATE_MAX).orElse(usual.rate()),
        limits.integer("concurrent", 1, CONCURRENT_MAX).orElse(usual.concurrent()),
        limits.integer("file_rows", FILE_ROWS_MIN, FILE_ROWS_MAX).orElse(usual.fileRows()),
        limits.duration("patience", SPAN_MIN, PATIENCE_MAX).orElse(usual.patience()));
  }

  private AsyncLimits async() {
    AsyncLimits usual = AsyncLimits.DEFAULT;
    Optional<YamlMap> entry = map.has("async") ? map.map("async") : Optional.empty();
    if (entry.isEmpty()) {
      return usual;
    }
    YamlMap limits = entry.get().allow(ASYNC_KEYS);
    requireDirectory("async queries");
    return new AsyncLimits(
        limits.duration("patience", SPAN_MIN, PATIENCE_MAX).orElse(usual.patience()),
        limits.duration("expire", EXPIRE_MIN, SPAN_MAX).orElse(usual.expire()),
        limits.integer("concurrent", 1, CONCURRENT_MAX).orElse(usual.concurrent()));
  }

  private void requireDirectory(String what) {
    if (!map.has("directory")) {
      map.problem(
          "directory",
          "is missing: " + what + " are kept there",
          "write directory: /var/lib/shardwright, which one gateway holds at a time");
    }
  }

  private List<String> cursorKeys() {
    List<String> keys = new ArrayList<>();
    for (YamlMap.Text key : map.texts("cursor_keys").orElse(List.of())) {
      if (key.value().length() < CURSOR_KEY_MIN) {
        map.problem(key, "has fewer than " + CURSOR_KEY_MIN + " characters", CURSOR_KEYS);
      }
      keys.add(key.value());
    }
    if (keys.isEmpty()) {
      map.problem("cursor_keys", "is missing: it signs the cursors of pages", CURSOR_KEYS);
    }
    return keys;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private QueryTable table(YamlMap entry) {
    if (!entry.has("id")) {
      entry.problem("id", "is missing", "write id: [order_id], what tells rows apart");
    }
    List<String> id = columns(entry, "id");
    Map<Purpose, String> times = new EnumMap<>(Purpose.class);
    Set<String> assigned = new LinkedHashSet<>();
    entry.requireMap("times", TIMES).ifPresent(written -> readTimes(written, times, assigned));
    List<String> select = columns(entry, "select");
    if (select.isEmpty()) {
      select = Stream.concat(id.stream(), times.values().stream()).distinct().toList();
    }
    List<String> filters = columns(entry, "filter");
    List<String> orders = columns(entry, "order");
    List<String> masked = columns(entry, "mask");
    for (String column : masked) {
      if (filters.contains(column)
          || orders.contains(column)
          || id.contains(column)
          || times.containsValue(column)) {
        entry.problem(
            "mask",
            "names " + column + ", which conditions or orders may name: they tell what it holds",
            "take it out of id, times, filter and order");
      }
    }
    List<String> wide = columns(entry, "wide");
    for (String column : wide) {
      if (orders.contains(column) || id.contains(column) || times.containsValue(column)) {
        entry.problem(
            "wide",
            "names " + column + ", by which rows are put in order: it is read of all of them",
            "take it out of id, times and order, or out of wide");
      }
    }
    Map<String, String> lastFour = lastFour(entry);
    return new QueryTable(
        id,
        times,
        and(select, lastFour.keySet()),
        and(filters, lastFour.keySet()),
        orders,
        masked,
        lastFour,
        wide,
        entry.duration("span", SPAN_MIN, SPAN_MAX).orElse(QueryTable.SPAN_DEFAULT),
        assigned);
  }

  private static Map<String, String> lastFour(YamlMap entry) {
    Map<String, String> lastFour = new LinkedHashMap<>();
    Optional<YamlMap> written = entry.has("last_four") ? entry.map("last_four") : Optional.empty();
    for (String name : written.map(YamlMap::names).orElse(List.of())) {
      checkColumn(written.get(), name, name);
      written
          .get()
          .text(name)
          .ifPresent(
              column -> {
                checkColumn(written.get(), name, column);
                lastFour.put(name, column);
              });
    }
    return lastFour;
  }

  private static List<String> and(List<String> columns, Set<String> others) {
    return Stream.concat(columns.stream(), others.stream()).distinct().toList();
  }

  private static void readTimes(YamlMap written, Map<Purpose, String> times, Set<String> assigned) {
    if (written.names().isEmpty()) {
      written.problem("names no time column", TIMES);
    }
    for (String word : written.names()) {
      Optional<Purpose> purpose = Purpose.of(word);
      Optional<String> column =
          written.isMap(word)
              ? written.map(word).flatMap(detail -> readTime(detail, assigned))
              : written.text(word);
      if (purpose.isEmpty()) {
        written.problem(
            word,
            "is no purpose of a time column",
            "write one of "
                + Stream.of(Purpose.values()).map(Purpose::word).collect(Collectors.joining(", ")));
      } else if (column.isPresent()) {
        checkColumn(written, word, column.get());
        if (times.containsValue(column.get())) {
          written.problem(
              word,
              "is " + written.shown(word) + ", which has another purpose already",
              "name a column of its own: the questions have different answers");
        }
        times.put(purpose.get(), column.get());
      }
    }
  }

  private static Optional<String> readTime(YamlMap detail, Set<String> assigned) {
    detail.allow(TIME_KEYS);
    Optional<String> column = detail.requireText("column", TIME);
    Optional<String> by = detail.text("assigned");
    by.filter(word -> !word.equals(DATABASE))
        .ifPresent(word -> detail.problem("assigned", "is " + detail.shown("assigned"), TIME));
    if (by.filter(DATABASE::equals).isPresent()) {
      column.ifPresent(assigned::add);
    }
    return column;
  }

  private static void checkColumn(YamlMap written, String key, String column) {
    GroupMapping.nameMistake(column, "column").ifPresent(mistake -> written.problem(key, mistake));
  }

  private static List<String> columns(YamlMap entry, String key) {
    Set<String> columns = new LinkedHashSet<>();
    for (YamlMap.Text column : entry.texts(key).orElse(List.of())) {
      if (GroupMapping.checkName(entry, column, "column") && !columns.add(column.value())) {
        entry.problem(column, "column " + column.value() + " is there twice", "keep one of them");
      }
    }
    return new ArrayList<>(columns);
  }
}
