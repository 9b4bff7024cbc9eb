package io.shardwright.migration;

import io.shardwright.catalog.ObjectName;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.UniqueScope;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Unique;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Values that are unique on each shard only ({@code unique: local}) and would meet on the target of
 * a move, which would refuse the rows. The values of the moved rows are sent to the target and
 * compared there, as its constraint compares them; nothing stays there. Costs as much as copying
 * these columns. The condition of a partial index is not known here: more is told then.
 */
record LocalUniques(Configuration configuration, String group, BucketMap map, BucketSet buckets) {
  /** Whose columns hold neither bucket nor route key: other values may be on any shard. */
  List<Unique> of(MovedTable table) {
    Group declared = configuration.groups().get(group);
    Configuration.Table rules = declared == null ? null : declared.tables().get(table.name());
    if (rules == null) {
      return List.of();
    }
    return table.table().uniques().stream()
        .filter(unique -> rules.unique().get(unique.name()) == UniqueScope.LOCAL)
        .filter(unique -> !unique.columns().contains(ShardSchema.BUCKET_COLUMN))
        .filter(unique -> !unique.columns().containsAll(rules.key()))
        .filter(unique -> columns(table, unique).size() == unique.columns().size())
        .toList();
  }

  /** For people, of one constraint each. */
  List<String> problems(MoverConnection target, List<MovedTable> tables) throws SQLException {
    List<String> problems = new ArrayList<>();
    for (MovedTable table : tables) {
      for (Unique unique : of(table)) {
        long meeting = meeting(target, table, unique);
        if (meeting > 0) {
          problems.add(
              unique.kind()
                  + " "
                  + unique.name()
                  + " of table "
                  + table.name()
                  + " (unique: local) would refuse "
                  + meeting
                  + (meeting == 1 ? " row" : " rows")
                  + " on shard "
                  + target.shard()
                  + ", where the values of "
                  + unique.columns()
                  + " are already, or come from two shards; change one of the rows of each value, or"
                  + " move other buckets");
        }
      }
    }
    return problems;
  }

  private long meeting(MoverConnection target, MovedTable table, Unique unique)
      throws SQLException {
    List<Column> columns = columns(table, unique);
    Map<ShardId, BucketSet> sources = sources(target.shard());
    return target.inTransaction(
        () -> {
          String stage =
              target.stage(
                  ObjectName.fit("shardwright_local_", unique.name()),
                  table,
                  unique.columns(),
                  columns);
          for (Map.Entry<ShardId, BucketSet> source : sources.entrySet()) {
            send(source.getKey(), source.getValue(), target, stage, table, columns);
          }
          return there(target, stage, table, unique) + twice(target, stage, unique);
        });
  }

  private void send(
      ShardId shard,
      BucketSet moved,
      MoverConnection target,
      String stage,
      MovedTable table,
      List<Column> columns)
      throws SQLException {
    List<String> names = columns.stream().map(Column::name).toList();
    try (MoverConnection source = MoverConnection.open(configuration, shard)) {
      String select =
          "SELECT "
              + source.selectList("t", names, columns)
              + " FROM "
              + source.quote(table.name())
              + " t WHERE "
              + MoverConnection.ofBuckets(moved)
              + columns.stream()
                  .map(column -> " AND t." + source.quote(column.name()) + " IS NOT NULL")
                  .collect(Collectors.joining());
      long unused = target.receive(source, select, stage, names, columns);
    }
  }

  /** Copies of the same buckets that an earlier move left are deleted by this one. */
  private long there(MoverConnection target, String stage, MovedTable table, Unique unique)
      throws SQLException {
    String sql =
        "SELECT count(*) FROM "
            + stage
            + " s JOIN "
            + target.quote(table.name())
            + " t ON "
            + target.equal("s", unique.columns(), "t", unique.columns())
            + " WHERE NOT ("
            + MoverConnection.ofBuckets(buckets)
            + ")";
    return target.numbers(sql).get(0);
  }

  private static long twice(MoverConnection target, String stage, Unique unique)
      throws SQLException {
    String sql =
        "SELECT COALESCE(SUM(n), 0) FROM (SELECT count(*) - 1 AS n FROM "
            + stage
            + " GROUP BY "
            + unique.columns().stream().map(target::quote).collect(Collectors.joining(", "))
            + ") counted";
    return target.numbers(sql).get(0);
  }

  private Map<ShardId, BucketSet> sources(ShardId target) {
    Map<ShardId, List<BucketId>> moved = new TreeMap<>();
    for (BucketId bucket : buckets) {
      if (!map.shardOf(bucket).equals(target)) {
        moved.computeIfAbsent(map.shardOf(bucket), shard -> new ArrayList<>()).add(bucket);
      }
    }
    Map<ShardId, BucketSet> sources = new TreeMap<>();
    moved.forEach((shard, some) -> sources.put(shard, BucketSet.of(some)));
    return sources;
  }

  private static List<Column> columns(MovedTable table, Unique unique) {
    return unique.columns().stream().flatMap(name -> table.table().column(name).stream()).toList();
  }
}
