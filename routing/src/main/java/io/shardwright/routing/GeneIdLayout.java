package io.shardwright.routing;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

/**
 * How a 64-bit gene id is laid out: sign 0 | version | time | gene | node | sequence, from the
 * highest bit down. Persisted contract, version 1 (docs/routing-contract.md). The sequence counts
 * per gene, so an id is unique by (time, gene, node, sequence).
 *
 * @param buckets V of the group
 * @param versionBits names the generation of the group
 * @param timeBits milliseconds since {@link #EPOCH}
 * @param geneBits the bucket; 2^geneBits = V
 */
public record GeneIdLayout(
    int buckets, int versionBits, int timeBits, int geneBits, int nodeBits, int sequenceBits) {
  /** Tick 0. 40 bits of milliseconds reach 2059-11, 41 bits 2094-09. */
  public static final Instant EPOCH = Instant.parse("2025-01-01T00:00:00Z");

  /** The numbers of buckets for which there is a layout, ascending. */
  public static final List<Integer> PUBLISHED = List.of(1024, 4096, 16384);

  private static final int ID_BITS = 63;

  public GeneIdLayout {
    if (1 << geneBits != buckets
        || versionBits + timeBits + geneBits + nodeBits + sequenceBits != ID_BITS) {
      throw new IllegalArgumentException("not a gene id layout for " + buckets + " buckets");
    }
  }

  /**
   * The published layout for V.
   *
   * @throws ShardwrightException SW101 when there is none: V must be 1024, 4096 or 16384
   */
  public static GeneIdLayout forBuckets(int buckets) {
    return switch (buckets) {
      case 1024 -> new GeneIdLayout(buckets, 2, 41, 10, 6, 4);
      case 4096 -> new GeneIdLayout(buckets, 2, 40, 12, 6, 3);
      case 16384 -> new GeneIdLayout(buckets, 2, 40, 14, 6, 1);
      default ->
          throw new ShardwrightException(
              ErrorCode.CONFIGURATION_INVALID,
              "gene ids exist for 1024, 4096 and 16384 buckets, not for " + buckets);
    };
  }

  public static boolean existsFor(int buckets) {
    return PUBLISHED.contains(buckets);
  }

  /** V of the smallest layout that can name so many buckets; empty: none can. */
  public static OptionalInt leastFor(int buckets) {
    return PUBLISHED.stream()
        .mapToInt(genes -> genes)
        .filter(genes -> genes >= buckets)
        .findFirst();
  }

  /** Number of bits to the right of the gene. */
  public int geneShift() {
    return nodeBits + sequenceBits;
  }

  /** Generations that the version bits can name. */
  public int versions() {
    return 1 << versionBits;
  }

  /** The last millisecond since {@link #EPOCH} that an id can express. */
  public long tickMax() {
    return (1L << timeBits) - 1;
  }

  public int nodes() {
    return 1 << nodeBits;
  }

  public int idsPerGeneNodeAndTick() {
    return 1 << sequenceBits;
  }

  /**
   * The bucket that an id names. Any non-negative number has one; negative ones never were issued.
   */
  public BucketId gene(long id) {
    return new BucketId((int) (id >>> geneShift()) & (buckets - 1));
  }

  /** The fields must fit their bits. */
  public long compose(int version, long tick, BucketId gene, int node, int sequence) {
    long id = version;
    id = (id << timeBits) | tick;
    id = (id << geneBits) | gene.value();
    id = (id << nodeBits) | node;
    return (id << sequenceBits) | sequence;
  }
}
