package io.shardwright.cli;

import io.shardwright.advisor.review.DatabaseFacts;
import io.shardwright.advisor.review.DatabaseFacts.Compared;
import io.shardwright.advisor.review.DatabaseFacts.GroupHeat;
import io.shardwright.advisor.review.DatabaseFacts.Heat;
import io.shardwright.advisor.review.DatabaseFacts.IndexFacts;
import io.shardwright.advisor.review.DatabaseFacts.MoveFacts;
import io.shardwright.advisor.review.DatabaseFacts.Rows;
import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.CatalogHeat;
import io.shardwright.catalog.CatalogIndex;
import io.shardwright.catalog.CatalogJobs;
import io.shardwright.catalog.CatalogState;
import io.shardwright.catalog.DatabaseLogin;
import io.shardwright.catalog.Move;
import io.shardwright.config.Configuration;
import io.shardwright.driver.LookupIndexes;
import io.shardwright.driver.PendingDdl;
import io.shardwright.driver.ShardwrightError;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.BucketSizes;
import io.shardwright.migration.HeatReport;
import io.shardwright.migration.Moves;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Apply;
import io.shardwright.schema.Finding;
import io.shardwright.schema.SchemaCheck;
import io.shardwright.schema.SchemaCheck.Topic;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Gathers what catalog and shards tell for a review. What fails is named, and the rest is read. */
final class ReviewDatabases {
  /** The latest ones: a review is no history. */
  private static final int MOVES_MAX = 50;

  private final Configuration configuration;
  private final List<String> unread = new ArrayList<>();
  private ExitCode exit = ExitCode.OK;

  /**
   * @param exit of a command that could not read all; OK when it could
   */
  record Result(DatabaseFacts facts, ExitCode exit) {}

  private interface Work<T> {
    T run() throws SQLException;
  }

  private ReviewDatabases(Configuration configuration) {
    this.configuration = configuration;
  }

  static Result read(Configuration configuration, boolean counts) {
    return new ReviewDatabases(configuration).read(counts);
  }

  private Result read(boolean counts) {
    Optional<CatalogState> state = attempt("catalog", this::state);
    SchemaCheck.Report schema = SchemaCheck.run(configuration, state, Apply.Options.DEFAULT);
    for (Finding finding : schema.problems().get(Topic.REACH)) {
      unread.add(finding.toString());
    }
    exit = worse(ApplyCommand.exit(schema.problems().get(Topic.REACH)));
    boolean all = state.isPresent() && schema.schemas().size() == configuration.shards().size();
    boolean recorded = state.isPresent() && configuration.catalog().isPresent();
    DatabaseFacts facts =
        new DatabaseFacts(
            unread,
            schema,
            state.map(this::maps).orElse(Map.of()),
            counts && all ? rows(state.get()) : Map.of(),
            partitions(schema),
            recorded ? attempt("traffic of buckets", this::heat) : Optional.empty(),
            recorded ? attempt("moves", this::moves).orElse(List.of()) : List.of(),
            recorded ? indexes(state.get()) : List.of(),
            all
                ? attempt("changes of the schema", () -> PendingDdl.read(configuration).size())
                : Optional.empty());
    return new Result(withUnread(facts), exit);
  }

  /** With what failed on the way. */
  private DatabaseFacts withUnread(DatabaseFacts facts) {
    return new DatabaseFacts(
        unread,
        facts.schema(),
        facts.maps(),
        facts.rows(),
        facts.partitions(),
        facts.heat(),
        facts.moves(),
        facts.indexes(),
        facts.pendingDdl());
  }

  private ExitCode worse(ExitCode other) {
    return other.number() > exit.number() ? other : exit;
  }

  private <T> Optional<T> attempt(String what, Work<T> work) {
    try {
      return Optional.of(work.run());
    } catch (ShardwrightException e) {
      exit = worse(ExitCode.of(e.code()));
      unread.add(what + ": " + e.getMessage());
    } catch (SQLException e) {
      exit =
          worse(e instanceof ShardwrightError error ? ExitCode.of(error.code()) : ExitCode.FAILED);
      unread.add(what + ": " + e.getMessage());
    }
    return Optional.empty();
  }

  private CatalogState state() {
    try (Catalog catalog = Catalog.open(configuration)) {
      return catalog.load();
    }
  }

  private Map<String, BucketMap> maps(CatalogState state) {
    Map<String, BucketMap> maps = new HashMap<>(state.maps());
    maps.keySet().retainAll(configuration.groups().keySet());
    return maps;
  }

  private Map<String, Rows> rows(CatalogState state) {
    Map<String, Rows> rows = new TreeMap<>();
    maps(state)
        .forEach(
            (group, map) ->
                attempt("rows of group " + group, () -> BucketSizes.read(configuration, map))
                    .ifPresent(sizes -> rows.put(group, rows(sizes))));
    return rows;
  }

  private static Rows rows(BucketSizes sizes) {
    return new Rows(sizes.rows(), sizes.bytes().stream().mapToLong(Long::longValue).sum());
  }

  private Map<String, Integer> partitions(SchemaCheck.Report schema) {
    Map<String, Integer> partitions = new TreeMap<>();
    for (ShardId shard : schema.schemas().keySet()) {
      attempt("partitions on shard " + shard, () -> partitions(shard))
          .ifPresent(found -> found.forEach((t, number) -> partitions.merge(t, number, Math::max)));
    }
    return partitions;
  }

  private Map<String, Integer> partitions(ShardId shard) throws SQLException {
    String sql =
        switch (configuration.product()) {
          case POSTGRESQL ->
              "SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass(quote_ident(?))";
          case MARIADB ->
              "SELECT count(*) FROM information_schema.partitions WHERE partition_name IS NOT NULL"
                  + " AND table_schema = database() AND table_name = ?";
        };
    Map<String, Integer> partitions = new TreeMap<>();
    try (Connection connection =
            DatabaseLogin.SHORT.open(configuration.shards().get(shard).endpoint());
        PreparedStatement select = connection.prepareStatement(sql)) {
      for (Configuration.Group group : configuration.groups().values()) {
        for (String table : group.tables().keySet()) {
          select.setString(1, table);
          try (ResultSet row = select.executeQuery()) {
            if (row.next() && row.getInt(1) > 0) {
              partitions.put(table, row.getInt(1));
            }
          }
        }
      }
    }
    return partitions;
  }

  private Heat heat() {
    HeatReport report = HeatReport.read(configuration, CatalogHeat.KEPT);
    Map<String, GroupHeat> groups = new TreeMap<>();
    for (HeatReport.Group group : report.groups()) {
      long keyed =
          group.shards().values().stream().mapToLong(sum -> sum.reads() + sum.writes()).sum();
      Optional<HeatReport.Bucket> hottest = group.buckets().stream().findFirst();
      groups.put(
          group.name(),
          new GroupHeat(
              keyed,
              group.scattered().reads() + group.scattered().writes(),
              group.skew(),
              hottest.map(bucket -> bucket.heat().bucket()).orElse(0),
              hottest.map(HeatReport.Bucket::share).orElse(0.0)));
    }
    return new Heat(report.measured(), groups);
  }

  private List<MoveFacts> moves() {
    List<MoveFacts> facts = new ArrayList<>();
    try (Moves moves = new Moves(configuration, MovesAtWork.processName())) {
      List<Move> all = moves.list();
      for (Move move : all.subList(Math.max(0, all.size() - MOVES_MAX), all.size())) {
        facts.add(
            new MoveFacts(
                move.id(),
                move.group(),
                move.state(),
                move.options().rollback(),
                moves
                    .verified(move.id())
                    .map(v -> new Compared(v.rows(), v.differences(), v.brokenInvariants()))));
      }
    }
    return facts;
  }

  private List<IndexFacts> indexes(CatalogState state) {
    List<IndexFacts> facts = new ArrayList<>();
    try (CatalogJobs jobs = new CatalogJobs(configuration.catalog().orElseThrow())) {
      for (CatalogIndex index : new TreeMap<>(state.indexes()).values()) {
        Optional<CatalogJobs.Job> job =
            attempt(
                    "comparison of index " + index.name(),
                    () -> jobs.find(LookupIndexes.comparisonJob(index.name().placement())))
                .flatMap(found -> found);
        facts.add(
            new IndexFacts(
                index.name().placement(),
                index.state(),
                job.flatMap(CatalogJobs.Job::sinceDone),
                job.map(CatalogJobs.Job::result).orElse("")));
      }
    }
    return facts;
  }
}
