package io.shardwright.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.SchemaText;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One column is the best key by construction; each other one is a trap of its own kind. */
class PlantedKeyTest {
  private static final SchemaFacts SCHEMA =
      SchemaText.of(
          "CREATE TABLE t (uid BIGINT NOT NULL, owner BIGINT NOT NULL, even_key BIGINT NOT NULL,"
              + " region BIGINT NOT NULL, made DATETIME NOT NULL, state INT NOT NULL,"
              + " PRIMARY KEY (uid), KEY by_owner (owner), KEY by_region (region),"
              + " KEY by_made (made))");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void advise_plantedKey_isRecommendedAndTrapsAreNot(long seed) {
    TestingWorkload workload = new TestingWorkload(seed);
    SplittableRandom random = workload.random();
    int points = 25 + random.nextInt(15);
    int lists = 20 + random.nextInt(15);
    int giants = 20 + random.nextInt(10);
    for (int i = 0; i < 4_000; i++) {
      int owner = 100_000 + random.nextInt(3_000);
      // Three giants have 60% of everything.
      int region = random.nextInt(10) < 6 ? random.nextInt(3) : 10 + random.nextInt(900);
      int dice = random.nextInt(points + lists + giants + 15);
      if (dice < points) {
        workload.add("SELECT * FROM t WHERE uid = " + random.nextLong(1L << 40));
      } else if (dice < points + lists) {
        workload.add("SELECT * FROM t WHERE owner = " + owner + " ORDER BY made LIMIT 20");
      } else if (dice < points + lists + giants) {
        workload.add("SELECT * FROM t WHERE region = " + region + " ORDER BY made LIMIT 50");
      } else if (dice < points + lists + giants + 5) {
        workload.add("SELECT * FROM t WHERE made > '2026-01-01' ORDER BY made LIMIT 100");
      } else {
        workload.add(
            "INSERT INTO t (uid, owner, even_key, region, made, state) VALUES ("
                + random.nextLong(1L << 40)
                + ", "
                + owner
                + ", "
                + random.nextLong(1L << 40)
                + ", "
                + region
                + ", '2026-01-05 10:00:00', 1)");
      }
    }

    Advice advice = workload.advise(SCHEMA, TestingWorkload.settings());

    assertThat(advice.groups()).hasSize(1);
    Advice.Group group = advice.groups().get(0);
    assertThat(group.verdict()).isEqualTo(Advice.Verdict.SHARD_WHEN_NEEDED);
    assertThat(group.best().orElseThrow().candidate().name()).isEqualTo("owner");
    assertThat(refusal(group, "even_key")).contains("no statement asks by it");
    assertThat(refusal(group, "region")).contains("the hottest key has");
    assertThat(refusal(group, "made")).contains("a time");
    KeyScore unique = score(group, "uid");
    assertThat(unique.refused()).isEmpty();
    assertThat(unique.load()).isGreaterThan(group.best().orElseThrow().load());
    assertThat(group.best().orElseThrow().paths())
        .filteredOn(path -> path.template().template().text().contains("WHERE uid"))
        .singleElement()
        .satisfies(path -> assertThat(path.landing()).isEqualTo(Landing.LOOKUP_INDEX));
    assertThat(advice.configuration().orElseThrow())
        .contains("key: [owner]", "by_uid: {table: t, columns: [uid], unique: true}");
  }

  static KeyScore score(Advice.Group group, String name) {
    return group.scores().stream()
        .filter(score -> score.candidate().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static String refusal(Advice.Group group, String name) {
    return score(group, name).refused().orElse("");
  }
}
