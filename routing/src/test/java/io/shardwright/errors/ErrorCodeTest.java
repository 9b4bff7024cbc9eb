package io.shardwright.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
  private static final Path CATALOGUE = Path.of("..", "docs", "errors.md");

  @Test
  void codes_areUniqueAndAscendInTheFile() {
    List<String> codes = Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList();

    assertThat(codes).doesNotHaveDuplicates().isSorted();
  }

  @ParameterizedTest
  @EnumSource
  void code_isWellFormed(ErrorCode code) {
    assertThat(code.code()).matches("SW[0-9]{3}");
    assertThat(code.sqlState()).matches("[0-9A-Z]{5}").isNotEqualTo("00000");
    assertThat(code.category()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void userErrorsAndBugs_areNotRetryable(ErrorCode code) {
    if (code.category() == ErrorCategory.USER || code.category() == ErrorCategory.BUG) {
      assertThat(code.retryable()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void code_isDocumentedWithCauseAndRemedy(ErrorCode code) throws IOException {
    Row row = documented().get(code.code());

    assertThat(row).as("row of %s in docs/errors.md", code.code()).isNotNull();
    assertThat(row.name()).isEqualTo(code.name());
    assertThat(row.category()).isEqualTo(code.category().name().toLowerCase(Locale.ROOT));
    assertThat(row.sqlState()).isEqualTo(code.sqlState());
    assertThat(row.retryable()).isEqualTo(code.retryable() ? "yes" : "no");
    assertThat(row.cause()).hasSizeGreaterThan(20);
    assertThat(row.remedy()).hasSizeGreaterThan(20);
  }

  @Test
  void documentation_namesNoOtherCodes() throws IOException {
    List<String> known = Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList();

    assertThat(documented().keySet()).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void exception_carriesCodeMessageAndCause() {
    IOException cause = new IOException("broken pipe");
    ShardwrightException e =
        new ShardwrightException(ErrorCode.SHARD_UNAVAILABLE, "shard s1 does not answer", cause);

    assertThat(e).hasMessage("SW401: shard s1 does not answer").hasCause(cause);
    assertThat(e.code()).isEqualTo(ErrorCode.SHARD_UNAVAILABLE);
  }

  private record Row(
      String name,
      String category,
      String sqlState,
      String retryable,
      String cause,
      String remedy) {}

  /**
   * Table rows that start with a code: | SW101 | NAME | category | SQLSTATE | retry | cause | what
   * to do |.
   */
  private static Map<String, Row> documented() throws IOException {
    return Files.readAllLines(CATALOGUE).stream()
        .filter(line -> line.startsWith("| SW"))
        .map(line -> line.split("\\|"))
        .collect(
            Collectors.toMap(
                cells -> cells[1].strip(),
                cells ->
                    new Row(
                        cells[2].strip().replace("`", ""),
                        cells[3].strip(),
                        cells[4].strip(),
                        cells[5].strip(),
                        cells[6].strip(),
                        cells[7].strip())));
  }
}
