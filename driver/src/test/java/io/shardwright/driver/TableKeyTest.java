package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableKeyTest {
  /** Reads by the new key would look into other buckets and find nothing. */
  @Test
  void open_keyOfATableChangedInTheFile_isRefused() {
    try (TestingShards shards = TestingShards.open(2)) {
      String swapped = shards.yaml().replace("items: {}", "items: {key: [buyer_id, tenant_id]}");

      ShardwrightException e =
          catchThrowableOfType(
              ShardwrightException.class,
              () -> Shardwright.open(ConfigurationReader.parse("f", swapped, Map.of())).close());

      assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_MISMATCH);
      assertThat(e)
          .hasMessageContaining("table items")
          .hasMessageContaining("[tenant_id, buyer_id] in the catalog")
          .hasMessageContaining("[buyer_id, tenant_id] in the file");
    }
  }
}
