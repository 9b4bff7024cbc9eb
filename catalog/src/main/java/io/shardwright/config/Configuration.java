package io.shardwright.config;

import io.shardwright.ids.BucketText;
import io.shardwright.ids.KeyCodec;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.Directory;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import io.shardwright.routing.ShardId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A valid shardwright.yaml.
 *
 * @param catalog empty: the bucket map is static (version 1) and read-only
 * @param shards in file order, at least one
 * @param groups by name, in file order
 * @param reference tables that are the same on every shard
 * @param single tables whose rows are all on one shard, and which; in file order
 * @param redis that caches of lookup indexes share; empty: none
 * @param warnShards a statement that goes to more shards is warned of; empty: none
 * @param moves how statements meet moves of buckets
 * @param mover who moves buckets; empty: nobody
 * @param heat how often processes record the traffic of buckets
 * @param query what may be asked across all shards; empty: nothing, by the gateway
 */
public record Configuration(
    Optional<Endpoint> catalog,
    Map<ShardId, Shard> shards,
    Map<String, Group> groups,
    List<String> reference,
    Map<String, ShardId> single,
    Optional<Redis> redis,
    OptionalInt warnShards,
    Moves moves,
    Optional<Mover> mover,
    Heat heat,
    Optional<QueryRules> query) {
  // Long because: all that a file can say is in view at once.

  public Configuration {
    shards = ordered(shards);
    groups = ordered(groups);
    reference = List.copyOf(reference);
    single = ordered(single);
  }

  /** Without rules of the gateway. */
  public Configuration(
      Optional<Endpoint> catalog,
      Map<ShardId, Shard> shards,
      Map<String, Group> groups,
      List<String> reference,
      Map<String, ShardId> single,
      Optional<Redis> redis,
      OptionalInt warnShards,
      Moves moves,
      Optional<Mover> mover,
      Heat heat) {
    this(
        catalog,
        shards,
        groups,
        reference,
        single,
        redis,
        warnShards,
        moves,
        mover,
        heat,
        Optional.empty());
  }

  /** Of all shards. The catalog may be of another one. */
  public DatabaseProduct product() {
    return shards.values().iterator().next().endpoint().product();
  }

  /**
   * What keeps a shard from owning a bucket.
   *
   * @param placement a group, or a lookup index, whose buckets may be anywhere
   * @return for people, without what to do; empty: it may own it
   */
  public Optional<String> forbids(String placement, BucketId bucket, ShardId shard) {
    Group group = groups.get(placement);
    Shard found = shards.get(shard);
    return group == null || found == null
        ? Optional.empty()
        : group
            .forbids(bucket, found)
            .map(
                zone ->
                    "bucket "
                        + bucket
                        + " of group "
                        + placement
                        + " may not be on shard "
                        + shard
                        + ", whose labels are "
                        + Zone.text(found.labels())
                        + ": groups."
                        + placement
                        + ".zones says that "
                        + zone);
  }

  /** The same with these shards instead of its own. */
  public Configuration withShards(Map<ShardId, Shard> others) {
    return new Configuration(
        catalog, others, groups, reference, single, redis, warnShards, moves, mover, heat, query);
  }

  /** In file order: the order in which the initial bucket map deals out the buckets. */
  public List<ShardId> shardIds() {
    return List.copyOf(shards.keySet());
  }

  /**
   * A database to log in to. {@code toString} is safe to show: no password, no url parameters.
   *
   * @param password empty when the server asks for none
   */
  public record Endpoint(String url, String user, String password) {
    /** By the url alone: the server has not been asked. */
    public DatabaseProduct product() {
      return DatabaseProduct.ofUrl(url).orElseThrow();
    }

    @Override
    public String toString() {
      return withoutParameters(url);
    }

    /** Parameters may be secrets: of a JDBC url only this is shown. */
    static String withoutParameters(String url) {
      for (int end = 0; end < url.length(); end++) {
        if (url.charAt(end) == '?' || url.charAt(end) == ';') {
          return url.substring(0, end);
        }
      }
      return url;
    }
  }

  /**
   * @param weight its capacity in relation to the others', 0 to 1000; 0: it shall own no bucket
   * @param labels what {@link Zone}s ask for
   */
  public record Shard(
      ShardId id, Endpoint endpoint, Pool pool, int weight, Map<String, String> labels) {
    public Shard {
      labels = Map.copyOf(labels);
    }

    /** Without labels. */
    public Shard(ShardId id, Endpoint endpoint, Pool pool, int weight) {
      this(id, endpoint, pool, weight, Map.of());
    }

    /** With the usual capacity. */
    public Shard(ShardId id, Endpoint endpoint, Pool pool) {
      this(id, endpoint, pool, 1);
    }
  }

  /**
   * The connections of one driver process to one shard.
   *
   * @param max physical connections, 1 to 1000
   * @param timeout how long a statement waits for one
   */
  public record Pool(int max, Duration timeout) {
    public static final Pool DEFAULT = new Pool(16, Duration.ofSeconds(3));
  }

  /**
   * Tables that live and move together.
   *
   * @param key route key columns, in key order
   * @param buckets V
   * @param directory keys with buckets of their own, from V on; the catalog's may have more
   * @param ids columns whose values are issued or that name the row's place; at most one of gene
   *     ids
   * @param tables by name, in file order
   * @param scatter for statements without the route key
   * @param indexes lookup indexes by name, in file order
   * @param invariants that hold in every bucket
   * @param zones where buckets may be; those in none may be anywhere
   */
  public record Group(
      String name,
      List<String> key,
      int buckets,
      Directory directory,
      HashAlgorithm hash,
      List<IdColumn> ids,
      Map<String, Table> tables,
      Scatter scatter,
      Map<String, Index> indexes,
      List<Invariant> invariants,
      List<Zone> zones) {
    /** Inside the ids of every group. */
    public static final int GENERATION = 0;

    public Group {
      key = List.copyOf(key);
      ids = List.copyOf(ids);
      tables = ordered(tables);
      indexes = ordered(indexes);
      invariants = List.copyOf(invariants);
      zones = List.copyOf(zones);
    }

    /** The first of the zones that does not permit the shard to own the bucket. */
    public Optional<Zone> forbids(BucketId bucket, Shard shard) {
      return zones.stream()
          .filter(zone -> zone.buckets().contains(bucket) && !zone.permits(shard))
          .findFirst();
    }

    /**
     * The map of version 1: the same as without zones and directory but for buckets that a zone
     * does not permit there, and those that are reserved, which are dealt out among the shards that
     * may have them.
     *
     * @param shards of the file, in its order
     */
    public BucketMap firstMap(Collection<Shard> shards) {
      BucketMap even = BucketMap.initial(name, buckets, shards.stream().map(Shard::id).toList());
      Map<ShardId, Shard> byId = new LinkedHashMap<>();
      shards.forEach(shard -> byId.put(shard.id(), shard));
      Map<ShardId, Integer> counts = new LinkedHashMap<>();
      List<ShardId> owners = new ArrayList<>();
      List<BucketId> misplaced = new ArrayList<>();
      for (int bucket = 0; bucket < buckets; bucket++) {
        ShardId owner = even.shardOf(new BucketId(bucket));
        owners.add(owner);
        if (forbids(new BucketId(bucket), byId.get(owner)).isPresent()) {
          misplaced.add(new BucketId(bucket));
        } else {
          counts.merge(owner, 1, Integer::sum);
        }
      }
      for (BucketId bucket : misplaced) {
        owners.set(bucket.value(), dealt(bucket, counts, shards));
      }
      for (int bucket = buckets; bucket < allBuckets(); bucket++) {
        owners.add(dealt(new BucketId(bucket), counts, shards));
      }
      return BucketMap.of(name, even.version(), owners);
    }

    /**
     * The next version of a map, with the buckets that it lacks.
     *
     * @param shards of the file, in its order
     */
    public BucketMap grown(BucketMap map, Collection<Shard> shards) {
      Map<ShardId, Integer> counts = new LinkedHashMap<>();
      List<ShardId> owners = new ArrayList<>();
      for (int bucket = 0; bucket < map.buckets(); bucket++) {
        owners.add(map.shardOf(new BucketId(bucket)));
        counts.merge(owners.get(bucket), 1, Integer::sum);
      }
      for (int bucket = map.buckets(); bucket < allBuckets(); bucket++) {
        owners.add(dealt(new BucketId(bucket), counts, shards));
      }
      return BucketMap.of(name, map.version() + 1, owners);
    }

    /** The shard with the fewest buckets of those that may have it; counts it. */
    private ShardId dealt(BucketId bucket, Map<ShardId, Integer> counts, Collection<Shard> shards) {
      ShardId owner =
          shards.stream()
              .filter(shard -> forbids(bucket, shard).isEmpty())
              .map(Shard::id)
              .min(Comparator.comparing(shard -> counts.getOrDefault(shard, 0)))
              .orElseThrow();
      counts.merge(owner, 1, Integer::sum);
      return owner;
    }

    /** V, and the reserved ones. */
    public int allBuckets() {
      return buckets + directory.reserved();
    }

    /** Without a directory, invariants and zones. */
    public Group(
        String name,
        List<String> key,
        int buckets,
        HashAlgorithm hash,
        List<IdColumn> ids,
        Map<String, Table> tables,
        Scatter scatter,
        Map<String, Index> indexes) {
      this(
          name,
          key,
          buckets,
          Directory.EMPTY,
          hash,
          ids,
          tables,
          scatter,
          indexes,
          List.of(),
          List.of());
    }

    /** The column whose gene ids route, if any. */
    public Optional<GeneIdColumn> id() {
      return ids.stream()
          .filter(GeneIdColumn.class::isInstance)
          .map(GeneIdColumn.class::cast)
          .findFirst();
    }
  }

  /**
   * A lookup index over all shards: from values of other columns to the bucket of their row.
   *
   * @param table empty: the one table of the group that has all columns
   * @param columns 1 to 8; the first of them are hashed, in this order
   * @param reconcile once it is in use
   */
  public record Index(
      String name,
      Optional<String> table,
      List<String> columns,
      IndexKind kind,
      Reconcile reconcile) {
    public Index {
      columns = List.copyOf(columns);
    }

    /** Compared as often and as fast as by default. */
    public Index(String name, Optional<String> table, List<String> columns, IndexKind kind) {
      this(name, table, columns, kind, Reconcile.DEFAULT);
    }

    /** Those that decide the bucket of an entry. */
    public List<String> shardBy() {
      return columns.subList(0, kind.shardBy(columns.size()));
    }
  }

  /**
   * When rows and entries are compared and differences mended, by one process for all.
   *
   * @param every zero: never
   * @param rowsPerSecond that are read at most
   */
  public record Reconcile(Duration every, int rowsPerSecond) {
    public static final Reconcile DEFAULT = new Reconcile(Duration.ofHours(24), 5_000);
  }

  /**
   * How statements meet moves of buckets.
   *
   * @param cutoverWait how long a statement is repeated for a bucket that changes its shard
   */
  public record Moves(Duration cutoverWait) {
    public static final Moves DEFAULT = new Moves(Duration.ofSeconds(10));
  }

  /**
   * The traffic of buckets, which processes count and add to the catalog.
   *
   * @param interval between two additions; zero: nothing is counted
   */
  public record Heat(Duration interval) {
    public static final Heat DEFAULT = new Heat(Duration.ofSeconds(60));
    public static final Heat OFF = new Heat(Duration.ZERO);

    public boolean isOn() {
      return !interval.isZero();
    }
  }

  /**
   * A server that processes share places through.
   *
   * @param timeout of a connection and of an answer
   * @param connections at most, of one process
   */
  public record Redis(
      String url,
      Optional<String> user,
      Optional<String> password,
      Duration timeout,
      int connections) {
    static final Duration TIMEOUT = Duration.ofMillis(50);
    static final int CONNECTIONS = 8;

    /** Without the password. */
    @Override
    public String toString() {
      return url;
    }
  }

  /**
   * The role that moves buckets, the same on all shards. What guards the tables leaves it alone, so
   * nothing else may log in as it. {@code toString} is safe to show.
   *
   * @param password empty when the servers ask for none
   */
  public record Mover(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /**
   * Whether statements without a route key may go to all shards.
   *
   * @param writes never {@link ScatterPolicy#BOUNDED}: nothing bounds an UPDATE or DELETE
   */
  public record Scatter(ScatterRule reads, ScatterRule writes) {
    public static final Scatter DEFAULT =
        new Scatter(
            new ScatterRule(ScatterPolicy.BOUNDED, "default"),
            new ScatterRule(ScatterPolicy.REFUSE, "default"));
  }

  /** A column of every table of the group that has it. */
  public sealed interface IdColumn {
    String column();
  }

  /**
   * Routes by the gene of its values.
   *
   * @param genes how many buckets its ids can name: 1024, 4096 or 16384, and no fewer than there
   *     are
   */
  public record GeneIdColumn(String column, int genes) implements IdColumn {
    public GeneIdLayout layout() {
      return GeneIdLayout.forBuckets(genes);
    }
  }

  /** Routes by its texts. */
  public sealed interface NumberColumn extends IdColumn {
    /**
     * @param key the group's
     * @param function of a table that has the column
     */
    BucketText texts(List<String> key, BucketFunction function);

    /** True when only keys of whole numbers can be in its texts. */
    boolean carriesKey();
  }

  /** Text whose parts are values of other columns, all route key columns among them. */
  public record CodecColumn(String column, KeyCodec codec) implements NumberColumn {
    @Override
    public BucketText texts(List<String> key, BucketFunction function) {
      return new BucketText.OfKey(codec, key, function);
    }

    @Override
    public boolean carriesKey() {
      return true;
    }
  }

  /** Readable order numbers, which name their bucket. */
  public record OrderNumberColumn(String column, OrderNumberFormat format) implements NumberColumn {
    @Override
    public BucketText texts(List<String> key, BucketFunction function) {
      return new BucketText.OfOrder(format, Group.GENERATION);
    }

    @Override
    public boolean carriesKey() {
      return false;
    }
  }

  public record SnowflakeColumn(String column) implements IdColumn {}

  /**
   * Numbers of the catalog's sequence {@code <group>.<column>}.
   *
   * @param block how many a process takes at a time
   */
  public record SegmentColumn(String column, int block) implements IdColumn {
    public static final int BLOCK_DEFAULT = 1_000;

    /** A lost block leaves a gap of this many numbers. */
    public static final int BLOCK_MAX = 100_000_000;
  }

  /** UUIDs of version 7. */
  public record UuidColumn(String column) implements IdColumn {}

  /**
   * @param key this table's route key columns: the group's, or other names at the same positions
   * @param unique decision for each unique constraint (by name) that lacks the route key
   * @param notCompared columns that the verification of a move leaves out
   */
  public record Table(
      String name, List<String> key, Map<String, UniqueScope> unique, List<String> notCompared) {
    public Table {
      key = List.copyOf(key);
      unique = ordered(unique);
      notCompared = List.copyOf(notCompared);
    }

    /** Compared in all columns. */
    public Table(String name, List<String> key, Map<String, UniqueScope> unique) {
      this(name, key, unique, List.of());
    }
  }

  /**
   * A rule of the application that a move must not break, checked on both of its shards.
   *
   * @param sql a query for what breaks it among the rows of {@code :buckets}; no row: it holds
   */
  public record Invariant(String name, String sql) {
    /**
     * The query for these buckets.
     *
     * @param buckets not empty
     */
    public String of(BucketSet buckets) {
      return InvariantSql.of(sql)
          .withBuckets(
              buckets.toList().stream()
                  .map(bucket -> Integer.toString(bucket.value()))
                  .collect(Collectors.joining(", ")));
    }
  }

  /** What a unique constraint without the route key is meant to guarantee after sharding. */
  public enum UniqueScope {
    /** Unique within one shard only, knowingly. */
    LOCAL,
    /** Unique over all shards by a lookup index. */
    INDEX,
    /** Unique over all shards because the values are issued unique. */
    ID
  }

  static <K, V> Map<K, V> ordered(Map<K, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
