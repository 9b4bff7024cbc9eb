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
  void pointSelects_runOnStubAndRealShards() throws Exception {
    assertThat(rows("point"))
        .extracting(row -> row.substring(0, row.indexOf("  ")))
        .containsExactly(
            "point SELECT, stub, us",
            "point SELECT, stub, bytes allocated",
            "point SELECT, real, us",
            "point SELECT, real, bytes allocated");
  }

  @Test
  void textSelects_run() throws Exception {
    assertThat(rows("text"))
        .extracting(row -> row.strip().substring(0, row.strip().indexOf("  ")))
        .containsExactly(
            "point SELECT with literals, stub, us", "bytes allocated", "text of a new shape, us");
  }

  @Test
  void ids_run() throws Exception {
    List<String> rows = rows("ids");

    assertThat(rows).hasSize(2);
    assertThat(figure(rows.get(0), 1)).isPositive();
  }

  @Test
  void wideReads_run() throws Exception {
    List<String> rows = rows("wide");

    assertThat(rows).hasSize(3);
    assertThat(rows).allSatisfy(row -> assertThat(figure(row, 1)).isPositive());
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

  @Test
  void coldStart_runsInFreshProcesses() throws Exception {
    List<String> rows = rows("cold");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0)).startsWith("open to first row, fresh JVM, ms ");
    assertThat(figure(rows.get(0), 1)).isPositive();
    assertThat(figure(rows.get(0), 2)).isPositive();
  }

  @Test
  void scatter_runsNearAndFar() throws Exception {
    List<String> rows = rows("scatter");

    assertThat(rows).hasSize(4);
    assertThat(figure(rows.get(2), 2))
        .as("a shard that is 1 ms away needs 2 ms at least")
        .isGreaterThanOrEqualTo(2_000);
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
