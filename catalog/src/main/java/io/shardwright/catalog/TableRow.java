package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.Table;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.List;

/** A sharded table as the catalog records it. Its rows lie by this, so it is fixed for its life. */
record TableRow(String name, String group, List<String> key) {
  TableRow {
    key = List.copyOf(key);
  }

  /**
   * A table that the file leaves out is fine: nothing is read from it.
   *
   * @throws ShardwrightException SW416 when the file has it otherwise
   */
  void check(Configuration configuration) {
    if (configuration.reference().contains(name)) {
      throw mismatch(
          "is a table of group " + group,
          "is a reference table",
          "put it back under groups." + group + ".tables");
    }
    for (Group now : configuration.groups().values()) {
      Table table = now.tables().get(name);
      if (table != null && !now.name().equals(group)) {
        throw mismatch(
            "is a table of group " + group,
            "is one of group " + now.name(),
            "put it back under groups." + group + ".tables");
      }
      if (table != null && !table.key().equals(key)) {
        throw mismatch(
            "has the key " + key,
            "the key " + table.key(),
            "write groups." + group + ".tables." + name + ".key: " + key);
      }
    }
  }

  private ShardwrightException mismatch(String catalog, String file, String instead) {
    return new ShardwrightException(
        ErrorCode.CATALOG_MISMATCH,
        "table "
            + name
            + " "
            + catalog
            + " in the catalog and "
            + file
            + " in the file; group and key columns, in order, are fixed for the life of a table,"
            + " since its rows lie by them: "
            + instead
            + " in the file, or use a new table");
  }
}
