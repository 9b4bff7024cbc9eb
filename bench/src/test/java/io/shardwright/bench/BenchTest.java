package io.shardwright.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each benchmark runs, on the smallest scale; the figures mean nothing. */
class BenchTest {

  @Test
  void ids_run() throws Exception {
    List<String> rows = rows("ids");

    assertThat(rows).hasSize(2);
    assertThat(figure(rows.get(0), 1)).isPositive();
  }

  @Test
  void lookups_run() throws Exception {
    List<String> rows = rows("lookup");

    assertThat(rows).hasSize(7);
    assertThat(rows).allSatisfy(row -> assertThat(figure(row, 1)).isPositive());
  }

  @Test
  void moves_runOnBothDatabases() throws Exception {
    List<String> rows = rows("moves");

    assertThat(rows).hasSize(14);
    assertThat(rows).allSatisfy(row -> assertThat(figure(row.strip(), 1)).isPositive());
  }

  /** The lines of the table below its heading. */
  private static List<String> rows(String part) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      new Bench(Bench.Effort.TINY, out).run(Set.of(part));
    }
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    int heading = 0;
    while (!lines.get(heading).contains("yardstick")) {
      heading++;
    }
    return lines.subList(heading + 1, lines.size());
  }

  private static double figure(String row, int column) {
    String[] cells = row.split(" {2,}");
    assertThat(cells.length).as(Arrays.toString(cells)).isGreaterThan(column);
    return Double.parseDouble(cells[column]);
  }
}
