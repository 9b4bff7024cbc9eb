package io.shardwright.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What may be asked across all shards (docs/gateway.md).
 *
 * @param limits of every query
 * @param cursorKeys secrets that sign cursors: the first one does, all are believed
 * @param tables by name, in file order
 * @param access who may ask
 * @param directory where one gateway keeps exports and what else has to survive it; empty: nowhere,
 *     and none are made
 * @param exports limits of exports
 * @param async limits of queries that are asked again until they are complete
 */
public record QueryRules(
    Limits limits,
    List<String> cursorKeys,
    Map<String, QueryTable> tables,
    QueryAccess access,
    Optional<Path> directory,
    ExportLimits exports,
    AsyncLimits async) {
  public QueryRules {
    cursorKeys = List.copyOf(cursorKeys);
    tables = Configuration.ordered(tables);
  }

  /** That anyone may ask, and that nothing is kept. */
  public QueryRules(Limits limits, List<String> cursorKeys, Map<String, QueryTable> tables) {
    this(
        limits,
        cursorKeys,
        tables,
        QueryAccess.ANYONE,
        Optional.empty(),
        ExportLimits.DEFAULT,
        AsyncLimits.DEFAULT);
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "QueryRules[" + limits + ", " + tables + "]";
  }

  /**
   * @param timeout of a query, the most that a caller may ask for, too
   * @param shardTimeout in which a shard must answer before it is asked once more
   * @param rows of one page at most
   * @param rate queries of one shape in a second that may go to all shards, on average
   */
  public record Limits(Duration timeout, Duration shardTimeout, int rows, int rate) {
    public static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(2), Duration.ofSeconds(1), 1_000, 10);
  }

  /**
   * @param span of time that one export may ask for, at most; empty: that of the table
   * @param expire after its end, when its files are deleted
   * @param rate rows of one export in a second, on average
   * @param concurrent exports that run at a time; others wait
   * @param fileRows rows of one file; the last one has fewer
   * @param patience without an answer of all shards, after which an export fails
   */
  public record ExportLimits(
      Optional<Duration> span,
      Duration expire,
      int rate,
      int concurrent,
      int fileRows,
      Duration patience) {
    public static final ExportLimits DEFAULT =
        new ExportLimits(
            Optional.empty(), Duration.ofHours(24), 20_000, 2, 250_000, Duration.ofMinutes(10));
  }

  /**
   * @param patience since the query came, after which it fails
   * @param expire after its end, when it is forgotten
   * @param concurrent that are asked at a time; others wait
   */
  public record AsyncLimits(Duration patience, Duration expire, int concurrent) {
    public static final AsyncLimits DEFAULT =
        new AsyncLimits(Duration.ofMinutes(10), Duration.ofHours(1), 4);
  }

  /** Which question a time column answers. They have different answers. */
  public enum Purpose {
    /** When the row came to be. */
    CREATED,
    /** When it was paid. */
    PAID,
    /** When it was last changed: says nothing about when it was created. */
    UPDATED,
    /** When it entered the books. */
    SETTLED,
    /** When something happened, which may be long before it was told. */
    EVENT;

    /** As it is written in files and requests. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The other way. */
    public static Optional<Purpose> of(String word) {
      return List.of(values()).stream().filter(purpose -> purpose.word().equals(word)).findFirst();
    }
  }

  /**
   * One table.
   *
   * @param id columns that, with bucket_id, tell a row from all others; they end every order
   * @param times the column of each purpose
   * @param select columns that may be read; empty: those of {@code id} and {@code times}
   * @param filters columns that conditions may name
   * @param orders columns beside time columns that may order
   * @param masked columns of which only the last four characters are shown
   * @param lastFour names under which the last four characters of columns of text can be read and
   *     asked for, and these columns
   * @param wide columns with long values, which are read for the rows of the page alone
   * @param span of time that one query may ask for, at most
   * @param assigned time columns that the database assigns in the transaction that writes the row
   */
  public record QueryTable(
      List<String> id,
      Map<Purpose, String> times,
      List<String> select,
      List<String> filters,
      List<String> orders,
      List<String> masked,
      Map<String, String> lastFour,
      List<String> wide,
      Duration span,
      Set<String> assigned) {
    public static final Duration SPAN_DEFAULT = Duration.ofDays(31);

    /** That applications assign all times. */
    public QueryTable(
        List<String> id,
        Map<Purpose, String> times,
        List<String> select,
        List<String> filters,
        List<String> orders,
        List<String> masked,
        Map<String, String> lastFour,
        List<String> wide,
        Duration span) {
      this(id, times, select, filters, orders, masked, lastFour, wide, span, Set.of());
    }

    public QueryTable {
      id = List.copyOf(id);
      times = Configuration.ordered(times);
      select = List.copyOf(select);
      filters = List.copyOf(filters);
      orders = List.copyOf(orders);
      masked = List.copyOf(masked);
      lastFour = Configuration.ordered(lastFour);
      wide = List.copyOf(wide);
      assigned = Set.copyOf(assigned);
    }

    /** The same for other questions, which may ask for another span. */
    public QueryTable withSpan(Duration other) {
      return new QueryTable(id, times, select, filters, orders, masked, lastFour, wide, other);
    }

    /** The purpose of a time column. */
    public Optional<Purpose> purposeOf(String column) {
      return times.entrySet().stream()
          .filter(entry -> entry.getValue().equals(column))
          .map(Map.Entry::getKey)
          .findFirst();
    }
  }
}
