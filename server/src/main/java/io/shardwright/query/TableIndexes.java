package io.shardwright.query;

import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of tables as each shard has them: columns of valid B-trees over all rows. What is
 * known is used at once and read anew in the background; where an index is missing the shard is
 * asked before a query is refused. Thread-safe.
 */
final class TableIndexes {
  private static final Logger LOG = LoggerFactory.getLogger(TableIndexes.class);

  /** An index that was dropped is noticed so late. */
  private static final Duration KEPT = Duration.ofSeconds(60);

  /** A shard is asked no sooner again for an index that it does not have. */
  private static final Duration MISSING_KEPT = Duration.ofSeconds(1);

  private static final String POSTGRESQL =
      "SELECT i.indexrelid::regclass::text, a.attname FROM pg_index i JOIN pg_class c ON c.oid ="
          + " i.indexrelid JOIN pg_am m ON m.oid = c.relam CROSS JOIN LATERAL"
          + " unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place) LEFT JOIN pg_attribute a ON"
          + " a.attrelid = i.indrelid AND a.attnum = k.number WHERE i.indrelid = to_regclass(?) AND"
          + " i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree' AND k.place <="
          + " i.indnkeyatts ORDER BY 1, k.place";
  private static final String MARIADB =
      "SELECT index_name, CASE WHEN sub_part IS NULL THEN column_name END FROM"
          + " information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND"
          + " index_type = 'BTREE' AND ignored = 'NO' ORDER BY index_name, seq_in_index";

  private final Configuration configuration;
  private final Executor background;
  private final Duration patience;
  private final LongSupplier nanos;
  private final Map<Place, Known> known = new ConcurrentHashMap<>();
  private final Map<Place, Reading> reading = new ConcurrentHashMap<>();

  private record Reading(CompletableFuture<Void> done, long startNanos) {}

  private record Place(ShardId shard, String table) {}

  private record Known(List<List<String>> indexes, long readNanos) {}

  /** Whether an index will do, by its columns. */
  interface Fits {
    boolean test(List<String> columns);
  }

  /**
   * @param background where shards are asked
   * @param patience of a query that has to wait for that
   */
  TableIndexes(
      Configuration configuration, Executor background, Duration patience, LongSupplier nanos) {
    this.configuration = configuration;
    this.background = background;
    this.patience = patience;
    this.nanos = nanos;
  }

  /** The shards that lack an index which fits. One that cannot be asked in time is none of them. */
  List<ShardId> lacking(String table, Fits fits) {
    List<CompletableFuture<Void>> reads = new ArrayList<>();
    for (Configuration.Shard shard : configuration.shards().values()) {
      Place place = new Place(shard.id(), table);
      Known now = known.get(place);
      boolean served = now != null && now.indexes().stream().anyMatch(fits::test);
      if (now == null || age(now).compareTo(served ? KEPT : MISSING_KEPT) > 0) {
        Reading read = startReading(place, shard);
        // A shard that has been silent for so long holds up one query, not each.
        boolean silent = nanos.getAsLong() - read.startNanos() >= patience.toNanos();
        if (!served && !silent) {
          reads.add(read.done());
        }
      }
    }
    await(reads);
    return configuration.shards().keySet().stream()
        .filter(shard -> lacks(known.get(new Place(shard, table)), fits))
        .toList();
  }

  private static boolean lacks(Known now, Fits fits) {
    return now != null && now.indexes().stream().noneMatch(fits::test);
  }

  /** One at a time of each place. */
  private Reading startReading(Place place, Configuration.Shard shard) {
    Reading mine = new Reading(new CompletableFuture<>(), nanos.getAsLong());
    Reading other = reading.putIfAbsent(place, mine);
    if (other != null) {
      return other;
    }
    background.execute(
        () -> {
          try {
            read(place, shard);
          } finally {
            reading.remove(place);
            mine.done().complete(null);
          }
        });
    return mine;
  }

  private void await(List<CompletableFuture<Void>> reads) {
    if (reads.isEmpty()) {
      return;
    }
    try {
      CompletableFuture.allOf(reads.toArray(new CompletableFuture<?>[0]))
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("not all shards told their indexes in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration age(Known read) {
    return Duration.ofNanos(nanos.getAsLong() - read.readNanos());
  }

  private void read(Place place, Configuration.Shard shard) {
    DatabaseProduct product = shard.endpoint().product();
    Map<String, List<String>> indexes = new LinkedHashMap<>();
    try (Connection connection = DatabaseLogin.SHORT.open(shard.endpoint());
        PreparedStatement select =
            connection.prepareStatement(
                product == DatabaseProduct.POSTGRESQL ? POSTGRESQL : MARIADB)) {
      select.setString(
          1, product == DatabaseProduct.POSTGRESQL ? '"' + place.table() + '"' : place.table());
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          // An expression has no name, and equals no column.
          String column = rows.getString(2);
          indexes
              .computeIfAbsent(rows.getString(1), unused -> new ArrayList<>())
              .add(column == null ? "" : column);
        }
      }
      known.put(place, new Known(List.copyOf(indexes.values()), nanos.getAsLong()));
    } catch (SQLException e) {
      LOG.debug("the indexes of shard {} cannot be read now", place.shard(), e);
    }
  }
}
