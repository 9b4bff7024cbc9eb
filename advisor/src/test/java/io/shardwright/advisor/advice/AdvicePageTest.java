package io.shardwright.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardwright.advisor.report.AdvicePage;
import io.shardwright.advisor.schema.SchemaFacts;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdvicePageTest {
  private static final Duration BROWSER_TIMEOUT = Duration.ofMinutes(2);
  private static final int PHONE_PIXELS = 360;

  @TempDir private Path directory;

  @Test
  void page_tellsTheVerdictAndWhatItRestsOn() {
    String html = AdvicePage.html(advice("owner"));

    assertThat(html)
        .contains("[t]: SHARD by owner")
        .contains("<h3>Candidates</h3>")
        .contains("<h3>How rows spread by owner</h3>")
        .contains("<h3>The common ways of sharding, on this workload</h3>")
        .contains("<h3>Where statements go under owner</h3>")
        .contains("<h2>Capacity and growth</h2>")
        .contains("<h2>The workload over time</h2>")
        .contains("<h2>Design record</h2>")
        .contains("<h2>What was read</h2>")
        .contains("<p class=\"open\">OPEN</p>");
  }

  @Test
  void page_needsNoNetworkAndHoldsNoKey() {
    String html = AdvicePage.html(advice("owner"));

    assertThat(html).doesNotContainPattern("(?i)src=|href=|url\\(|@import|<script|<link");
    assertThat(html).doesNotContain("987654321");
  }

  @Test
  void page_namesOfTheLogAreTexts() {
    String html = AdvicePage.html(advice("`<img src=x onerror=alert(1)>`"));

    assertThat(html).doesNotContain("<img").contains("&lt;img src=x");
  }

  /** Wider than the window would have to be moved aside to be read. */
  @Test
  void page_inABrowserOfAPhonesWidth_isNoWider() throws Exception {
    Optional<String> chromium =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .map(folder -> folder + "/chromium")
            .filter(file -> Files.isExecutable(Path.of(file)))
            .findFirst();
    assumeTrue(chromium.isPresent(), "Debian's chromium is not installed");
    Path page = directory.resolve("advice.html");
    Files.writeString(page, AdvicePage.html(advice("owner")));
    Path frame = directory.resolve("frame.html");
    Files.writeString(
        frame,
        """
        <!DOCTYPE html><body><iframe id="f" src="advice.html" width="%d" height="800"></iframe>
        <script>onload=()=>{const d=document.getElementById("f").contentDocument;
        const charts=[...d.querySelectorAll("svg")].map(s=>s.getBoundingClientRect());
        document.title="width "+d.documentElement.scrollWidth+" charts "+charts.length
        +" drawn "+charts.filter(r=>r.width>200&&r.height>20).length
        +" bars "+[...d.querySelectorAll("rect")].filter(r=>r.getBBox().height>0).length+" end"}</script>
        """
            .formatted(PHONE_PIXELS));

    String dom = dom(chromium.get(), frame);

    Matcher measured =
        Pattern.compile("width (\\d+) charts (\\d+) drawn (\\d+) bars (\\d+) end").matcher(dom);
    assertThat(measured.find()).as(dom).isTrue();
    assertThat(Integer.parseInt(measured.group(1))).isLessThanOrEqualTo(PHONE_PIXELS);
    assertThat(Integer.parseInt(measured.group(2))).isGreaterThanOrEqualTo(6);
    assertThat(measured.group(3)).isEqualTo(measured.group(2));
    assertThat(Integer.parseInt(measured.group(4))).isGreaterThan(30);
  }

  private String dom(String chromium, Path page) throws Exception {
    Path out = directory.resolve("dom.txt");
    Process browser =
        new ProcessBuilder(
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--allow-file-access-from-files",
                "--user-data-dir=" + directory.resolve("profile"),
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(browser.waitFor(BROWSER_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      browser.destroyForcibly();
    }
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  private static Advice advice(String owner) {
    TestingWorkload workload = new TestingWorkload(1);
    for (int i = 0; i < 1_000; i++) {
      long key = i % 40 == 0 ? 987_654_321 : 100 + i;
      workload.add(
          String.format(
              Locale.ROOT,
              "INSERT INTO t (number, %s, made_at) VALUES (%d, %d, '2026-01-01')",
              owner,
              i,
              key));
      workload.add("SELECT * FROM t WHERE " + owner + " = " + key + " LIMIT 9");
      workload.add("SELECT * FROM t WHERE number = " + i);
    }
    workload.add("SELECT count(*) FROM t");
    return workload.advise(
        SchemaFacts.empty(),
        WorkloadFile.parse(
            "",
            List.of("capacity.data = 3TB", "capacity.shard_data = 300GB"),
            Optional.empty(),
            AdviceSettings.BUCKETS_DEFAULT,
            false));
  }
}
