package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.Directory;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the state of a catalog and compares it with the file. The version is read first: what is
 * read after it may be newer than the version says, never older. All maps are read by one
 * statement, so that they are of one instant.
 */
record CatalogReader(Configuration configuration, Endpoint endpoint) {
  private static final String META = "SELECT format, cluster_id FROM shardwright_meta";
  private static final String GROUPS =
      "SELECT g.name, g.key_columns, g.hash, g.buckets, g.layout, g.map_version,"
          + " r.first_bucket, r.last_bucket, r.shard"
          + " FROM shardwright_group g LEFT JOIN shardwright_map_range r"
          + " ON r.grp = g.name AND r.version = g.map_version";
  private static final String IN_ORDER = " ORDER BY g.name, r.first_bucket";
  private static final String VERSIONS_OF_FORMAT_1 =
      "SELECT m.format, g.name, g.map_version, 0"
          + " FROM shardwright_meta m CROSS JOIN shardwright_group g";
  private static final String VERSIONS =
      "SELECT m.format, g.name, g.map_version, s.version FROM shardwright_meta m"
          + " CROSS JOIN shardwright_state s CROSS JOIN shardwright_group g";

  record Meta(int format, UUID clusterId) {}

  CatalogState state(Connection c) throws SQLException {
    Meta meta = meta(c);
    boolean hasIndexes = meta.format >= CatalogInstaller.FORMAT_OF_INDEXES;
    long version = hasIndexes ? IndexRows.version(c) : 0;
    Map<String, GroupRow> rows = groups(c);
    Map<String, Directory> recorded =
        meta.format >= CatalogInstaller.FORMAT_OF_DIRECTORIES ? DirectoryRows.read(c) : Map.of();
    Map<String, Directory> directories = new HashMap<>();
    for (TableRow table : CatalogInstaller.readTables(c)) {
      table.check(configuration);
    }
    Map<String, CatalogIndex> indexes = hasIndexes ? IndexRows.read(c, meta.format) : Map.of();
    IndexRows.check(c, configuration, indexes);
    Map<String, BucketMap> maps = new HashMap<>();
    for (Group group : configuration.groups().values()) {
      GroupRow row = rows.get(group.name());
      if (row == null) {
        throw notApplied("lacks group " + group.name(), null);
      }
      Directory directory =
          recorded.getOrDefault(group.name(), Directory.EMPTY).upTo(row.buckets());
      DirectoryRows.check(group, directory);
      if (!directory.isEmpty()) {
        directories.put(group.name(), directory);
      }
      addMap(row, directory.reserved(), maps);
    }
    for (String index : indexes.keySet()) {
      if (rows.containsKey(index)) {
        addMap(rows.get(index), 0, maps);
      }
    }
    return new CatalogState(
        Optional.of(meta.clusterId), version, maps, directories, indexes, announced(c, meta));
  }

  /** Who knows of a move is sent to its target at any time. */
  private Map<String, BucketSet> announced(Connection c, Meta meta) throws SQLException {
    Map<String, BucketSet> announced = new HashMap<>();
    if (meta.format >= CatalogInstaller.FORMAT_OF_MOVES) {
      for (Move move : MoveRows.announced(c)) {
        for (ShardId shard : List.of(move.source(), move.target())) {
          if (!configuration.shards().containsKey(shard)) {
            throw new UnknownShardException(move.toString(), shard);
          }
        }
        announced.merge(move.group(), move.buckets(), BucketSet::plus);
      }
    }
    return announced;
  }

  private void addMap(GroupRow row, int reserved, Map<String, BucketMap> maps) {
    GroupRow.Definition.of(configuration, row.definition().name())
        .ifPresent(
            file ->
                maps.put(
                    file.name(),
                    row.checkedMap(
                        file,
                        configuration.shards().keySet(),
                        row.definition().buckets() + reserved)));
  }

  Meta meta(Connection c) throws SQLException {
    try (Statement statement = c.createStatement();
        ResultSet row = statement.executeQuery(META)) {
      if (!row.next()) {
        throw notApplied("is empty", null);
      }
      checkFormat(row.getInt(1));
      return new Meta(row.getInt(1), UUID.fromString(row.getString(2)));
    }
  }

  /** By name of their map, those of indexes included. */
  static Map<String, GroupRow> groups(Connection c) throws SQLException {
    try (Statement statement = c.createStatement();
        ResultSet row = statement.executeQuery(GROUPS + IN_ORDER)) {
      return groups(row);
    }
  }

  /** One of them. */
  static Optional<GroupRow> group(Connection c, String name) throws SQLException {
    try (PreparedStatement select = c.prepareStatement(GROUPS + " WHERE g.name = ?" + IN_ORDER)) {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return Optional.ofNullable(groups(row).get(name));
      }
    }
  }

  private static Map<String, GroupRow> groups(ResultSet row) throws SQLException {
    Map<String, GroupRow> groups = new HashMap<>();
    while (row.next()) {
      GroupRow group = groups.get(row.getString(1));
      if (group == null) {
        group =
            new GroupRow(
                new GroupRow.Definition(
                    row.getString(1),
                    GroupRow.splitNames(row.getString(2)),
                    row.getString(3),
                    row.getInt(4),
                    row.getString(5)),
                row.getLong(6),
                new ArrayList<>());
        groups.put(row.getString(1), group);
      }
      if (row.getString(9) != null) {
        group
            .ranges()
            .add(new MapRange(row.getInt(7), row.getInt(8), new ShardId(row.getString(9))));
      }
    }
    return groups;
  }

  boolean isNewer(Connection c, CatalogState known) throws SQLException {
    boolean newer = false;
    String sql = known.version() == 0 ? VERSIONS_OF_FORMAT_1 : VERSIONS;
    try (Statement statement = c.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        checkFormat(row.getInt(1));
        newer |=
            known.version() == 0
                ? row.getInt(1) >= CatalogInstaller.FORMAT_OF_INDEXES
                : row.getLong(4) > known.version();
        BucketMap map = known.maps().get(row.getString(2));
        if (map != null && row.getLong(3) < map.version()) {
          throw older(row.getLong(3) + " of the bucket map of group " + map.group(), map.version());
        }
        newer |= map != null && row.getLong(3) > map.version();
        checkNotOlder(row.getLong(4), known);
      }
    }
    return newer;
  }

  void checkNotOlder(long version, CatalogState known) {
    if (version < known.version()) {
      throw older(version + " of its state", known.version());
    }
  }

  private ShardwrightException older(String what, long known) {
    return new ShardwrightException(
        ErrorCode.CATALOG_MISMATCH,
        "the catalog at "
            + endpoint
            + " holds version "
            + what
            + ", older than version "
            + known
            + " seen before; was it restored from a backup? Bring it up to date first");
  }

  void checkFormat(int format) {
    if (format > CatalogInstaller.FORMAT) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_FORMAT_UNSUPPORTED,
          "the catalog at "
              + endpoint
              + " has format "
              + format
              + ", this release knows formats up to "
              + CatalogInstaller.FORMAT
              + "; use the release that wrote it, or a newer one");
    }
  }

  ShardwrightException notApplied(String why, SQLException cause) {
    return new ShardwrightException(
        ErrorCode.NOT_APPLIED,
        "the catalog at " + endpoint + " " + why + "; run shardwright apply -c FILE",
        cause);
  }
}
