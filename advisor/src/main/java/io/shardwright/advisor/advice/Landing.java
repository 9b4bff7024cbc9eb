package io.shardwright.advisor.advice;

import java.util.Locale;

/** Where statements of a template go under a key. */
public enum Landing {
  SINGLE("one shard, by the key"),
  FEW("the shards of the keys in its list"),
  GENE("one shard, by the bucket in the id"),
  LOOKUP_INDEX("one shard, by a unique lookup index: one read more"),
  COVERING_INDEX("the shard of a lookup index that lists the rows; the columns shown are covered"),
  GATEWAY_SCATTER("all shards, bounded and merged by the query gateway"),
  PROJECTION("a read model that is fed by change capture"),
  SEARCH("a search index that is fed by change capture"),
  ANALYTICS("a store for figures that is fed by change capture, or the gateway's aggregates"),
  EXPORT_JOB("an asynchronous job over all shards"),
  WRITE_JOB("refused as one statement: a job that goes from shard to shard");

  private final String meaning;

  Landing(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a caller sees there. */
  public Consistency consistency() {
    return switch (this) {
      case SINGLE, GENE, LOOKUP_INDEX -> Consistency.STRONG;
      case FEW, WRITE_JOB -> Consistency.EACH_SHARD;
      case COVERING_INDEX, PROJECTION, SEARCH, ANALYTICS -> Consistency.BOUNDED_STALENESS;
      case GATEWAY_SCATTER -> Consistency.EACH_SHARD;
      case EXPORT_JOB -> Consistency.RECORDED_POSITION;
    };
  }

  /** True when the key itself says which shards have the rows. */
  public boolean isCovered() {
    return this == SINGLE || this == FEW;
  }

  /** True when a one-to-one way leads from the statement's own column to its shard. */
  public boolean isCured() {
    return this == GENE || this == LOOKUP_INDEX;
  }
}
