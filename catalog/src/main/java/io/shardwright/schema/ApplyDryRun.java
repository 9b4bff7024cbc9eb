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

  ApplyReport run() {
    Optional<CatalogState> state = catalog();
    List<ShardView> views =
        OnShards.each(configuration, shard -> visit(shard, state)).stream()
            .flatMap(Optional::stream)
            .toList();
    Apply.check(configuration, views, findings);
    return new ApplyReport(
        objects.created(), objects.existing(), findings.problems(), findings.warnings());
  }

  /** Empty when it is not set up yet, or has a problem. */
  private Optional<CatalogState> catalog() {
    Optional<Endpoint> endpoint = configuration.catalog();
    boolean complete = true;
    if (endpoint.isPresent()) {
      try (Connection connection = DatabaseLogin.SHORT.open(endpoint.get())) {
        connection.setReadOnly(true);
        Database database = Database.of(Database.product(connection));
        for (String table : CatalogInstaller.tableNames()) {
          boolean exists = database.exists(connection, table);
          objects.add(!exists, "catalog: table " + table);
          complete &= exists;
        }
      } catch (ShardwrightException e) {
        findings.problem(Place.EVERYWHERE, e);
        return Optional.empty();
      } catch (SQLException e) {
        findings.problem(Place.EVERYWHERE, Apply.catalogFailure(endpoint.get(), e));
        return Optional.empty();
      }
    }
    return complete ? load() : Optional.empty();
  }

  private Optional<CatalogState> load() {
    try (Catalog catalog = Catalog.open(configuration)) {
      return Optional.of(catalog.load());
    } catch (ShardwrightException e) {
      findings.problem(Place.EVERYWHERE, e);
      return Optional.empty();
    }
  }

  private Optional<ShardView> visit(Shard shard, Optional<CatalogState> state) {
    try (Connection connection = options.login().open(shard.endpoint())) {
      connection.setReadOnly(true);
      Database database = Database.of(configuration.product());
      boolean identified = true;
      for (String table : ShardObjects.TABLES.keySet()) {
        boolean exists = database.exists(connection, table);
        objects.add(!exists, "shard " + shard.id() + ": table " + table);
        identified &= exists;
      }
      if (identified && state.isPresent()) {
        ShardIdentity.read(connection)
            .ifPresent(identity -> identity.check(shard.id(), state.get().clusterId()));
      }
      try (Statement statement = connection.createStatement()) {
        database.limitLockWait(statement, options.lockTimeout());
      }
      return Optional.of(
          new ShardVisit(configuration, state, shard.id(), connection, findings).read());
    } catch (ShardwrightException e) {
      findings.problem(Place.of(shard.id()), e);
    } catch (SQLException e) {
      Apply.notRead(shard, e, findings);
    }
    return Optional.empty();
  }
}
