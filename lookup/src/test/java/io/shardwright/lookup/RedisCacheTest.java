package io.shardwright.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.IndexName;
import io.shardwright.routing.BucketId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What processes of different releases write for each other: format 1. */
class RedisCacheTest {
  private static final IndexName NAME = new IndexName("orders", "by_no");

  @Test
  void keys_areFixed() {
    // printf '4:A-17' | sha256sum | xxd -r -p | base64
    assertThat(RedisCache.key(NAME, 6, List.of("A-17")))
        .isEqualTo("shardwright:1:orders.by_no:6:V2XmEPF67FAz-ULOYwh65PaOtirlHITMliupu6iqGbg");
    // printf '2:17' and '1:a1:\\x00'
    assertThat(RedisCache.key(NAME, 6, List.of(17L)))
        .isEqualTo("shardwright:1:orders.by_no:6:BPt0fTq7aMdml_ATlc8HMOFMlJxmHL_EDU8Xm4Ww7SQ");
    assertThat(RedisCache.key(NAME, 7, List.of("a", new byte[] {0})))
        .isEqualTo("shardwright:1:orders.by_no:7:VSBfIPRqKliUNTbb415FnuJGps4B3Cl_uoPYL5w6eHQ");
  }

  @Test
  void places_areFixed() {
    Places places = new Places(Map.of(-1L, new BucketId(7)));
    assertThat(RedisCache.text(places)).isEqualTo("ffffffffffffffff=7");
    assertThat(RedisCache.parsed("ffffffffffffffff=7")).contains(places);
    Places two = new Places(Map.of(1L, new BucketId(0), 2L, new BucketId(4095)));
    assertThat(RedisCache.parsed(RedisCache.text(two))).contains(two);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "=",
        "1",
        "1=",
        "=1",
        "x=1",
        "1=-1",
        "1=x",
        "1=1,",
        "0123456789abcdef=-1",
        "0123456789abcdefg=1"
      })
  void otherTexts_areNoPlaces(String text) {
    assertThat(RedisCache.parsed(text)).isEmpty();
  }
}
