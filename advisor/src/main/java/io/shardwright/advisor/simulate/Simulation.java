package io.shardwright.advisor.simulate;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Spreads the keys of a file over shards, under several layouts in one pass. Time is about 300 ns a
 * key; memory 16 to 42 bytes for each distinct key, at most 1 GiB. Two threads.
 */
public final class Simulation {
  public static final int SHARDS_MAX = 4_096;
  private static final int DIGEST_CHARS = 12;

  /**
   * What to simulate.
   *
   * @param type of the key column; empty: whole numbers when the first keys are, else text
   * @param shards 1 to buckets
   * @param buckets 1 to 65536
   * @param grownTo shards afterwards, more than {@code shards}; empty: no growth
   * @param hashes of the layouts with buckets; growth is told of the first
   * @param showKeys else the hottest key is told by a digest
   */
  public record Options(
      Path file,
      Optional<KeyType> type,
      int shards,
      int buckets,
      OptionalInt grownTo,
      List<KeyHash> hashes,
      boolean showKeys) {
    /**
     * @throws ShardwrightException SW603 with all that is wrong
     */
    public Options {
      hashes = List.copyOf(hashes);
      List<String> wrong = new ArrayList<>();
      if (buckets < 1 || buckets > BucketFunction.MAX_BUCKETS) {
        wrong.add("buckets must be 1 to " + BucketFunction.MAX_BUCKETS + ", not " + buckets);
      }
      if (shards < 1 || shards > Math.min(SHARDS_MAX, buckets)) {
        wrong.add("shards must be 1 to " + SHARDS_MAX + " and at most the buckets, not " + shards);
      }
      if (grownTo.isPresent()
          && (grownTo.getAsInt() <= shards || grownTo.getAsInt() > Math.min(SHARDS_MAX, buckets))) {
        wrong.add(
            "the shards to grow to must be more than now and at most the buckets, not "
                + grownTo.getAsInt());
      }
      if (hashes.isEmpty()) {
        wrong.add("name at least one hash");
      }
      if (!wrong.isEmpty()) {
        throw new ShardwrightException(ErrorCode.COMMAND_INVALID, String.join("; ", wrong));
      }
    }
  }

  /**
   * What came out.
   *
   * @param rows with a key that a row of this type can have
   * @param impossibleRows rows of keys that no row of this type can have, such as 1.5 of integers
   * @param keys distinct ones; a lower bound when not {@code exact}
   * @param hottestRows rows of the key with the most; a lower bound when not {@code exact}
   * @param hottestKey itself or {@code #} and a digest
   * @param exact false when there were too many distinct keys to count each
   * @param left hashes that keys of this type do not have
   */
  public record Result(
      Options options,
      KeyType type,
      KeyFile.Lines lines,
      long rows,
      long impossibleRows,
      int keys,
      long hottestRows,
      String hottestKey,
      boolean exact,
      List<Spread> spreads,
      List<Growth> growths,
      List<KeyHash> left) {
    public double hottestShare() {
      return (double) hottestRows / rows;
    }

    /** Rows of all shards but for the hottest key would still leave this much on its shard. */
    public double hottestToMean() {
      return (double) hottestRows * options.shards() / rows;
    }
  }

  private final Options options;
  private final KeyType type;
  private final List<KeyHash> hashes;
  private final KeyHash.Key key;
  private final long[][] rowsOfBuckets;
  private final long[] modulo;
  private final long[] moduloAfter;
  private final long[] ringRows;
  private final long[] ringAfter;
  private final Ring ring;
  private final Ring ringGrown;
  private final HottestKey hottest;
  private long moduloMoved;
  private long ringMoved;
  private long rows;
  private long impossibleRows;

  private Simulation(Options options, KeyType type, HottestKey hottest) {
    this.hottest = hottest;
    this.options = options;
    this.type = type;
    this.key = new KeyHash.Key(type);
    this.hashes = options.hashes().stream().filter(hash -> hash.takes(type)).toList();
    if (hashes.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "keys of type "
              + type
              + " have none of the hashes that were named; modulo is for whole numbers only");
    }
    int grown = options.grownTo().orElse(options.shards());
    this.rowsOfBuckets = new long[hashes.size()][options.buckets()];
    this.modulo = new long[options.shards()];
    this.moduloAfter = new long[grown];
    this.ringRows = new long[options.shards()];
    this.ringAfter = new long[grown];
    this.ring = Ring.of(options.shards());
    this.ringGrown = Ring.of(grown);
  }

  /**
   * Reads the file once, its beginning twice.
   *
   * @throws ShardwrightException SW603 for options and lines that are wrong
   */
  public static Result run(Options options) {
    KeyType type = options.type().orElseGet(() -> typeOf(KeyFile.sample(options.file())));
    try (HottestKey hottest = new HottestKey()) {
      return new Simulation(options, type, hottest).run();
    }
  }

  private static KeyType typeOf(List<String> sample) {
    return !sample.isEmpty() && sample.stream().allMatch(text -> text.matches("-?[0-9]{1,19}"))
        ? KeyType.INTEGER
        : KeyType.TEXT;
  }

  private Result run() {
    KeyFile.Lines lines = KeyFile.read(options.file(), this::add);
    hottest.finish();
    if (rows == 0) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          options.file() + " has no row with a key of type " + type + "; nothing can be spread");
    }
    List<Spread> spreads = new ArrayList<>();
    int[] owners = owners(options.shards());
    for (int i = 0; i < hashes.size(); i++) {
      long[] byShard = byShard(rowsOfBuckets[i], owners, options.shards());
      spreads.add(Spread.of("map", hashes.get(i).written(), byShard));
    }
    spreads.add(Spread.of("modulo", hashes.get(0).written(), modulo));
    spreads.add(Spread.of("ring", KeyHash.XXH64.written(), ringRows));
    List<KeyHash> left = options.hashes().stream().filter(hash -> !hashes.contains(hash)).toList();
    String shown = options.showKeys() ? hottest.key() : digest(hottest.key());
    return new Result(
        options,
        type,
        lines,
        rows,
        impossibleRows,
        hottest.keys(),
        hottest.rows(),
        shown,
        hottest.isExact(),
        spreads,
        options.grownTo().isPresent() ? growths(owners, options.grownTo().getAsInt()) : List.of(),
        left);
  }

  private void add(byte[] bytes, int from, int to, long more) {
    if (more == 0) {
      return;
    }
    if (!isUsable(bytes, from, to)) {
      impossibleRows += more;
      return;
    }
    rows += more;
    for (int i = 0; i < rowsOfBuckets.length; i++) {
      long hash = hashes.get(i).of(key);
      rowsOfBuckets[i][remainder(hash, rowsOfBuckets[i].length)] += more;
    }
    long first = hashes.get(0).of(key);
    int before = remainder(first, modulo.length);
    int after = remainder(first, moduloAfter.length);
    modulo[before] += more;
    moduloAfter[after] += more;
    moduloMoved += before == after ? 0 : more;
    int ringBefore = ring.shardOf(key.hash());
    int ringThen = ringGrown.shardOf(key.hash());
    ringRows[ringBefore] += more;
    ringAfter[ringThen] += more;
    ringMoved += ringBefore == ringThen ? 0 : more;
    hottest.add(key.hash(), more, bytes, from, to);
  }

  /** Unsigned; a division costs as much as the hash. */
  private static int remainder(long hash, int divisor) {
    return (divisor & (divisor - 1)) == 0
        ? (int) hash & (divisor - 1)
        : (int) Long.remainderUnsigned(hash, divisor);
  }

  private boolean isUsable(byte[] bytes, int from, int to) {
    try {
      return key.set(bytes, from, to);
    } catch (ShardwrightException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          options.file()
              + " has a key that is not of type "
              + type
              + " (a key of "
              + (to - from)
              + " bytes behind "
              + rows
              + " rows); name the type of the column by --type",
          e);
    }
  }

  private List<Growth> growths(int[] owners, int grown) {
    int[] target = Growth.fewestMoves(owners, grown);
    long[] buckets = rowsOfBuckets[0];
    long movedRows = 0;
    int movedBuckets = 0;
    for (int bucket = 0; bucket < owners.length; bucket++) {
      if (owners[bucket] != target[bucket]) {
        movedBuckets++;
        movedRows += buckets[bucket];
      }
    }
    String first = hashes.get(0).written();
    Spread map = Spread.of("map", first, byShard(buckets, target, grown));
    return List.of(
        new Growth(map, movedRows, movedBuckets),
        new Growth(Spread.of("ring", KeyHash.XXH64.written(), ringAfter), ringMoved, 0),
        new Growth(Spread.of("modulo", first, moduloAfter), moduloMoved, 0));
  }

  /** By the map that {@code apply} would make. */
  private int[] owners(int shards) {
    List<ShardId> names = IntStream.range(0, shards).mapToObj(i -> new ShardId("s" + i)).toList();
    BucketMap map = BucketMap.initial("simulated", options.buckets(), names);
    int[] owners = new int[options.buckets()];
    for (int bucket = 0; bucket < owners.length; bucket++) {
      String name = map.shardOf(new BucketId(bucket)).name();
      owners[bucket] = Integer.parseInt(name.substring(1));
    }
    return owners;
  }

  private static long[] byShard(long[] buckets, int[] owners, int shards) {
    long[] rows = new long[shards];
    for (int bucket = 0; bucket < buckets.length; bucket++) {
      rows[owners[bucket]] += buckets[bucket];
    }
    return rows;
  }

  private static String digest(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return "#" + HexFormat.of().formatHex(digest).substring(0, DIGEST_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
