package io.shardwright.schema;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogInstaller;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Database;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.Directory;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.IndexObjects.LockWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Makes the databases fit the configuration: creates Shardwright's own objects in the catalog and
 * on every shard, never the user's tables, and then checks all tables on all shards, against the
 * configuration and against each other.
 *
 * <p>Order: catalog (gives the cluster id), each shard's identity and tables, then the CHECK of
 * gene ids on each table that exists, and the tables of lookup indexes; at last, when all is right,
 * types and columns of the keys, and the indexes, in the catalog, and the fences of the shards.
 * Each step is a transaction of its own that finds out what is there first; so a run may be killed
 * anywhere and repeated, and two runs at once do each step once. A shard that is down is reported
 * and the others are done.
 */
public final class Apply {
  /** For driver processes to read a new state. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Configuration configuration;
  private final Options options;
  private final Findings findings = new Findings();
  private final ShardObjects.Log objects = new ShardObjects.Log();

  /**
   * How patient a run is.
   *
   * @param login of the shards; the statement timeout bounds the validation of a gene CHECK and the
   *     reading of a reference table
   * @param lockTimeout how long writers may be held up behind a CHECK that waits for its lock
   */
  public record Options(DatabaseLogin login, Duration lockTimeout) {
    /** To lock a table, each as long as writers may be held up. */
    private static final int ATTEMPTS = 3;

    public static final Options DEFAULT =
        new Options(
            new DatabaseLogin(
                Duration.ofSeconds(3), Duration.ofMinutes(30), Duration.ofMinutes(31)),
            Duration.ofSeconds(3));

    LockWait lockWait() {
      return new LockWait(lockTimeout, lockTimeout.multipliedBy(ATTEMPTS - 1));
    }
  }

  private Apply(Configuration configuration, Options options) {
    this.configuration = configuration;
    this.options = options;
  }

  /** Blocks until all shards are done. Problems are in the report, not thrown. */
  public static ApplyReport run(Configuration configuration, Options options) {
    return new Apply(configuration, options).run();
  }

  /**
   * Reads only: tells what {@link #run} would create first, and what it would find wrong with
   * shards, tables and a sample of rows. CHECKs of ids, tables of indexes, directories, records of
   * the catalog and fences are left to it.
   *
   * @return {@code created} is what would be
   */
  public static ApplyReport dryRun(Configuration configuration, Options options) {
    return new ApplyDryRun(configuration, options).run();
  }

  /** What is wrong with tables on their own and beside those of other shards. */
  static void check(Configuration configuration, List<ShardView> views, Findings findings) {
    for (ShardView view : views) {
      new KeyChecks(configuration, view, findings).check();
      new UniqueChecks(configuration, view, findings).check();
      new ForeignKeyChecks(configuration, view, findings).check();
    }
    new DriftChecks(configuration, views, findings).check();
  }

  private ApplyReport run() {
    Optional<CatalogState> state = applyCatalog();
    List<ShardView> views =
        OnShards.each(configuration, shard -> visit(shard, state)).stream()
            .flatMap(Optional::stream)
            .toList();
    check(configuration, views, findings);
    if (state.isPresent() && configuration.catalog().isPresent()) {
      warnOfMoreEntries(state.get());
      recordKeys(configuration.catalog().get(), views);
      declare(configuration.catalog().get(), state.get(), views);
      current(state.get()).filter(this::allRouteBy).ifPresent(current -> fence(current, views));
    }
    return new ApplyReport(
        objects.created(), objects.existing(), findings.problems(), findings.warnings());
  }

  /** Empty when the catalog could not be set up or contradicts the file. */
  private Optional<CatalogState> applyCatalog() {
    Optional<Endpoint> endpoint = configuration.catalog();
    if (endpoint.isPresent()) {
      try (Connection connection = DatabaseLogin.SHORT.open(endpoint.get())) {
        CatalogInstaller.Installed installed = CatalogInstaller.install(connection, configuration);
        installed.created().forEach(name -> objects.add(true, "catalog: " + name));
        installed.existing().forEach(name -> objects.add(false, "catalog: " + name));
      } catch (ShardwrightException e) {
        findings.problem(Place.EVERYWHERE, e);
        return Optional.empty();
      } catch (SQLException e) {
        findings.problem(Place.EVERYWHERE, catalogFailure(endpoint.get(), e));
        return Optional.empty();
      }
    }
    return load();
  }

  private Optional<CatalogState> load() {
    try (Catalog catalog = Catalog.open(configuration)) {
      return Optional.of(catalog.load());
    } catch (ShardwrightException e) {
      findings.problem(Place.EVERYWHERE, e);
      return Optional.empty();
    }
  }

  static ShardwrightException catalogFailure(Endpoint endpoint, SQLException e) {
    boolean refused = SqlFailure.isLogin(e) || SqlFailure.isMissingRight(e);
    return new ShardwrightException(
        refused ? ErrorCode.CATALOG_LOGIN_FAILED : ErrorCode.CATALOG_UNAVAILABLE,
        "the catalog at "
            + endpoint
            + (refused ? " refused user " + endpoint.user() : " cannot be used")
            + " ("
            + e.getMessage()
            + "); "
            + (refused
                ? "check catalog.user, catalog.password and the right to create tables"
                : "check that the server runs and catalog.url leads to it"),
        e);
  }

  /** One shard, on a thread of its own. Empty when there is nothing to compare with others. */
  private Optional<ShardView> visit(Shard shard, Optional<CatalogState> state) {
    Place place = Place.of(shard.id());
    try (Connection connection = options.login().open(shard.endpoint())) {
      if (state.isPresent()) {
        ShardObjects.install(connection, shard.id(), state.get().clusterId(), objects)
            .check(shard.id(), state.get().clusterId());
      }
      // Reading the schema waits for whoever alters a table, too.
      try (Statement statement = connection.createStatement()) {
        Database.of(configuration.product()).limitLockWait(statement, options.lockTimeout());
      }
      ShardView view =
          new ShardVisit(configuration, state, shard.id(), connection, findings)
              .look(options, objects);
      if (state.isPresent()) {
        new IndexVisit(configuration, shard.id(), connection, options.lockWait(), findings)
            .look(view.schema(), state.get(), objects);
        new PlacementSample(configuration, shard.id(), connection, findings)
            .check(view.schema(), state.get(), options.lockTimeout());
      }
      return Optional.of(view);
    } catch (ShardwrightException e) {
      findings.problem(place, e);
    } catch (SQLException e) {
      notRead(shard, e, findings);
    }
    return Optional.empty();
  }

  static void notRead(Shard shard, SQLException e, Findings findings) {
    if (SqlFailure.isLockTimeout(e)) {
      findings.problem(
          Place.of(shard.id()),
          "a table of the shard is locked by a long transaction, so the shard was not read",
          "run apply again when that transaction has ended");
    } else {
      findings.problem(Place.of(shard.id()), ShardFailure.of(shard, e));
    }
  }

  /** With the directories and the placements of indexes that this run has recorded. */
  private Optional<CatalogState> current(CatalogState state) {
    boolean complete =
        configuration.groups().values().stream()
            .allMatch(
                group ->
                    group.directory().isBeginningOf(state.directory(group.name()))
                        && group.indexes().keySet().stream()
                            .map(index -> new IndexName(group.name(), index).placement())
                            .allMatch(state.maps()::containsKey));
    if (complete) {
      return Optional.of(state);
    }
    return load();
  }

  /**
   * Records the entries of directories that are new: first every shard refuses rows of their keys
   * elsewhere, and has none. Of entries that cannot be, nothing is left.
   */
  private void declare(Endpoint endpoint, CatalogState state, List<ShardView> views) {
    boolean recorded =
        configuration.groups().values().stream()
            .allMatch(group -> group.directory().isBeginningOf(state.directory(group.name())));
    if (recorded
        || views.size() < configuration.shards().size()
        || !findings.problems().isEmpty()) {
      return;
    }
    onShards((visit, schema) -> visit.ensure(schema, Group::directory, options, objects));
    if (findings.problems().isEmpty()) {
      try (Connection connection = DatabaseLogin.SHORT.open(endpoint)) {
        CatalogInstaller.growDirectories(connection, configuration)
            .forEach(entry -> objects.add(true, "catalog: " + entry));
      } catch (ShardwrightException e) {
        findings.problem(Place.EVERYWHERE, e);
      } catch (SQLException e) {
        findings.problem(Place.EVERYWHERE, catalogFailure(endpoint, e));
      }
    }
    if (!findings.problems().isEmpty()) {
      // The catalog's answer may have been lost, so it is asked what it has.
      load()
          .ifPresent(
              now ->
                  onShards(
                      (visit, schema) -> visit.drop(schema, group -> now.directory(group.name()))));
    }
  }

  private interface DirectoryWork {
    void run(DirectoryVisit visit, ShardSchema schema) throws SQLException;
  }

  private void onShards(DirectoryWork work) {
    OnShards.each(
        configuration,
        shard -> {
          try (Connection connection = options.login().open(shard.endpoint())) {
            DirectoryVisit visit =
                new DirectoryVisit(configuration, shard.id(), connection, findings);
            work.run(visit, visit.read(options));
          } catch (ShardwrightException e) {
            findings.problem(Place.of(shard.id()), e);
          } catch (SQLException e) {
            findings.problem(Place.of(shard.id()), ShardFailure.of(shard, e));
          }
          return shard;
        });
  }

  private void warnOfMoreEntries(CatalogState state) {
    for (Group group : configuration.groups().values()) {
      List<Directory.Entry> known = state.directory(group.name()).entries();
      if (known.size() > group.directory().entries().size()) {
        findings.warning(
            Place.EVERYWHERE,
            "group "
                + group.name()
                + ": "
                + known.get(group.directory().entries().size())
                + " of its directory is in the catalog and not in the file",
            "it counts; add it to the file");
      }
    }
  }

  /**
   * Reserved buckets are opened for their first row when every process knows whose they are: until
   * then one may look for it elsewhere, and nobody can write it.
   */
  private boolean allRouteBy(CatalogState state) {
    if (state.directories().isEmpty()) {
      return true;
    }
    try (Catalog catalog = Catalog.open(configuration)) {
      List<UUID> behind = catalog.awaitSeen(state.version(), PATIENCE);
      if (!behind.isEmpty()) {
        findings.problem(
            Place.EVERYWHERE,
            behind.size()
                + " driver processes have not read the directory of the catalog yet, so its buckets"
                + " were not opened",
            "run apply again when they have, or were ended");
      }
      return behind.isEmpty();
    } catch (ShardwrightException e) {
      findings.problem(Place.EVERYWHERE, e);
      return false;
    }
  }

  private void fence(CatalogState state, List<ShardView> views) {
    Set<ShardId> seen = views.stream().map(ShardView::shard).collect(Collectors.toSet());
    OnShards.each(
        configuration,
        shard -> {
          if (seen.contains(shard.id())) {
            new FenceVisit(configuration, shard, state, findings).look(options, objects);
          }
          return shard;
        });
  }

  private Map<CatalogIndex, List<KeyType>> indexes(ShardSchema schema) {
    Map<CatalogIndex, List<KeyType>> indexes = new LinkedHashMap<>();
    for (Group group : configuration.groups().values()) {
      for (Configuration.Index index : group.indexes().values()) {
        LookupIndex.find(configuration.product(), group, index, schema)
            .ifPresent(found -> indexes.put(found.declared(), found.types()));
      }
    }
    return indexes;
  }

  /** Only when all shards agree and their rows fit. */
  private void recordKeys(Endpoint endpoint, List<ShardView> views) {
    if (views.size() < configuration.shards().size() || !findings.problems().isEmpty()) {
      return;
    }
    try (Connection connection = DatabaseLogin.SHORT.open(endpoint)) {
      for (Group group : configuration.groups().values()) {
        List<KeyType> types = KeyChecks.types(group, views.get(0).schema()).orElseThrow();
        CatalogInstaller.recordKeyTypes(connection, group.name(), types)
            .ifPresent(
                recorded ->
                    findings.problem(
                        ErrorCode.CATALOG_MISMATCH,
                        Place.EVERYWHERE,
                        "the key of group "
                            + group.name()
                            + " is of types "
                            + types
                            + " on the shards and "
                            + recorded
                            + " in the catalog; another type is another hash",
                        "change the columns back to their former types"));
      }
      if (findings.problems().isEmpty()) {
        CatalogInstaller.recordTables(connection, configuration);
        CatalogInstaller.recordIndexes(connection, configuration, indexes(views.get(0).schema()));
      }
    } catch (ShardwrightException e) {
      findings.problem(Place.EVERYWHERE, e);
    } catch (SQLException e) {
      findings.problem(Place.EVERYWHERE, catalogFailure(endpoint, e));
    }
  }
}
