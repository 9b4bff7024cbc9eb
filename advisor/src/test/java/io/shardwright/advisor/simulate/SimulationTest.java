package io.shardwright.advisor.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.HashAlgorithm;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationTest {
  @TempDir Path directory;

  @Test
  void modulo_handComputed() throws IOException {
    // Buckets 0..5; the first map gives 0,1,2 to shard 0 and 3,4,5 to shard 1.
    Path file = file("0,10\n1,20\n2,30\n3,40\n4,50\n11,60\n");

    Simulation.Result result = run(file, 2, 6, 3, KeyHash.MODULO);

    assertThat(result.rows()).isEqualTo(210);
    assertThat(result.keys()).isEqualTo(6);
    assertThat(spread(result, "map").rows()).containsExactly(60L, 150L);
    // Remainders by 2: 0, 2, 4 are even.
    assertThat(spread(result, "modulo").rows()).containsExactly(90L, 120L);
    assertThat(spread(result, "map").maxToMean()).isCloseTo(150.0 / 105, within(1e-12));
    assertThat(spread(result, "map").difference()).isCloseTo(90.0 / 105, within(1e-12));
    assertThat(spread(result, "map").variation()).isCloseTo(45.0 / 105, within(1e-12));
    assertThat(spread(result, "map").isEven()).isFalse();
    assertThat(result.hottestRows()).isEqualTo(60);
    assertThat(result.hottestShare()).isCloseTo(60.0 / 210, within(1e-12));
  }

  @Test
  void growth_handComputed() throws IOException {
    Path file = file("0,10\n1,20\n2,30\n3,40\n4,50\n11,60\n");

    Simulation.Result result = run(file, 2, 6, 3, KeyHash.MODULO);

    // Buckets 2 and 5 go to the third shard; 5 holds the key 11.
    Growth map = result.growths().get(0);
    assertThat(map.movedBuckets()).isEqualTo(2);
    assertThat(map.movedRows()).isEqualTo(90);
    assertThat(map.after().rows()).containsExactly(30L, 90L, 90L);
    // Remainders by 2 and by 3 are equal for 0 and 1 only.
    Growth modulo = result.growths().get(2);
    assertThat(modulo.movedRows()).isEqualTo(30 + 40 + 50 + 60);
    assertThat(modulo.after().rows()).containsExactly(50L, 70L, 90L);
  }

  @Test
  void map_isTheProductsRoute() throws IOException {
    Path file = file(keys(2_000));
    BucketFunction route = new BucketFunction(List.of(KeyType.INTEGER), HashAlgorithm.XXH64, 1024);
    List<ShardId> shards = IntStream.range(0, 5).mapToObj(i -> new ShardId("s" + i)).toList();
    BucketMap map = BucketMap.initial("g", 1024, shards);
    long[] expected = new long[5];
    for (long key = 0; key < 2_000; key++) {
      BucketId bucket = route.bucket(List.of(key)).orElseThrow();
      expected[shards.indexOf(map.shardOf(bucket))]++;
    }

    Simulation.Result result = run(file, 5, 1024, 7, KeyHash.XXH64);

    assertThat(spread(result, "map").rows()).containsExactly(boxed(expected));
  }

  @Test
  void hashes_knownValues() {
    KeyHash.Key text = new KeyHash.Key(KeyType.TEXT);
    set(text, "123456789");
    assertThat(KeyHash.CRC32.of(text)).isEqualTo(0xCBF43926L);
    set(text, "ab");
    assertThat(KeyHash.JAVA.of(text)).isEqualTo(97 * 31 + 98);
    set(text, "");
    assertThat(KeyHash.XXH64.of(text)).isEqualTo(0xEF46DB3751D8E999L);
    KeyHash.Key number = new KeyHash.Key(KeyType.INTEGER);
    set(number, "-1");
    assertThat(KeyHash.MODULO.of(number)).isEqualTo(-1);
    assertThat(KeyHash.JAVA.of(number)).isZero();
    set(number, "9223372036854775807");
    assertThat(KeyHash.MODULO.of(number)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void hottestKey_repeatedOverLines_isCountedAndHidden() throws IOException {
    Path file = file("u1\nu2\nu1\n\nu3\nu1\n");

    Simulation.Result hidden = run(file, 2, 8, 4, KeyHash.XXH64);

    assertThat(hidden.type()).isEqualTo(KeyType.TEXT);
    assertThat(hidden.rows()).isEqualTo(5);
    assertThat(hidden.keys()).isEqualTo(3);
    assertThat(hidden.hottestRows()).isEqualTo(3);
    assertThat(hidden.lines().blank()).isEqualTo(1);
    assertThat(hidden.hottestKey()).matches("#[0-9a-f]{12}");
    assertThat(SimulationReport.html(hidden)).doesNotContain("u1");
    Simulation.Options shown =
        new Simulation.Options(
            file, Optional.empty(), 2, 8, OptionalInt.empty(), List.of(KeyHash.values()), true);
    Simulation.Result open = Simulation.run(shown);
    assertThat(open.hottestKey()).isEqualTo("u1");
    assertThat(open.left()).containsExactly(KeyHash.MODULO);
    assertThat(open.growths()).isEmpty();
  }

  @Test
  void file_headerQuotesGzipAndNulls() throws IOException {
    Path file = directory.resolve("keys.gz");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(
          "name,rows\r\n\"a,\"\"b\"\"\",3\r\n,4\r\nplain,5".getBytes(StandardCharsets.UTF_8));
    }
    Files.write(file, bytes.toByteArray());

    Simulation.Options options =
        new Simulation.Options(
            file, Optional.empty(), 1, 1, OptionalInt.empty(), List.of(KeyHash.XXH64), true);
    Simulation.Result result = Simulation.run(options);

    assertThat(result.lines()).isEqualTo(new KeyFile.Lines(4, true, true, 0, 4));
    assertThat(result.rows()).isEqualTo(8);
    assertThat(result.hottestKey()).isEqualTo("plain");
    assertThat(KeyFile.sample(file)).containsExactly("a,\"b\"", "plain");
  }

  @Test
  void file_lineOfAnotherForm_isRefusedWithItsNumber() throws IOException {
    Path late = file("1,1\n".repeat(1_500) + "7\n");

    assertThatThrownBy(() -> run(late, 2, 8, 4, KeyHash.XXH64))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("line 1501");
    Path text = file("1\n".repeat(1_500_000) + "secret\n");
    assertThatThrownBy(() -> run(text, 2, 8, 4, KeyHash.XXH64))
        .hasMessageContaining("--type")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> run(file("\n\n"), 2, 8, 4, KeyHash.XXH64))
        .hasMessageContaining("no key");
    assertThatThrownBy(() -> run(file("u1\n"), 2, 8, 4, KeyHash.MODULO))
        .hasMessageContaining("whole numbers only");
  }

  @Test
  void file_countsThatAreNone_areRefusedWithTheirLine() throws IOException {
    assertThatThrownBy(() -> run(file("key,rows\na,many\nb,few\n"), 2, 8, 4, KeyHash.XXH64))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("line 2 has a comma")
        .hasMessageContaining("double quotes")
        .hasMessageNotContaining("many");
    assertThatThrownBy(() -> run(file("a,1\nb,2\nc,1.5\nd,4\n"), 2, 8, 4, KeyHash.XXH64))
        .hasMessageContaining("line 3 has no whole number of rows");
    assertThatThrownBy(() -> run(file("a\nb\nc,d\ne\n"), 2, 8, 4, KeyHash.XXH64))
        .hasMessageContaining("line 3 has a comma");
    assertThatThrownBy(() -> run(file("a\n".repeat(1_500) + "b,c\n"), 2, 8, 4, KeyHash.XXH64))
        .hasMessageContaining("line 1501 has a comma");

    assertThat(run(file("a\n\"b,c\"\nd\n"), 2, 8, 4, KeyHash.XXH64).keys()).isEqualTo(3);
  }

  @Test
  void options_allMistakesAtOnce() {
    assertThatThrownBy(() -> run(Path.of("x"), 9, 0, 9, KeyHash.XXH64))
        .hasMessageContaining("buckets must be")
        .hasMessageContaining("shards must be")
        .hasMessageContaining("grow to");
  }

  @Test
  void fewestMoves_isEvenAndLeast() {
    Seeds.check(
        200,
        choices ->
            List.of(
                1 + (int) choices.below(12), (int) choices.below(60), 1 + (int) choices.below(9)),
        sizes -> {
          int shards = sizes.get(0);
          int buckets = shards + sizes.get(2) + sizes.get(1);
          int grown = shards + sizes.get(2);
          int[] owners = new int[buckets];
          for (int bucket = 0; bucket < buckets; bucket++) {
            owners[bucket] = (int) ((long) bucket * shards / buckets);
          }
          int[] after = Growth.fewestMoves(owners, grown);
          int[] owned = new int[grown];
          int moved = 0;
          for (int bucket = 0; bucket < buckets; bucket++) {
            owned[after[bucket]]++;
            if (after[bucket] != owners[bucket]) {
              moved++;
              assertThat(after[bucket]).isGreaterThanOrEqualTo(shards);
            }
          }
          int least = buckets / grown;
          for (int shard : owned) {
            assertThat(shard).isBetween(least, least + 1);
          }
          int received = 0;
          for (int shard = shards; shard < grown; shard++) {
            received += owned[shard];
          }
          assertThat(moved).isEqualTo(received);
        });
  }

  @Test
  void ring_aNewShardTakesFromAllAndMovesNothingBetweenOthers() {
    Ring before = Ring.of(8);
    Ring after = Ring.of(9);
    SplittableRandom random = new SplittableRandom(7);
    int moved = 0;
    for (int i = 0; i < 100_000; i++) {
      long hash = random.nextLong();
      int from = before.shardOf(hash);
      int to = after.shardOf(hash);
      if (from != to) {
        moved++;
        assertThat(to).isEqualTo(8);
      }
    }
    assertThat(moved / 100_000.0).isBetween(0.08, 0.15);
  }

  @Test
  void keyCounts_agreeWithAMap() {
    KeyCounts counts = new KeyCounts();
    SplittableRandom random = new SplittableRandom(11);
    Map<Long, Long> expected = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      long hash = random.nextLong(50_000) * 0x9E3779B97F4A7C15L;
      long rows = expected.merge(hash, 2L, Long::sum);
      assertThat(counts.add(hash, 2)).isEqualTo(rows);
    }
    assertThat(counts.size()).isEqualTo(expected.size());
    assertThat(counts.isFull()).isFalse();
  }

  @Test
  void html_isOneFileWithCharts() throws IOException {
    String html = SimulationReport.html(run(file(keys(500)), 4, 64, 6, KeyHash.XXH64));

    assertThat(html)
        .startsWith("<!DOCTYPE html>")
        .contains("<svg", "What moves from 4 to 6 shards", "name=\"viewport\"")
        .doesNotContain("http://", "https://", "<script");
  }

  private Simulation.Result run(Path file, int shards, int buckets, int grown, KeyHash hash) {
    return Simulation.run(
        new Simulation.Options(
            file, Optional.empty(), shards, buckets, OptionalInt.of(grown), List.of(hash), false));
  }

  private static Spread spread(Simulation.Result result, String layout) {
    return result.spreads().stream()
        .filter(s -> s.layout().equals(layout))
        .findFirst()
        .orElseThrow();
  }

  private static void set(KeyHash.Key key, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(key.set(bytes, 0, bytes.length)).isTrue();
  }

  private static String keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  private static Long[] boxed(long[] values) {
    return Arrays.stream(values).boxed().toArray(Long[]::new);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "keys", ".csv"), text);
  }
}
