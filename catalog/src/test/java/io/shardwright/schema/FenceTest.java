package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FenceTest {
  private static final Pattern VECTOR =
      Pattern.compile("^\\| `([a-z_.]+)` \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$", Pattern.MULTILINE);

  /** Writers and movers of different releases meet at these locks. */
  @Test
  void lock_vectorsOfTheDocument_agree() throws IOException {
    String document = Files.readString(Path.of("../docs/catalog-format.md"));
    List<String> vectors = new ArrayList<>();
    for (Matcher row = VECTOR.matcher(document); row.find(); ) {
      vectors.add(row.group());
      assertThat(Fence.groupNumber(row.group(1))).isEqualTo(Integer.parseInt(row.group(3)));
      assertThat(Fence.lock(row.group(1), Integer.parseInt(row.group(2))))
          .isEqualTo(Integer.parseInt(row.group(4)));
    }
    assertThat(vectors).hasSize(5);
    assertThat(document).contains("(" + Fence.LOCK_CLASS + ", number)");
  }

  @Test
  void captureTable_longName_isCutWithAHash() {
    assertThat(Fence.captureTable("orders")).isEqualTo("shardwright_capture_orders");
    assertThat(Fence.captureTable("o".repeat(60)))
        .hasSize(63)
        .isNotEqualTo(Fence.captureTable("o".repeat(61)));
  }
}
