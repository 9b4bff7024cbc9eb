package io.shardwright.catalog;

import java.util.Locale;

/**
 * A lookup index, and what its objects on the shards are called (docs/catalog-format.md).
 *
 * @param group a group's name, which holds no dot
 */
public record IndexName(String group, String index) {
  private static final int MAX_BYTES = 40;

  /** What its triggers fire on. */
  public enum Event {
    INSERT,
    UPDATE,
    DELETE,
    /** PostgreSQL only: MariaDB has no trigger for it. */
    TRUNCATE
  }

  /** {@code group.index}: in the catalog, and in {@link CatalogState}. */
  public static IndexName parse(String placement) {
    int dot = placement.indexOf('.');
    return new IndexName(placement.substring(0, dot), placement.substring(dot + 1));
  }

  /** The name of its bucket map, e.g. {@code orders.by_order_no}. */
  public String placement() {
    return group + "." + index;
  }

  /**
   * {@code group_index}, e.g. {@code orders_by_order_no}: what messages and changes call it on a
   * shard. With a hash when it is long, and when the group's name could end elsewhere.
   */
  public String object() {
    String name = group + "_" + index;
    boolean ambiguous = group.indexOf('_') >= 0;
    return ObjectName.fit("", name, placement(), MAX_BYTES, ambiguous);
  }

  public String entryTable() {
    return "shardwright_entry_" + object();
  }

  /** A view of its live entries with the columns of the table; of indexes that are not unique. */
  public String listView() {
    return "shardwright_list_" + object();
  }

  /** What changed on a shard and is not in the index yet; of indexes that are not unique. */
  public String outboxTable() {
    return "shardwright_outbox_" + object();
  }

  /** Changes that the index did not take; of indexes that are not unique. */
  public String deadTable() {
    return "shardwright_dead_" + object();
  }

  public String claimTable() {
    return "shardwright_claim_" + object();
  }

  /** PostgreSQL only. */
  public String changeTable() {
    return "shardwright_change_" + object();
  }

  /** What numbers the changes of an index that is not unique; MariaDB only. */
  public String sequence() {
    return "shardwright_version_" + object();
  }

  /** What the triggers call; PostgreSQL only. */
  public String function() {
    return "shardwright_index_" + object();
  }

  /**
   * PostgreSQL fires triggers in the order of their names: this one before those of users, whose
   * own statements would otherwise be told of before the one that fired them.
   */
  public String trigger(Event event) {
    return "!shardwright_" + event.name().toLowerCase(Locale.ROOT) + "_" + object();
  }

  @Override
  public String toString() {
    return placement();
  }
}
