package io.shardwright.schema;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogInstaller;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Database;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.schema.Findings.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What {@link Apply} would find and make, by reading alone: every connection is read only. */
final class ApplyDryRun {
  private final Configuration configuration;
  private final Apply.Options options;
  private final Findings findings = new Findings();
  private final ShardObjects.Log objects = new ShardObjects.Log();

  ApplyDryRun(Configuration configuration, Apply.Options options) {
    this.configuration = configuration;
    this.options = options;
  }

  /**
   * What the catalog says.
   *
   * @param state empty when it is not set up yet
   * @param cluster empty without a catalog, and of one that is not set up yet
   */
  private record Found(Optional<CatalogState> state, Optional<UUID> cluster) {}

  ApplyReport run() {
    Optional<Found> catalog = catalog();
    List<ShardView> views =
        OnShards.each(configuration, shard -> visit(shard, catalog)).stream()
            .flatMap(Optional::stream)
            .toList();
    Apply.check(configuration, views, findings);
    return new ApplyReport(
        objects.created(), objects.existing(), findings.problems(), findings.warnings());
  }

  /** Empty when it has a problem. */
  private Optional<Found> catalog() {
    Optional<Endpoint> endpoint = configuration.catalog();
    if (endpoint.isPresent()) {
      try (Connection connection = DatabaseLogin.SHORT.open(endpoint.get())) {
        connection.setReadOnly(true);
        Database database = Database.of(Database.product(connection));
        boolean complete = true;
        for (String table : CatalogInstaller.tableNames()) {
          boolean exists = database.exists(connection, table);
          objects.add(!exists, "catalog: table " + table);
          complete &= exists;
        }
        Optional<UUID> cluster = CatalogInstaller.readCluster(connection);
        if (!complete || cluster.isEmpty()) {
          return Optional.of(new Found(Optional.empty(), cluster));
        }
      } catch (ShardwrightException e) {
        findings.problem(Place.EVERYWHERE, e);
        return Optional.empty();
      } catch (SQLException e) {
        findings.problem(Place.EVERYWHERE, Apply.catalogFailure(endpoint.get(), e));
        return Optional.empty();
      }
    }
    return load().map(state -> new Found(Optional.of(state), state.clusterId()));
  }

  private Optional<CatalogState> load() {
    try (Catalog catalog = Catalog.open(configuration)) {
      return Optional.of(catalog.load());
    } catch (ShardwrightException e) {
      findings.problem(Place.EVERYWHERE, e);
      return Optional.empty();
    }
  }

  private Optional<ShardView> visit(Shard shard, Optional<Found> catalog) {
    try (Connection connection = options.login().open(shard.endpoint())) {
      connection.setReadOnly(true);
      Database database = Database.of(configuration.product());
      for (String table : ShardObjects.TABLES.keySet()) {
        if (configuration.catalog().isPresent() || !table.equals(Fence.BUCKET_TABLE)) {
          objects.add(
              !database.exists(connection, table), "shard " + shard.id() + ": table " + table);
        }
      }
      if (catalog.isPresent()) {
        // A new catalog will be of a new cluster, to which no shard can belong.
        ShardIdentity.read(connection)
            .ifPresent(identity -> identity.check(shard.id(), catalog.get().cluster()));
      }
      try (Statement statement = connection.createStatement()) {
        database.limitLockWait(statement, options.lockTimeout());
      }
      Optional<CatalogState> state = catalog.flatMap(Found::state);
      ShardView view =
          new ShardVisit(configuration, state, shard.id(), connection, findings).read();
      if (state.isPresent()
          && state.get().maps().keySet().containsAll(configuration.groups().keySet())) {
        new PlacementSample(configuration, shard.id(), connection, findings)
            .check(view.schema(), state.get(), options.lockTimeout());
      }
      return Optional.of(view);
    } catch (ShardwrightException e) {
      findings.problem(Place.of(shard.id()), e);
    } catch (SQLException e) {
      Apply.notRead(shard, e, findings);
    }
    return Optional.empty();
  }
}
