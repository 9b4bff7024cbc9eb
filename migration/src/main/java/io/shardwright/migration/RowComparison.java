package io.shardwright.migration;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.Comparison.Difference;
import io.shardwright.migration.Comparison.Kind;
import io.shardwright.routing.BucketId;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the rows of a bucket that differ. Ranges of the primary key of so many rows of the source
 * are compared by count and checksum, and only where these differ the rows by their keys: so a huge
 * bucket with one wrong row costs some two scans, and memory for one range.
 *
 * <p>The source's connection is in the snapshot that the target was brought to.
 */
final class RowComparison {
  private static final int FETCH_ROWS = 1_000;
  private static final int KEY_MAX_CHARS = 200;
  private static final Pattern NUMBER = Pattern.compile("'(-?[0-9.]+)'");

  private final Route route;
  private final Function<MovedTable, List<Column>> compared;
  private final Limits limits;
  private final Optional<RepairSql> repair;
  private final List<Difference> found = new ArrayList<>();
  private long count;

  /**
   * @param segmentRows of the source in one range of keys
   * @param keys of differing rows that are kept; others are counted
   */
  record Limits(int segmentRows, int keys) {}

  /**
   * @param compared the columns of a table that are compared
   */
  RowComparison(
      Route route,
      Function<MovedTable, List<Column>> compared,
      Limits limits,
      Optional<RepairSql> repair) {
    this.route = route;
    this.compared = compared;
    this.limits = limits;
    this.repair = repair;
  }

  /** A row by the literals of its key. */
  private record Row(List<String> key, Kind kind) {}

  List<Difference> found() {
    return found;
  }

  /** Of all, those that are not kept among them. */
  long count() {
    return count;
  }

  void compare(MovedTable table, BucketId bucket) throws SQLException {
    long before = count;
    MoverConnection source = route.source();
    List<String> key = quoted(table.key());
    String order =
        key.stream()
            .collect(
                Collectors.joining(", ", "ORDER BY ", " LIMIT 1 OFFSET " + limits.segmentRows));
    Optional<List<String>> from = Optional.empty();
    boolean more = true;
    while (more) {
      String rest =
          ShardSchema.BUCKET_COLUMN
              + " = "
              + bucket.value()
              + from.map(first -> " AND " + source.compare(key, ">=", first)).orElse("");
      Optional<List<String>> next = source.firstKey(table, rest, order);
      compareRange(
          table,
          bucket,
          rest + next.map(end -> " AND " + source.compare(key, "<", end)).orElse(""));
      from = next;
      more = next.isPresent();
    }
    if (count == before) {
      throw new ShardwrightException(
          ErrorCode.INVARIANT_BROKEN,
          "table " + table.name() + ", bucket " + bucket + ": checksums differ, and no row does");
    }
  }

  private List<String> quoted(List<Column> columns) {
    return columns.stream().map(column -> route.source().quote(column.name())).toList();
  }

  private void compareRange(MovedTable table, BucketId bucket, String range) throws SQLException {
    List<Column> columns = compared.apply(table);
    if (route
        .source()
        .digest(table, columns, range)
        .equals(route.target().digest(table, columns, range))) {
      return;
    }
    Map<List<String>, String> expected = new HashMap<>();
    read(route.source(), table, range, (key, hash) -> expected.put(key, hash));
    List<Row> rows = new ArrayList<>();
    route
        .target()
        .inTransaction(
            () -> {
              read(route.target(), table, range, (key, hash) -> judge(expected, key, hash, rows));
              return null;
            });
    for (List<String> key : expected.keySet()) {
      keep(rows, new Row(key, Kind.MISSING));
    }
    for (Row row : rows) {
      List<Column> differing = row.kind == Kind.DIFFERENT ? differing(table, row.key) : List.of();
      found.add(
          new Difference(
              table.name(),
              bucket,
              shown(table, row.key),
              row.kind,
              differing.stream().map(Column::name).toList()));
      if (repair.isPresent()) {
        repair.get().add(table, row.kind, row.key, differing);
      }
    }
  }

  private interface Keyed {
    void row(List<String> key, String hash);
  }

  private void read(MoverConnection shard, MovedTable table, String range, Keyed each)
      throws SQLException {
    int width = table.key().size();
    String select =
        Stream.concat(
                table.key().stream().map(column -> shard.literal("t", column)),
                Stream.of(shard.hash(compared.apply(table))))
            .collect(Collectors.joining(", "));
    try (Statement statement = shard.connection().createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT " + select + " FROM " + shard.quote(table.name()) + " t WHERE " + range)) {
        while (row.next()) {
          List<String> key = new ArrayList<>(width);
          for (int i = 1; i <= width; i++) {
            key.add(row.getString(i));
          }
          each.row(List.copyOf(key), row.getString(width + 1));
        }
      }
    }
  }

  private void judge(
      Map<List<String>, String> expected, List<String> key, String hash, List<Row> rows) {
    String there = expected.remove(key);
    if (there == null) {
      keep(rows, new Row(key, Kind.EXTRA));
    } else if (!there.equals(hash)) {
      keep(rows, new Row(key, Kind.DIFFERENT));
    }
  }

  private void keep(List<Row> rows, Row row) {
    count++;
    if (found.size() + rows.size() < limits.keys) {
      rows.add(row);
    }
  }

  private List<Column> differing(MovedTable table, List<String> key) throws SQLException {
    List<Column> columns = compared.apply(table);
    List<String> there = hashes(route.source(), table, columns, key);
    List<String> here = hashes(route.target(), table, columns, key);
    return IntStream.range(0, columns.size())
        .filter(i -> !there.get(i).equals(here.get(i)))
        .mapToObj(columns::get)
        .toList();
  }

  private static List<String> hashes(
      MoverConnection shard, MovedTable table, List<Column> columns, List<String> key)
      throws SQLException {
    List<String> hashes = new ArrayList<>();
    try (Statement statement = shard.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT "
                    + columns.stream()
                        .map(column -> shard.hash(List.of(column)))
                        .collect(Collectors.joining(", "))
                    + " FROM "
                    + shard.quote(table.name())
                    + " t WHERE "
                    + ofKey(shard, table, key))) {
      row.next();
      for (int i = 1; i <= columns.size(); i++) {
        hashes.add(row.getString(i));
      }
    }
    return hashes;
  }

  /** A condition for the row with a key that is given by literals. */
  static String ofKey(MoverConnection shard, MovedTable table, List<String> key) {
    return IntStream.range(0, key.size())
        .mapToObj(i -> shard.quote(table.key().get(i).name()) + " = " + key.get(i))
        .collect(Collectors.joining(" AND "));
  }

  /** Without the bucket, which comes first. */
  private static String shown(MovedTable table, List<String> key) {
    String text =
        IntStream.range(1, key.size())
            .mapToObj(i -> table.key().get(i).name() + "=" + plain(key.get(i)))
            .collect(Collectors.joining(", "));
    return text.length() <= KEY_MAX_CHARS ? text : text.substring(0, KEY_MAX_CHARS - 3) + "...";
  }

  /** A literal without the type that PostgreSQL's have; a number without quotes. */
  private static String plain(String literal) {
    int type = literal.lastIndexOf("'::");
    String value = type < 0 ? literal : literal.substring(0, type + 1);
    return NUMBER.matcher(value).replaceFirst("$1");
  }
}
