package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

class StaticCatalogTest {
  private final Catalog catalog =
      Catalog.open(
          TestingConfiguration.of(
              "",
              List.of("jdbc:postgresql://h0/d", "jdbc:postgresql://h1/d"),
              "groups: {g: {key: [k], buckets: 5, tables: {t: }}}"));

  @Test
  void load_isVersionOneInFileOrder() {
    CatalogState state = catalog.load();
    BucketMap map = state.maps().get("g");

    assertThat(state.clusterId()).isEmpty();
    assertThat(map.version()).isEqualTo(1);
    assertThat(map.bucketsOf(new ShardId("s0")))
        .containsExactly(new BucketId(0), new BucketId(1), new BucketId(2));
    assertThat(catalog.loadIfNewer(state)).isEmpty();
  }

  @Test
  void publish_isRefused() {
    BucketMap next = catalog.load().maps().get("g").withMoved(List.of(), new ShardId("s1"));

    ShardwrightException e =
        catchThrowableOfType(ShardwrightException.class, () -> catalog.publish(next, "x"));

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_READ_ONLY);
    assertThat(e).hasMessageContaining("the configuration names no catalog");
  }
}
