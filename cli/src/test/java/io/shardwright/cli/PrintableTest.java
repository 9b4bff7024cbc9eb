package io.shardwright.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrintableTest {
  @Test
  void line_lineEndsWithin_areSpaces() {
    assertThat(Printable.line("a\nb\r\nc\rd\u2028e\u0085f\u001b", UTF_8))
        .isEqualTo("a b c d e f\\u001b");
  }

  @Test
  void cell_plainText_isUnchanged() {
    assertThat(Printable.cell("C\u00f4te d'Ivoire", UTF_8)).isEqualTo("C\u00f4te d'Ivoire");
    assertThat(Printable.cell("a \"b\" \\", UTF_8)).isEqualTo("a \"b\" \\");
  }

  @Test
  void cell_thatCouldBeMistaken_isQuoted() {
    assertThat(Printable.cell("NULL", UTF_8)).isEqualTo("\"NULL\"");
    assertThat(Printable.cell("", UTF_8)).isEqualTo("\"\"");
    assertThat(Printable.cell(" a", UTF_8)).isEqualTo("\" a\"");
    assertThat(Printable.cell("a ", UTF_8)).isEqualTo("\"a \"");
    assertThat(Printable.cell("\"", UTF_8)).isEqualTo("\"\\\"\"");
    assertThat(Printable.cell("a\nb\t\\", UTF_8)).isEqualTo("\"a\\nb\\t\\\\\"");
  }

  @Test
  void cell_thatWouldActOnTheTerminal_isEscaped() {
    assertThat(Printable.cell("\u001b[31mred", UTF_8)).isEqualTo("\"\\u001b[31mred\"");
    assertThat(Printable.cell("a\u202eb", UTF_8)).isEqualTo("\"a\\u202eb\"");
    assertThat(Printable.cell("\u009b1m", UTF_8)).isEqualTo("\"\\u009b1m\"");
  }

  @Test
  void cell_otherEncoding_escapesWhatItLacks() {
    assertThat(Printable.cell("\u00fc\u20ac", ISO_8859_1)).isEqualTo("\"\u00fc\\u20ac\"");
    assertThat(Printable.cell("\uD83D\uDE00", US_ASCII)).isEqualTo("\"\\ud83d\\ude00\"");
    assertThat(Printable.cell("\uD83D\uDE00", UTF_8)).isEqualTo("\uD83D\uDE00");
  }

  @Test
  void table_wideCharacters_stayAligned() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Console console = Shell.console(new ByteArrayInputStream(new byte[0]), out, out, UTF_8);
    TextTable.print(
        console,
        List.of("name", "n"),
        List.of(List.of("\u8ba2\u5355", "1"), List.of("e\u0301", "20"), List.of("abcdef", "300")));
    console.flush();
    assertThat(out.toString(UTF_8))
        .isEqualTo(
            """
            name   |   n
            -------+----
            \u8ba2\u5355   |   1
            e\u0301      |  20
            abcdef | 300
            """);
  }
}
