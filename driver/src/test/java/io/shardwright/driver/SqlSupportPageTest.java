package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SqlSupportPageTest {
  private static final Path PAGE = Path.of("../docs/sql-support.md");

  @Test
  void page_isWrittenFromTheCorpus() throws IOException {
    String expected =
        SqlSupportPage.of(Corpus.statements("postgres"), Corpus.statements("mariadb"));
    if (Boolean.getBoolean("shardwright.write")) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE))
        .as(
            "docs/sql-support.md; write it with: mvn -pl driver -am test"
                + " -Dtest=SqlSupportPageTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dshardwright.write=true")
        .isEqualTo(expected);
  }
}
