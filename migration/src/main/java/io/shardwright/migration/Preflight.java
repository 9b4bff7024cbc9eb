package io.shardwright.migration;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Invariant;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Fence;
import io.shardwright.schema.MoveChecks;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ForeignKey;
import io.shardwright.schema.ShardSchema.Unique;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What would make a move fail, all of it at once, before anything is touched. Both directions are
 * looked at, since a move may be rolled back. Changes nothing.
 */
final class Preflight {
  private final Configuration configuration;
  private final Catalog catalog;
  private final String group;
  private final List<String> problems = new ArrayList<>();

  /**
   * @param group or the placement of a lookup index
   */
  Preflight(Configuration configuration, Catalog catalog, String group) {
    this.configuration = configuration;
    this.catalog = catalog;
    this.group = group;
  }

  /**
   * @return for people, each with what to do; empty when nothing is known that would go wrong
   */
  List<String> problems(BucketSet buckets, ShardId target) {
    CatalogState state = catalog.load();
    BucketMap map = state.maps().get(group);
    if (map == null) {
      return List.of("there is no table group or lookup index " + group + " in the catalog");
    }
    if (!configuration.shards().containsKey(target)) {
      return List.of(
          "the configuration has no shard "
              + target
              + "; it has "
              + configuration.shardIds()
              + "; add it by shardwright shard add");
    }
    for (BucketId bucket : buckets) {
      configuration
          .forbids(group, bucket, target)
          .ifPresent(why -> problems.add(why + "; choose a shard that has these labels"));
    }
    Set<ShardId> shards = new TreeSet<>(Set.of(target));
    buckets.forEach(bucket -> shards.add(map.shardOf(bucket)));
    Map<ShardId, Map<String, MovedTable>> tables = new LinkedHashMap<>();
    for (ShardId shard : shards) {
      look(shard, state, map).ifPresent(found -> tables.put(shard, found));
    }
    if (tables.containsKey(target)) {
      tables.forEach((shard, found) -> compare(shard, found, target, tables.get(target)));
    }
    if (problems.isEmpty()) {
      checkLocalUniques(
          new LocalUniques(configuration, group, map, buckets),
          List.copyOf(tables.get(target).values()),
          target);
    }
    return List.copyOf(problems);
  }

  /** Empty when the shard cannot be looked at. */
  private Optional<Map<String, MovedTable>> look(ShardId shard, CatalogState state, BucketMap map) {
    // Not every mover may see triggers.
    try (MoverConnection mover = MoverConnection.open(configuration, shard);
        Connection owner = DatabaseLogin.SHORT.open(configuration.shards().get(shard).endpoint())) {
      checkRows(mover, map);
      MoveChecks.unmovable(configuration, shard, owner, state, group)
          .forEach(finding -> problems.add(finding.toString()));
      Map<String, MovedTable> tables = new LinkedHashMap<>();
      for (MovedTable table : new MovingTables(configuration, group).on(mover)) {
        tables.put(table.name(), table);
        checkReferences(shard, table);
        checkRights(mover, table.name());
        checkRights(mover, table.captureTable());
      }
      for (String name : new MovingTables(configuration, group).names()) {
        if (!tables.containsKey(name)) {
          problems.add("shard " + shard + " has no table " + name + "; create it there");
        }
      }
      checkVerification(mover, tables);
      return Optional.of(tables);
    } catch (ShardwrightException e) {
      problems.add(e.getMessage());
    } catch (SQLException e) {
      problems.add(ShardFailures.unavailable(shard, e).getMessage());
    }
    return Optional.empty();
  }

  private void checkRows(MoverConnection mover, BucketMap map) throws SQLException {
    BucketSet all = BucketSet.parse("0-" + (map.buckets() - 1));
    BucketSet here = mover.where(group, all, "1 = 1");
    BucketSet elsewhere =
        mover.where(group, all, "incarnation <> " + Fence.incarnation(configuration.product()));
    if (here.size() < map.buckets()) {
      problems.add(
          "shard "
              + mover.shard()
              + " lacks rows of shardwright_bucket for group "
              + group
              + "; run shardwright apply -c FILE");
    } else if (!elsewhere.isEmpty()) {
      problems.add(
          "shard "
              + mover.shard()
              + " was failed over: its rows of shardwright_bucket were recorded on another server;"
              + " compare them with the catalog first");
    } else if (!strange(mover, map, mover.where(group, all, "state = 'open'")).isEmpty()) {
      problems.add(
          "the open buckets of group "
              + group
              + " on shard "
              + mover.shard()
              + " are not those that the catalog's map gives it; was the catalog or the shard"
              + " restored from a backup?");
    }
    checkRight(mover, "UPDATE " + Fence.BUCKET_TABLE + " SET token = token WHERE 1 = 0");
  }

  /** Open and not owned, or owned and not open; but for buckets of moves that are under way. */
  private BucketSet strange(MoverConnection mover, BucketMap map, BucketSet open) {
    BucketSet owned = BucketSet.of(map.bucketsOf(mover.shard()));
    BucketSet differing = open.minus(owned).plus(owned.minus(open));
    if (differing.isEmpty()) {
      return differing;
    }
    // Of what has begun, or ended, since the map was read.
    CatalogState now = catalog.load();
    BucketSet ownedNow = BucketSet.of(now.maps().get(group).bucketsOf(mover.shard()));
    return differing
        .minus(now.announced().getOrDefault(group, BucketSet.EMPTY))
        .minus(owned.minus(ownedNow))
        .minus(ownedNow.minus(owned));
  }

  /**
   * What is declared for the comparison of both sides fits the tables, and the mover may run it.
   */
  private void checkVerification(MoverConnection mover, Map<String, MovedTable> tables) {
    MovingTables moving = new MovingTables(configuration, group);
    for (String excluded : moving.notCompared()) {
      int dot = excluded.indexOf('.');
      String column = excluded.substring(dot + 1);
      MovedTable table = tables.get(excluded.substring(0, dot));
      if (table == null) {
        continue;
      }
      boolean isKey = table.key().stream().anyMatch(c -> c.name().equals(column));
      if (isKey || table.table().column(column).isEmpty()) {
        problems.add(
            "verify.exclude of table "
                + table.name()
                + " names column "
                + column
                + (isKey
                    ? ", which is in the primary key; keys are always compared"
                    : ", which the table on shard " + mover.shard() + " does not have"));
      }
    }
    for (Invariant invariant : moving.invariants()) {
      try {
        mover.execute("EXPLAIN " + invariant.of(BucketSet.of(List.of(new BucketId(0)))));
      } catch (SQLException e) {
        problems.add(
            "invariant "
                + invariant.name()
                + " cannot be checked by the mover on shard "
                + mover.shard()
                + ": "
                + e.getMessage());
      }
    }
  }

  /** PostgreSQL checks foreign keys for the mover, too: parents have to be there first. */
  private void checkReferences(ShardId shard, MovedTable table) {
    if (configuration.product() == DatabaseProduct.MARIADB) {
      return;
    }
    for (ForeignKey key : table.table().foreignKeys()) {
      if (key.target().equals(table.name())) {
        problems.add(
            "foreign key "
                + key.name()
                + " of table "
                + table.name()
                + " on shard "
                + shard
                + " refers to the table itself, whose rows are copied in pieces; drop it for the"
                + " time of the move");
      }
    }
  }

  /** Statements that change nothing fail for want of a right all the same. */
  private void checkRights(MoverConnection mover, String table) throws SQLException {
    String name = mover.quote(table);
    checkRight(mover, "DELETE FROM " + name + " WHERE 1 = 0");
    checkRight(mover, "INSERT INTO " + name + " SELECT * FROM " + name + " WHERE 1 = 0");
    checkRight(mover, "UPDATE " + name + " SET bucket_id = bucket_id WHERE 1 = 0");
  }

  private void checkRight(MoverConnection mover, String statement) throws SQLException {
    try {
      mover.execute(statement);
    } catch (SQLException e) {
      if (!SqlFailure.isMissingRight(e)) {
        return;
      }
      problems.add(
          "the mover lacks a right on shard "
              + mover.shard()
              + ": "
              + e.getMessage()
              + "; see docs/moves.md, Grants");
    }
  }

  private void compare(
      ShardId shard,
      Map<String, MovedTable> tables,
      ShardId target,
      Map<String, MovedTable> targets) {
    for (Map.Entry<String, MovedTable> table : tables.entrySet()) {
      MovedTable there = targets.get(table.getKey());
      if (there != null && !shape(table.getValue()).equals(shape(there))) {
        List<String> here = new ArrayList<>(shape(table.getValue()));
        List<String> other = new ArrayList<>(shape(there));
        List<String> both = List.copyOf(here);
        here.removeAll(other);
        other.removeAll(both);
        problems.add(
            "table "
                + table.getKey()
                + " differs: "
                + (here.isEmpty() ? "nothing" : String.join(", ", here))
                + " on shard "
                + shard
                + " only, "
                + (other.isEmpty() ? "nothing" : String.join(", ", other))
                + " on shard "
                + target
                + " only; make them equal by one schema change through shardwright sql");
      }
    }
  }

  /** Where the tables are equal: it reads rows. */
  private void checkLocalUniques(LocalUniques uniques, List<MovedTable> tables, ShardId target) {
    if (tables.stream().allMatch(table -> uniques.of(table).isEmpty())) {
      return;
    }
    try (MoverConnection mover = MoverConnection.open(configuration, target)) {
      problems.addAll(uniques.problems(mover, tables));
    } catch (SQLException e) {
      problems.add(ShardFailures.unavailable(target, e).getMessage());
    }
  }

  /** What has to be equal for rows to go there and back; in no order. */
  private static List<String> shape(MovedTable table) {
    List<String> shape = new ArrayList<>();
    for (Column column : table.table().columns()) {
      shape.add(
          "column "
              + column.name()
              + " "
              + column.type()
              + (column.nullable() ? "" : " not null")
              + column.collation().map(c -> " collate " + c.name()).orElse("")
              + (table.columns().contains(column) ? "" : " computed"));
    }
    for (Unique unique : table.table().uniques()) {
      shape.add(
          unique.kind() + unique.columns().stream().collect(Collectors.joining(", ", " (", ")")));
    }
    for (ForeignKey key : table.table().foreignKeys()) {
      shape.add("foreign key " + key.columns() + " to " + key.target() + " " + key.onDelete());
    }
    return shape.stream().sorted().toList();
  }

  /**
   * @throws ShardwrightException SW105 with all of it
   */
  void require(BucketSet buckets, ShardId target) {
    List<String> found = problems(buckets, target);
    if (!found.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.SCHEMA_INVALID,
          "buckets of group "
              + group
              + " cannot be moved to shard "
              + target
              + "; nothing was done:\n- "
              + String.join("\n- ", found));
    }
  }
}
