package io.shardwright.catalog;

import java.util.Locale;

/** How far a lookup index is; only {@code shardwright index} changes it. */
public enum IndexState {
  /** Its tables are on the shards, and nothing writes to them. */
  DECLARED,
  /** Every write maintains its entries; no statement is answered by them. */
  WRITE_ONLY,
  /** As before; entries and rows have been compared, both ways. */
  VERIFIED,
  /** Statements are answered by it. */
  READABLE;

  /** Whether writes maintain it. */
  public boolean isMaintained() {
    return this != DECLARED;
  }

  String stored() {
    return name().toLowerCase(Locale.ROOT);
  }

  static IndexState ofStored(String stored) {
    return valueOf(stored.toUpperCase(Locale.ROOT));
  }
}
