package io.shardwright.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What is stored in columns and printed on paper is a contract: when this test fails, make a new
 * version, not a new expected value. {@link IdSqlContractTest} checks the same files in SQL.
 */
class IdVectorsTest {
  @Test
  void base62_ofVectors_isPinned() {
    for (String[] cells : Vectors.rows("base62-v1.tsv")) {
      if (cells[1].isEmpty()) {
        assertMalformed(() -> Base62.decode(cells[0]));
      } else {
        assertThat(Base62.encode(Long.parseLong(cells[1]))).isEqualTo(cells[0]);
        assertThat(Base62.decode(cells[0])).isEqualTo(Long.parseLong(cells[1]));
      }
    }
  }

  @Test
  void publicId_ofVectors_isPinned() {
    for (String[] cells : Vectors.rows("public-id-v1.tsv")) {
      int version = Integer.parseInt(cells[0]);
      long id = Long.parseLong(cells[2]);
      PublicIds ids = new PublicIds(Map.of(version, HexFormat.of().parseHex(cells[1])), version);

      assertThat(ids.encode(id)).isEqualTo(cells[3]);
      assertThat(ids.decode(cells[3])).isEqualTo(new PublicIds.PublicId(version, id));
    }
  }

  @Test
  void orderNumber_ofVectors_isPinned() {
    for (String[] cells : Vectors.rows("order-number-v1.tsv")) {
      OrderNumberFormat format = new OrderNumberFormat(cells[0], Integer.parseInt(cells[1]));
      if (!cells[8].isEmpty()) {
        assertThat(format.parse(cells[7])).as(cells[8]).isEmpty();
        continue;
      }
      OrderNumber number =
          new OrderNumber(
              Integer.parseInt(cells[2]),
              Instant.parse(cells[3]),
              new BucketId(Integer.parseInt(cells[4])),
              Integer.parseInt(cells[5]),
              Integer.parseInt(cells[6]));
      assertThat(format.text(number)).isEqualTo(cells[7]);
      assertThat(format.parse(cells[7])).contains(number);
    }
  }

  @Test
  void snowflake_ofVectors_isPinned() {
    for (String[] cells : Vectors.rows("snowflake-v1.tsv")) {
      long id = Long.parseLong(cells[0]);
      assertThat(SnowflakeId.decode(id))
          .isEqualTo(
              new SnowflakeId(
                  id,
                  Instant.parse(cells[1]),
                  Integer.parseInt(cells[2]),
                  Integer.parseInt(cells[3])));
    }
  }

  @Test
  void uuidV7_ofVectors_isPinned() {
    for (String[] cells : Vectors.rows("uuid-v7.tsv")) {
      if (cells[1].isEmpty()) {
        assertMalformed(() -> UuidV7.parse(cells[0]));
      } else {
        UuidV7 uuid = UuidV7.parse(cells[0]);
        assertThat(uuid.createdAt()).isEqualTo(Instant.parse(cells[1]));
        assertThat(uuid.counter()).isEqualTo(Integer.parseInt(cells[2]));
        assertThat(uuid.value()).hasToString(cells[0]);
      }
    }
  }

  @Test
  void keyCodec_ofVectors_isPinned() {
    for (String[] cells : Vectors.rows("key-codec-v1.tsv")) {
      KeyCodec codec = KeyCodec.of(cells[0]);
      if (cells[1].isEmpty()) {
        assertThat(codec.decode(cells[2])).as(cells[2]).isEmpty();
      } else {
        List<Long> values = Arrays.stream(cells[1].split(",")).map(Long::valueOf).toList();
        assertThat(codec.encode(values)).isEqualTo(cells[2]);
        assertThat(codec.decode(cells[2])).contains(values);
      }
    }
  }

  static void assertMalformed(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_MALFORMED));
  }
}
