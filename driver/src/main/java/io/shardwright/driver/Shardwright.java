package io.shardwright.driver;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import java.nio.file.Path;

/** Opens the logical database that a shardwright.yaml describes. */
public final class Shardwright {
  private Shardwright() {}

  /**
   * Reads the file and connects.
   *
   * @return to be closed by the caller; keep one per process
   * @throws io.shardwright.errors.ShardwrightException SW101, SW102 for the file; SW411, SW412,
   *     SW414, SW416 for the catalog; SW401, SW403, SW103, SW104 when no shard can be used
   */
  public static ShardwrightDataSource open(Path file) {
    return new ShardwrightDataSource(
        new Cluster(file.toString(), () -> ConfigurationReader.read(file)));
  }

  /** The same with a configuration that was read or made before. */
  public static ShardwrightDataSource open(Configuration configuration) {
    return new ShardwrightDataSource(new Cluster("configuration", () -> configuration));
  }
}
