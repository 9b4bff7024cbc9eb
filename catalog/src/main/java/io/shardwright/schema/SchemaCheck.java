package io.shardwright.schema;

import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.Database;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Shard;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@link Apply} would find on the shards, by a run that makes nothing: no object, no
 * constraint, no record in the catalog. A shard that is down is reported and the others are read.
 */
public final class SchemaCheck {
  private final Configuration configuration;
  private final Optional<CatalogState> state;
  private final Apply.Options options;
  private final Map<Topic, Findings> findings = new EnumMap<>(Topic.class);

  /** What findings are about. */
  public enum Topic {
    /** The shard could not be read, or is not the one that the file names. */
    REACH,
    /** Tables, bucket_id, columns and indexes of the key and of ids, sequences. */
    KEYS,
    /** What unique constraints mean over all shards. */
    UNIQUES,
    /** Foreign keys that a shard cannot check alone. */
    FOREIGN_KEYS,
    /** Shards that differ from each other. */
    DRIFT,
    /** The CHECK that ties ids to their bucket. */
    GENES,
    /** The first rows of each table that are not in the bucket, or on the shard, of their key. */
    PLACEMENT,
    /** What lets a shard refuse writes to buckets that are not its own. */
    FENCES
  }

  /**
   * @param schemas of the shards that were read, in the order of the file
   * @param problems by topic, of which each has an entry
   * @param warnings the same
   */
  public record Report(
      Map<ShardId, ShardSchema> schemas,
      Map<Topic, List<Finding>> problems,
      Map<Topic, List<Finding>> warnings) {
    public Report {
      schemas = Collections.unmodifiableMap(new LinkedHashMap<>(schemas));
      problems = Map.copyOf(problems);
      warnings = Map.copyOf(warnings);
    }
  }

  private SchemaCheck(
      Configuration configuration, Optional<CatalogState> state, Apply.Options options) {
    this.configuration = configuration;
    this.state = state;
    this.options = options;
    for (Topic topic : Topic.values()) {
      findings.put(topic, new Findings());
    }
  }

  /**
   * Blocks until all shards are done.
   *
   * @param state of the catalog; empty when it could not be read: then neither rows nor fences are
   */
  public static Report run(
      Configuration configuration, Optional<CatalogState> state, Apply.Options options) {
    return new SchemaCheck(configuration, state, options).run();
  }

  private Report run() {
    List<ShardView> views =
        OnShards.each(configuration, this::visit).stream().flatMap(Optional::stream).toList();
    for (ShardView view : views) {
      new KeyChecks(configuration, view, of(Topic.KEYS)).check();
      new UniqueChecks(configuration, view, of(Topic.UNIQUES)).check();
      new ForeignKeyChecks(configuration, view, of(Topic.FOREIGN_KEYS)).check();
    }
    new DriftChecks(configuration, views, of(Topic.DRIFT)).check();
    Map<ShardId, ShardSchema> schemas = new LinkedHashMap<>();
    views.forEach(view -> schemas.put(view.shard(), view.schema()));
    Map<Topic, List<Finding>> problems = new EnumMap<>(Topic.class);
    Map<Topic, List<Finding>> warnings = new EnumMap<>(Topic.class);
    findings.forEach(
        (topic, found) -> {
          problems.put(topic, found.problems());
          warnings.put(topic, found.warnings());
        });
    return new Report(schemas, problems, warnings);
  }

  private Findings of(Topic topic) {
    return findings.get(topic);
  }

  /** One shard, on a thread of its own. */
  private Optional<ShardView> visit(Shard shard) {
    Place place = Place.of(shard.id());
    try (Connection connection = options.login().open(shard.endpoint())) {
      connection.setReadOnly(true);
      ShardIdentity identity =
          ShardIdentity.read(connection)
              .orElseThrow(
                  () ->
                      new ShardwrightException(
                          ErrorCode.NOT_APPLIED,
                          "shard "
                              + shard.id()
                              + " has no Shardwright tables; run shardwright apply -c FILE"));
      if (state.isPresent()) {
        identity.check(shard.id(), state.get().clusterId());
      }
      try (Statement statement = connection.createStatement()) {
        Database.of(configuration.product()).limitLockWait(statement, options.lockTimeout());
      }
      ShardVisit visit =
          new ShardVisit(configuration, state, shard.id(), connection, of(Topic.KEYS));
      ShardView view = visit.read();
      geneChecks(visit, view.schema());
      if (state.isPresent()) {
        new PlacementSample(configuration, shard.id(), connection, of(Topic.PLACEMENT))
            .check(view.schema(), state.get(), options.lockTimeout());
        if (configuration.catalog().isPresent()) {
          new FenceChecks(configuration, shard.id(), connection, of(Topic.FENCES))
              .verify(
                  FenceObjects.of(configuration),
                  FencedTable.read(connection, configuration, state.get()));
        }
      }
      return Optional.of(view);
    } catch (ShardwrightException e) {
      of(Topic.REACH).problem(place, e);
    } catch (SQLException e) {
      Apply.notRead(shard, e, of(Topic.REACH));
    }
    return Optional.empty();
  }

  private void geneChecks(ShardVisit visit, ShardSchema schema) {
    for (Group group : configuration.groups().values()) {
      for (RowCheck check : visit.geneChecks(group, schema)) {
        boolean holds =
            schema.tables().get(check.table()).checks().stream()
                .anyMatch(
                    found ->
                        found.name().equals(check.name())
                            && found.validated()
                            && check.isDefinedBy(found.definition()));
        if (!holds) {
          of(Topic.GENES)
              .problem(
                  Place.of(visit.shard(), check.table()),
                  "table "
                      + check.table()
                      + " has no validated CHECK "
                      + check.name()
                      + ", so that its ids do not route",
                  "run shardwright apply -c FILE");
        }
      }
    }
  }
}
