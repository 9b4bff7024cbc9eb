package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTokenFormatTest {
  @Test
  void format1_isAsTheVectorsHaveIt() throws IOException {
    int checked = 0;
    for (String line : Files.readAllLines(Path.of("../docs/vectors/write-token-v1.tsv"))) {
      if (!line.startsWith("#")) {
        String[] fields = line.split("\t", -1);
        Map<ShardId, String> servers = new TreeMap<>();
        for (String server : fields[2].isEmpty() ? new String[0] : fields[2].split(" ", -1)) {
          String[] parts = server.split("=", -1);
          servers.put(new ShardId(parts[0]), parts[1]);
        }
        WriteToken token = new WriteToken(fields[0], Long.parseLong(fields[1]), servers);
        assertThat(token.toString()).isEqualTo(fields[3]);
        assertThat(WriteToken.parse(fields[3])).isEqualTo(token);
        checked++;
      }
    }
    assertThat(checked).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "w1.", "w2.YQ", "w1.%%%", "w1.Y2x1c3Rlcg", "w1.YQp4", "w1.YQoxCnMw"})
  void othersAreRefused(String text) {
    assertThatThrownBy(() -> WriteToken.parse(text))
        .hasMessageStartingWith("SW814")
        .hasMessageContaining("no token of a write");
  }
}
