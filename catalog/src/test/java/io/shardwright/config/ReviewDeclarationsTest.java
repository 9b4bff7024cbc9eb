package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.config.ReviewDeclarations.Declaration;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReviewDeclarationsTest {
  private static final LocalDate TODAY = LocalDate.parse("2026-06-01");
  private static final List<String> RULES = List.of("P12", "Q16");

  @TempDir private Path directory;

  private static ReviewDeclarations parse(String yaml) {
    return ReviewDeclarations.parse("d.yaml", yaml, RULES, TODAY);
  }

  private static List<String> problems(String yaml) {
    return catchThrowableOfType(ConfigurationException.class, () -> parse(yaml)).problems().stream()
        .map(p -> p.line() + " " + p)
        .toList();
  }

  @Test
  void parse_everyKey_isRead() {
    ReviewDeclarations declarations =
        parse(
            """
            version: 1
            declarations:
            - {rule: Q16, answer: restored in May, by: Lena, when: 2026-05-04}
            - rule: P12
              answer: twice as much each year
              by: Tom
              when: 2026-06-01
              until: 2026-07-01
              accept: true
            """);

    assertThat(declarations.all())
        .containsExactly(
            new Declaration(
                "Q16",
                "restored in May",
                "Lena",
                LocalDate.parse("2026-05-04"),
                Optional.empty(),
                false,
                3),
            new Declaration(
                "P12",
                "twice as much each year",
                "Tom",
                TODAY,
                Optional.of(LocalDate.parse("2026-07-01")),
                true,
                4));
    Declaration tom = declarations.of("P12").orElseThrow();
    assertThat(tom.isExpired(LocalDate.parse("2026-07-01"))).isFalse();
    assertThat(tom.isExpired(LocalDate.parse("2026-07-02"))).isTrue();
    assertThat(declarations.of("P01")).isEmpty();
  }

  @Test
  void parse_mistakes_areToldAllAtOnceWithTheirLines() {
    assertThat(
            problems(
                """
                version: 2
                declarations:
                - {rule: Q17, answer: yes, by: Lena, when: 2026-05-04}
                - {rule: Q16, answer: yes}
                - {rule: P12, answer: " ", by: Lena, when: 4.5.2026, untill: 2027-01-01}
                - {rule: P12, answer: yes, by: Lena, when: 2026-06-03}
                - {rule: Q16, answer: yes, by: Lena, when: 2026-05-04, until: 2026-05-03, accept: 1}
                - {rule: Q16, answer: yes, by: Lena, when: 2026-05-04, accept: true}
                - Q16
                """))
        .anyMatch(p -> p.startsWith("1 version: is '2'"))
        .anyMatch(p -> p.startsWith("3 declarations[0].rule: is 'Q17', which no rule is called"))
        .anyMatch(p -> p.startsWith("4 declarations[1].by: is missing"))
        .anyMatch(p -> p.startsWith("4 declarations[1].when: is missing"))
        .anyMatch(p -> p.startsWith("5 declarations[2].answer: is empty"))
        .anyMatch(p -> p.startsWith("5 declarations[2].when: is '4.5.2026'; write a date"))
        .anyMatch(p -> p.startsWith("5 declarations[2].untill: is not a known key"))
        .anyMatch(p -> p.contains("6 declarations[3].when: is 2026-06-03, a day to come"))
        .anyMatch(p -> p.startsWith("7 declarations[4].until: is before when"))
        .anyMatch(p -> p.startsWith("7 declarations[4].accept: is '1'; write true or false"))
        .anyMatch(p -> p.startsWith("8 declarations[5].until: is missing; a violation is accepted"))
        .anyMatch(p -> p.contains("declares Q16 a second time (first in line 7)"))
        .anyMatch(p -> p.startsWith("9 declarations[6]: is a single value, not a mapping"))
        .hasSize(13);
    assertThat(problems(""))
        .containsExactly("1 the file is empty; start with version: 1 and declarations");
    assertThat(problems("version: 1\ndeclarations: [")).hasSize(1);
  }

  @Test
  void read_noFile_saysSo() {
    assertThatThrownBy(() -> ReviewDeclarations.read(directory.resolve("none"), RULES, TODAY))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("declarations file")
        .hasMessageContaining("does not exist");
  }
}
