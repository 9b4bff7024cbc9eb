package io.shardwright.advisor.review;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How keys of logs spread over the shards of the configuration. */
class KeySpreadReviewTest {
  @TempDir private Path directory;

  @Test
  void randomKeys_ofEveryAmount_areNoFinding() throws IOException {
    Configuration even = configuration("", 1, 1, 1, 1, 1, 1, 1, 1);
    SplittableRandom random = new SplittableRandom(7);
    for (int values : List.of(400, 900, 2_000, 6_000, 20_000)) {
      List<Integer> keys = new ArrayList<>();
      random.ints(values, 0, 1_000_000_000).forEach(keys::add);
      assertThat(worst(even, keys)).as("%d keys", values).isEqualTo(Optional.empty());
    }
  }

  @Test
  void lopsidedKeys_areStillFound() throws IOException {
    Configuration even = configuration("", 1, 1, 1, 1, 1, 1, 1, 1);
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      keys.add(i % 3 == 0 ? i % 4 : i * 7_919);
    }
    assertThat(worst(even, keys)).contains(Observation.Kind.ERROR);
  }

  @Test
  void keysWithBucketsOfTheirOwn_areLeftOut() throws IOException {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < 8_000; i++) {
      keys.add(i % 4 == 0 ? 42 : i * 7_919);
    }
    assertThat(worst(configuration("", 1, 1, 1, 1), keys)).contains(Observation.Kind.ERROR);
    assertThat(
            worst(
                configuration("    directory: [{key: [\"42\"], buckets: 4096}]\n", 1, 1, 1, 1),
                keys))
        .isEmpty();
  }

  @Test
  void weights_divideTheirShards() throws IOException {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < 16_000; i++) {
      keys.add(i * 7_919);
    }
    LogFacts facts = read(configuration("", 3, 1, 0), keys);
    LogFacts.Keys asked = facts.groups().get(0).asked().orElseThrow();

    assertThat(asked.weights()).containsExactly(3, 1);
    assertThat(asked.evenness().rows()).hasSize(2);
    assertThat((double) asked.evenness().rows().get(0) / asked.evenness().rows().get(1))
        .isBetween(2.8, 3.2);
    assertThat(asked.maxToMean()).isBetween(1.0, 1.05);
    assertThat(worst(configuration("", 3, 1, 0), keys)).isEmpty();
  }

  private Configuration configuration(String ofGroup, int... weights) throws IOException {
    StringBuilder shards = new StringBuilder();
    for (int i = 0; i < weights.length; i++) {
      shards.append(
          "  s%d: {url: \"jdbc:postgresql://h/s%d\", user: app, weight: %d}\n"
              .formatted(i, i, weights[i]));
    }
    String yaml =
        "version: 1\ncatalog: {url: \"jdbc:postgresql://h/catalog\", user: app}\nshards:\n"
            + shards
            + "groups:\n  orders:\n    key: [buyer_id]\n    buckets: 4096\n"
            + ofGroup
            + "    tables: {orders: {}}\n";
    return ConfigurationReader.read(Files.writeString(directory.resolve("file.yaml"), yaml));
  }

  private static LogFacts read(Configuration configuration, List<Integer> keys) {
    return LogReview.read(
        configuration,
        sink -> {
          long line = 0;
          for (int key : keys) {
            line++;
            sink.accept(record(line, key), Family.POSTGRESQL);
          }
          return List.of();
        });
  }

  private static LogRecord record(long line, int key) {
    return new LogRecord(
        line,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "SELECT * FROM orders WHERE buyer_id = " + key,
        List.of(),
        1);
  }

  /** Of what the rules about even keys find. */
  private static Optional<Observation.Kind> worst(Configuration configuration, List<Integer> keys) {
    Facts facts =
        new Facts(configuration, Optional.empty(), Optional.of(read(configuration, keys)));
    List<Observation> all = new ArrayList<>(LogChecks.evenKeys(facts));
    all.addAll(LogChecks.hottestKey(facts));
    return all.stream()
        .map(Observation::kind)
        .filter(kind -> kind != Observation.Kind.GOOD)
        .max(Comparator.naturalOrder());
  }
}
