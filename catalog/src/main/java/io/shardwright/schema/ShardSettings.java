package io.shardwright.schema;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.ShardSchema.ServerSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * What the sessions of MariaDB shards must have set for statements to mean what Shardwright reads
 * in them: each shard for itself, and all the same as the shard that was asked first. Thread-safe.
 */
public final class ShardSettings {
  private final AtomicReference<Asked> first = new AtomicReference<>();

  private record Asked(ShardId shard, Map<String, String> settings) {}

  /**
   * One round trip.
   *
   * @throws ShardwrightException SW105 when a setting breaks statements, SW505 when one differs
   */
  public void check(ShardId shard, Connection connection) throws SQLException {
    MariaDbSettings settings = MariaDbSettings.read(connection);
    if (!settings.misfits().isEmpty()) {
      throw refused(
          ErrorCode.SCHEMA_INVALID,
          shard,
          settings.misfits().stream()
              .map(misfit -> misfit.message() + "; " + misfit.action())
              .collect(Collectors.joining("; ")));
    }
    Asked asked = new Asked(shard, compared(settings.server()));
    if (!first.compareAndSet(null, asked)) {
      requireEqual(first.get(), asked);
    }
  }

  private static Map<String, String> compared(ServerSettings server) {
    Map<String, String> settings = new TreeMap<>(server.others());
    settings.put("character_set_database", server.encoding());
    settings.put("collation_database", server.collation());
    return settings;
  }

  private static void requireEqual(Asked first, Asked other) {
    first
        .settings()
        .forEach(
            (name, value) -> {
              String found = other.settings().get(name);
              if (!value.equals(found)) {
                throw refused(
                    ErrorCode.SCHEMA_DRIFT,
                    other.shard(),
                    name
                        + " is '"
                        + found
                        + "', on shard "
                        + first.shard()
                        + " it is '"
                        + value
                        + "', so that one statement could mean two things; set it alike in the"
                        + " servers' settings and in the urls, and open the data source again");
              }
            });
  }

  private static ShardwrightException refused(ErrorCode code, ShardId shard, String message) {
    return new ShardwrightException(code, "shard " + shard + " is not used: " + message);
  }
}
