package io.shardwright.bench.compare;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import java.util.List;
import java.util.Map;

/** Opens the driver of this repository. */
final class ShardwrightOpener {
  private ShardwrightOpener() {}

  static Opponent open(List<String> urls, Setup setup, boolean lookup) {
    String yaml =
        lookup
            ? Numbered.configuration(
                setup.catalogUrl(), urls, setup.user(), setup.password(), setup.poolMax())
            : OrderTables.configuration(urls, setup.user(), setup.password(), setup.poolMax());
    ShardwrightDataSource source =
        Shardwright.open(ConfigurationReader.parse("bench", yaml, Map.of()));
    return new DataSourceOpponent(source, source, false);
  }
}
