package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.ConfigurationReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  private static final Pattern COMMAND =
      Pattern.compile("(?m)^    ((?:\\./shardwright|mvn|\\.ci/run)[^#\\n]*)");
  private static final Pattern MODULE = Pattern.compile("(?m)^\\| (`[^`]+`) \\|");

  @Test
  void javaExample_isTheTestedOne_andRuns(@TempDir Path directory)
      throws IOException, SQLException {
    String source =
        Files.readString(Path.of("src/test/java/io/shardwright/cli/ReadmeExample.java"));
    String tested =
        source
            .substring(source.indexOf("// example begins") + "// example begins".length() + 1)
            .lines()
            .takeWhile(line -> !line.contains("// example ends"))
            .map(line -> line.substring(4))
            .collect(Collectors.joining("\n"));
    assertThat(block("java")).isEqualTo(tested);

    TestingShards shards = TestingShards.ready(directory, 2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReadmeExample.run(Path.of(shards.file()), new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(out.toString(StandardCharsets.UTF_8).strip()).isEqualTo("1001 139.120");
  }

  @Test
  void configurationExample_isValid() throws IOException {
    Map<String, String> environment =
        Map.of("CATALOG_PASSWORD", "a", "S0_PASSWORD", "b", "S1_PASSWORD", "c");
    assertThat(ConfigurationReader.parse("README.md", block("yaml"), environment).shards())
        .hasSize(2);
  }

  @Test
  void links_leadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page :
        List.of(
            ROOT.resolve("README.md"),
            ROOT.resolve("README.zh-CN.md"),
            ROOT.resolve("docs/README.md"),
            ROOT.resolve("docs/cli.md"))) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        if (Files.notExists(page.resolveSibling(link.group(1)))) {
          broken.add(page + " -> " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void docs_everyPageIsInTheReadingOrder() throws IOException {
    Path docs = ROOT.resolve("docs");
    String order = Files.readString(docs.resolve("README.md"));
    try (Stream<Path> files = Files.walk(docs)) {
      List<String> missing =
          files
              .map(file -> docs.relativize(file).toString())
              .filter(file -> file.endsWith(".md") && !file.equals("README.md"))
              .filter(file -> !order.contains("(" + file + ")"))
              .toList();
      assertThat(missing).as("pages that docs/README.md does not name").isEmpty();
    }
  }

  @Test
  void chineseReadme_hasTheSameExamplesLinksAndModules() throws IOException {
    String english = Files.readString(ROOT.resolve("README.md"));
    String chinese = Files.readString(ROOT.resolve("README.zh-CN.md"));

    for (String language : List.of("yaml", "sql", "java")) {
      assertThat(withoutComments(block(chinese, language)))
          .as(language)
          .isEqualTo(withoutComments(block(english, language)));
    }
    assertThat(found(COMMAND, chinese)).isEqualTo(found(COMMAND, english));
    assertThat(found(LINK, chinese)).isEqualTo(found(LINK, english));
    assertThat(found(MODULE, chinese)).isEqualTo(found(MODULE, english));
  }

  private static List<String> withoutComments(String code) {
    return code.lines().map(line -> line.replaceFirst("(^|\\s+)(//|#|--)\\s.*", "")).toList();
  }

  /** Of each match the first group, without links to the other README, sorted. */
  private static List<String> found(Pattern pattern, String readme) {
    return pattern
        .matcher(readme)
        .results()
        .map(match -> match.group(1).strip())
        .filter(text -> !text.startsWith("README"))
        .sorted()
        .toList();
  }

  private static String block(String language) throws IOException {
    return block(Files.readString(ROOT.resolve("README.md")), language);
  }

  private static String block(String readme, String language) {
    int from = readme.indexOf("```" + language + "\n") + language.length() + 4;
    return readme.substring(from, readme.indexOf("\n```", from));
  }
}
