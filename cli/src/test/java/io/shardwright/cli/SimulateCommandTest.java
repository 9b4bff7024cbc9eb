package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
  @TempDir Path directory;
  private Path keys;

  @BeforeEach
  void writeKeys() throws IOException {
    keys =
        Files.writeString(directory.resolve("keys.csv"), "shop,rows\n4711,70\n2,10\n3,10\n5,10\n");
  }

  @Test
  void simulate_printsAndWrites_withoutKeys() throws IOException {
    Path json = directory.resolve("out.json");
    Path html = directory.resolve("out.html");

    Shell.Run run =
        Shell.run(
            "simulate",
            "--keys",
            keys.toString(),
            "--shards",
            "2",
            "--buckets",
            "64",
            "--grow",
            "4",
            "--json",
            json.toString(),
            "--html",
            html.toString());

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("100 rows of 4 keys (integer)", "70.000%", "UNEVEN", "From 2 to 4 shards")
        .doesNotContain("4711");
    JsonNode document = new ObjectMapper().readTree(Files.readString(json));
    assertThat(document.get("hottest_key").get("rows").asLong()).isEqualTo(70);
    assertThat(document.get("layouts").size()).isEqualTo(6);
    assertThat(document.get("growth").size()).isEqualTo(3);
    assertThat(document.toString()).doesNotContain("4711");
    assertThat(Files.readString(html)).contains("<svg").doesNotContain("4711");
  }

  @Test
  void simulate_showKeys_namesTheHottest() {
    Shell.Run run =
        Shell.run("simulate", "--keys", keys.toString(), "--shards", "2", "--show-keys");

    assertThat(run.out()).contains("hottest key 4711");
  }

  @Test
  void simulate_mistakes_areUsageErrors() {
    String file = keys.toString();

    Shell.Run hash = Shell.run("simulate", "--keys", file, "--shards", "2", "--hash", "md5");
    assertThat(hash.exit()).isEqualTo(2);
    assertThat(hash.err()).contains("SW603", "md5", "xxh64");
    Shell.Run type = Shell.run("simulate", "--keys", file, "--shards", "2", "--type", "number");
    assertThat(type.err()).contains("--type number", "integer");
    Shell.Run grow = Shell.run("simulate", "--keys", file, "--shards", "4", "--grow", "3");
    assertThat(grow.exit()).isEqualTo(2);
    Shell.Run missing = Shell.run("simulate", "--keys", file + "x", "--shards", "2");
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("cannot be read");
  }

  @Test
  void simulate_filesThatCannotBeOpened_areNamedOnceWithTheReason() {
    String nowhere = directory.resolve("nowhere").resolve("out.json").toString();

    Shell.Run write =
        Shell.run("simulate", "--keys", keys.toString(), "--shards", "2", "--json", nowhere);
    Shell.Run read = Shell.run("simulate", "--keys", nowhere, "--shards", "2");

    assertThat(write.err())
        .contains(
            nowhere + " cannot be written: there is no such file or directory; name another file")
        .containsOnlyOnce(nowhere);
    assertThat(read.err())
        .contains(nowhere + " cannot be read: there is no such file or directory")
        .containsOnlyOnce(nowhere);
  }
}
