package io.shardwright.schema;

import io.shardwright.catalog.ObjectName;
import io.shardwright.config.DatabaseProduct;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/**
 * What a shard's fence is called and which locks it takes (docs/catalog-format.md): persisted, and
 * the same in the triggers, the driver and whoever moves buckets.
 */
public final class Fence {
  /** A row for each bucket of each placement: may it be written here? */
  public static final String BUCKET_TABLE = "shardwright_bucket";

  /** PostgreSQL: takes a bucket's lock and checks its row as a write does, without a write. */
  public static final String ENTER = "shardwright_enter";

  /** SQLSTATE, and on MariaDB the start of the message: this shard does not take the write. */
  public static final String STALE = "SW001";

  /** The same: this server is not the one on which the bucket's row was written. */
  public static final String OTHER_INCARNATION = "SW002";

  /** PostgreSQL: the first number of the advisory locks. */
  public static final int LOCK_CLASS = 0x53574231;

  /** Advisory locks of one placement: one per bucket would exhaust the server's lock table. */
  public static final int STRIPES = 256;

  private static final int UNUSED_BITS = 9;

  /** What a bucket's row says; stored in lower case. */
  public enum State {
    /** Owned, written by all. */
    OPEN,
    /** Owned, nobody writes. */
    CLOSED,
    /** Not owned, the mover writes. */
    INCOMING,
    /** Not owned. */
    AWAY;

    public String stored() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private Fence() {}

  /** Where the keys of a table's changed rows are noted while their bucket moves. */
  public static String captureTable(String table) {
    return ObjectName.fit("shardwright_capture_", table);
  }

  /**
   * PostgreSQL: the second number of the advisory lock that writers of the bucket share.
   *
   * @param placement name of the bucket map: a group's, or an index's
   */
  public static int lock(String placement, int bucket) {
    return groupNumber(placement) * STRIPES + bucket % STRIPES;
  }

  /** The first 23 bits of the MD5 of its name. */
  public static int groupNumber(String placement) {
    byte[] digest;
    try {
      digest = MessageDigest.getInstance("MD5").digest(placement.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
    int bits = (digest[0] & 0xff) << 24 | (digest[1] & 0xff) << 16 | (digest[2] & 0xff) << 8;
    return bits >>> UNUSED_BITS;
  }

  /**
   * One statement for a new connection: it fails with {@link #OTHER_INCARNATION} on a server that
   * is not the one on which the rows of buckets were written, and does {@code then} elsewhere.
   *
   * @param then a statement of the session; empty: nothing
   */
  public static String checkOfServer(DatabaseProduct product, String then) {
    String message =
        "SW002: this server took over from another one, or was restored; run shardwright apply";
    String body =
        switch (product) {
          case POSTGRESQL ->
              """
              DO $fence$ BEGIN
              IF pg_catalog.to_regclass('shardwright_bucket') IS NOT NULL THEN
                IF EXISTS (SELECT 1 FROM shardwright_bucket
                    WHERE incarnation OPERATOR(pg_catalog.<>) (SELECT %s)) THEN
                  RAISE EXCEPTION USING ERRCODE = 'SW002', MESSAGE = '%s';
                END IF;
              END IF;
              END $fence$;%s\
              """;
          case MARIADB ->
              """
              BEGIN NOT ATOMIC
              IF EXISTS (SELECT 1 FROM information_schema.tables
                  WHERE table_schema = DATABASE() AND table_name = 'shardwright_bucket') THEN
                IF EXISTS (SELECT 1 FROM shardwright_bucket WHERE incarnation <> %s) THEN
                  SIGNAL SQLSTATE 'SW002' SET MESSAGE_TEXT = '%s';
                END IF;
              END IF;
              %s;
              END\
              """;
        };
    String last = then.isEmpty() && product == DatabaseProduct.MARIADB ? "DO 0" : then;
    return body.formatted(incarnation(product), message, last);
  }

  /** An expression of the shard for what {@code incarnation} of a bucket's row has to be. */
  public static String incarnation(DatabaseProduct product) {
    return ShardDatabase.of(product).incarnation();
  }
}
