package io.shardwright.driver;

import io.shardwright.catalog.UnknownShardException;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shards that were added to the configuration file while this process runs. The file is read again
 * when the catalog names a shard that the process does not have; nothing else in it is taken over.
 * Not thread-safe.
 */
final class NewShards {
  private static final Logger LOG = LoggerFactory.getLogger(NewShards.class);

  /** Between two looks at the file. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String file;
  private final Supplier<Configuration> reader;
  private boolean looked;
  private long lookedNanos;
  private String lastWarning = "";

  /** Makes shards usable, all or none. */
  interface Opening {
    void open(Collection<Shard> shards) throws SQLException;
  }

  /**
   * @param file for messages
   */
  NewShards(String file, Supplier<Configuration> reader) {
    this.file = file;
    this.reader = reader;
  }

  /**
   * @param process as the catalog knows it
   * @return the configuration with the shards that were opened; empty: there is none, or it cannot
   *     be used, which is logged once
   */
  Optional<Configuration> look(
      UnknownShardException unknown, Configuration known, UUID process, Opening opening) {
    if (looked && System.nanoTime() - lookedNanos < PAUSE_NANOS) {
      return Optional.empty();
    }
    looked = true;
    lookedNanos = System.nanoTime();
    try {
      Map<ShardId, Shard> added = new LinkedHashMap<>(reader.get().shards());
      added.keySet().removeAll(known.shards().keySet());
      if (!added.containsKey(unknown.shard())) {
        warn(unknown, process, file + " lacks it; add it under shards:");
        return Optional.empty();
      }
      opening.open(List.copyOf(added.values()));
      LOG.info("shards {} of {} are used from now on", added.keySet(), file);
      lastWarning = "";
      Map<ShardId, Shard> all = new LinkedHashMap<>(known.shards());
      all.putAll(added);
      return Optional.of(known.withShards(all));
    } catch (ShardwrightException | SQLException e) {
      warn(unknown, process, "it cannot be used as " + file + " has it: " + e.getMessage());
      return Optional.empty();
    }
  }

  private void warn(UnknownShardException unknown, UUID process, String why) {
    String warning = unknown.detail() + why;
    if (!warning.equals(lastWarning)) {
      lastWarning = warning;
      LOG.warn(
          "the catalog names shard {}, which this process does not have: {}. Statements go on by the"
              + " state before, the file is read again each second, and moves wait for this process,"
              + " driver {}",
          unknown.shard(),
          why,
          process);
    }
  }
}
