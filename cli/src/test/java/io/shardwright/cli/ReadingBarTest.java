package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadingBarTest {
  @TempDir Path directory;

  private static Console console(ByteArrayOutputStream err, boolean interactive) {
    return new Console(
        new ByteArrayInputStream(new byte[0]),
        new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        StandardCharsets.UTF_8,
        interactive);
  }

  @Test
  void text_tellsPartRateAndRest() {
    Console console = console(new ByteArrayOutputStream(), true);
    ReadingBar bar = new ReadingBar(console, new Progress(console), 2_000_000_000, 2);
    bar.begin();

    assertThat(bar.text(500_000_000, 1_234_567, Duration.ofSeconds(10)))
        .isEqualTo(
            "reading 1 of 2: [#####...............] 25% of 2.0 GB, 1,234,567 statements, 50 MB/s,"
                + " 0:30 left");
    bar.begin();
    assertThat(bar.text(2_000_000_000, 9, Duration.ofSeconds(100)))
        .isEqualTo(
            "reading 2 of 2: [####################] 100% of 2.0 GB, 9 statements, 20 MB/s, 0:00"
                + " left");
    assertThat(bar.text(0, 0, Duration.ZERO)).contains(" 0% of 2.0 GB", "0 KB/s, 0:00 left");
  }

  @Test
  void advise_withoutATerminal_tellsNothing() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append("SELECT * FROM t WHERE a = ").append(i).append(";\n");
    }
    Path log = Files.writeString(directory.resolve("statements.sql"), lines);
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int exit = Shell.run(console(err, false), "advise", log.toString());

    assertThat(exit).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
