package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.Directory;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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
import java.util.stream.Collectors;

/** The rows of directories. They are added together with the map that has their buckets. */
final class DirectoryRows {
  static final String REASON = "directory";

  private DirectoryRows() {}

  /** By group. What is read after the maps may be newer than they are, never older. */
  static Map<String, Directory> read(Connection connection) throws SQLException {
    Map<String, List<Directory.Entry>> entries = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT grp, first_bucket, bucket_count, key_values FROM shardwright_directory"
                    + " ORDER BY grp, first_bucket")) {
      while (row.next()) {
        entries
            .computeIfAbsent(row.getString(1), group -> new ArrayList<>())
            .add(new Directory.Entry(decoded(row.getString(4)), row.getInt(2), row.getInt(3)));
      }
    }
    Map<String, Directory> directories = new HashMap<>();
    entries.forEach((group, of) -> directories.put(group, new Directory(of)));
    return directories;
  }

  static void insert(Connection connection, String group, List<Directory.Entry> entries)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO shardwright_directory (grp, first_bucket, bucket_count, key_values)"
                + " VALUES (?, ?, ?, ?)")) {
      for (Directory.Entry entry : entries) {
        insert.setString(1, group);
        insert.setInt(2, entry.first());
        insert.setInt(3, entry.count());
        insert.setString(4, encoded(entry.key()));
        insert.executeUpdate();
      }
    }
  }

  /**
   * Adds what the file has beyond the record, in the caller's transaction.
   *
   * @return what was added, for people
   * @throws ShardwrightException SW416 when the file has not what is on record, SW413 while buckets
   *     of the group move
   */
  static List<String> grow(Connection connection, Configuration configuration) throws SQLException {
    List<String> grown = new ArrayList<>();
    Map<String, Directory> recorded = read(connection);
    for (Group group : configuration.groups().values()) {
      Directory known = recorded.getOrDefault(group.name(), Directory.EMPTY);
      check(group, known);
      if (group.directory().entries().size() > known.entries().size()) {
        List<Directory.Entry> added =
            group
                .directory()
                .entries()
                .subList(known.entries().size(), group.directory().entries().size());
        IndexRows.nextVersion(connection);
        requireAtRest(connection, group.name());
        insert(connection, group.name(), added);
        publish(connection, configuration, group);
        added.forEach(entry -> grown.add("group " + group.name() + ": " + entry));
      }
    }
    return grown;
  }

  private static void publish(Connection connection, Configuration configuration, Group group)
      throws SQLException {
    GroupRow row = CatalogReader.group(connection, group.name()).orElseThrow();
    BucketMap map =
        row.checkedMap(
            GroupRow.Definition.of(group), configuration.shards().keySet(), row.buckets());
    BucketMap next = group.grown(map, configuration.shards().values());
    CatalogInstaller.followMap(connection, next, REASON, UUID.randomUUID());
  }

  private static void requireAtRest(Connection connection, String group) throws SQLException {
    Optional<Move> move = MoveRows.lockedUnended(connection, group);
    if (move.isPresent()) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_CONFLICT,
          "the directory of group "
              + group
              + " cannot grow while "
              + move.get()
              + " is under way; wait for its end, or cancel it, then run apply again");
    }
  }

  /**
   * @throws ShardwrightException SW416 when neither grew out of the other
   */
  static void check(Group file, Directory recorded) {
    if (!recorded.isBeginningOf(file.directory()) && !file.directory().isBeginningOf(recorded)) {
      Directory.Entry first = recorded.entries().get(0);
      for (int i = 0; i < recorded.entries().size(); i++) {
        if (!recorded.entries().get(i).equals(file.directory().entries().get(i))) {
          first = recorded.entries().get(i);
          break;
        }
      }
      throw new ShardwrightException(
          ErrorCode.CATALOG_MISMATCH,
          "group "
              + file.name()
              + ": "
              + first
              + " of its directory is another one in the file than in the catalog; entries are"
              + " fixed, since rows are where they say: write it as it was, and new ones after it");
    }
  }

  private static String encoded(List<String> key) {
    return key.stream()
        .map(value -> URLEncoder.encode(value, StandardCharsets.UTF_8))
        .collect(Collectors.joining(","));
  }

  private static List<String> decoded(String key) {
    return GroupRow.splitNames(key).stream()
        .map(value -> URLDecoder.decode(value, StandardCharsets.UTF_8))
        .toList();
  }
}
