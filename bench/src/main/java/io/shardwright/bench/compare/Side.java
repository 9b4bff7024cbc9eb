package io.shardwright.bench.compare;

/** Who takes part; each in a process of its own. */
enum Side {
  RAW("raw", "the same statements, routed, sent and merged by hand: HikariCP and the JDBC driver"),
  SHARDWRIGHT("shardwright", "the driver of this repository"),
  SHARDINGSPHERE("shardingsphere", "ShardingSphere-JDBC"),
  ONE_SERVER("one-server", "one database that holds all rows: HikariCP and the JDBC driver"),
  SLOWEST_SHARD("slowest-shard", "each shard asked alone, one after the other; the slowest counts");

  private final String label;
  private final String meaning;

  Side(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  String label() {
    return label;
  }

  String meaning() {
    return meaning;
  }
}
