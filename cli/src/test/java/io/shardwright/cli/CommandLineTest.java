package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no database: usage, help, version, ids, the file, exit codes. */
class CommandLineTest {
  @TempDir private Path directory;

  @Test
  void noCommand_isUsage() {
    Shell.Run run = Shell.run();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("error: SW603: no command given; see shardwright --help\n");
  }

  @Test
  void unknownCommand_namesTheNearest() {
    Shell.Run run = Shell.run("rout");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("'rout' is not known").contains("did you mean route?");
  }

  @Test
  void unknownOption_isUsage() {
    Shell.Run run = Shell.run("version", "--colour");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("error: SW603: ").contains("--colour").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"apply", "verify", "route", "explain", "sql", "ddl", "id", "version", "demo"})
  void help_everyCommand_tellsItsOptionsAndTheExitCodes(String command) {
    Shell.Run run = Shell.run(command, "--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("Usage: shardwright " + command).contains("Exit codes: 0 ok");
    assertThat(run.out()).doesNotContain("\u001b[");
    assertThat(Shell.run("help", command).out()).isEqualTo(run.out());
    assertThat(Shell.run("help").out()).contains("\n  " + command + " ");
  }

  @Test
  void version_isThatOfTheBuild() {
    Shell.Run run = Shell.run("version", "--json");
    assertThat(run.exit()).isZero();
    assertThat(run.json().get("shardwright").asText()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    assertThat(Shell.run("version").out())
        .isEqualTo(
            "shardwright "
                + run.json().get("shardwright").asText()
                + ", Java "
                + System.getProperty("java.version")
                + "\n");
  }

  @Test
  void idDecode_takesAnIdApart() {
    // 1 ms after the epoch of ids, bucket 7 of 4096, node 3, sequence 5.
    long id = (1L << 21) | (7 << 9) | (3 << 3) | 5;
    Shell.Run run = Shell.run("id", "decode", Long.toString(id), "--buckets", "4096", "--json");
    assertThat(run.exit()).isZero();
    assertThat(run.json().get("id").asText()).isEqualTo(Long.toString(id));
    assertThat(run.json().get("bucket").asInt()).isEqualTo(7);
    assertThat(run.json().get("node").asInt()).isEqualTo(3);
    assertThat(run.json().get("sequence").asInt()).isEqualTo(5);
    assertThat(run.json().get("createdAt").asText()).isEqualTo("2025-01-01T00:00:00.001Z");
    assertThat(Shell.run("id", "decode", Long.toString(id), "--buckets", "4096").lines())
        .contains("bucket      7", "node        3", "sequence    5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "9223372036854775808", "-1", "1.5", ""})
  void idDecode_notAnId_isRefused(String id) {
    Shell.Run run = Shell.run("id", "decode", "--buckets=4096", "--json", "--", id);
    assertThat(run.exit()).isEqualTo(4);
    assertThat(run.json().at("/error/code").asText()).isEqualTo("SW305");
  }

  @Test
  void idDecode_bucketsWithoutLayout_isUsage() {
    Shell.Run run = Shell.run("id", "decode", "1", "--buckets", "1000");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("1024, 4096 and 16384");
    assertThat(Shell.run("id", "decode", "1", "--buckets", "many").exit()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"apply", "verify --placement", "explain x", "sql x", "ddl status"})
  void configuration_missingFile_isOneParagraph(String command) {
    String file = directory.resolve("no such.yaml").toString();
    String[] words = (command + " -c").split(" ");
    String[] arguments = java.util.Arrays.copyOf(words, words.length + 1);
    arguments[words.length] = file;
    Shell.Run run = Shell.run(arguments);
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            "error: SW102: configuration file " + file + " does not exist; check the path\n");
  }

  @Test
  void configuration_directoryOrBinary_isUnreadable() throws IOException {
    assertThat(Shell.run("apply", "-c", directory.toString()).err()).contains("is a directory");
    Path binary = Files.write(directory.resolve("binary"), new byte[] {0, (byte) 0xff, 'x', 1});
    Shell.Run run = Shell.run("apply", "-c", binary.toString());
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("is not UTF-8 text");
  }

  @Test
  void configuration_withMistakes_listsAllWithTheirPlace() throws IOException {
    Path file = directory.resolve("shardwright.yaml");
    Files.writeString(file, "version: 1\nshards:\n  s0: {user: app}\ngroups: {orders: {}}\n");
    Shell.Run run = Shell.run("apply", "--json", "-c", file.toString());
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).isEmpty();
    assertThat(run.json().at("/error/code").asText()).isEqualTo("SW101");
    assertThat(run.json().at("/error/category").asText()).isEqualTo("user");
    assertThat(run.json().at("/error/retryable").asBoolean()).isFalse();
    assertThat(run.json().at("/error/problems")).hasSizeGreaterThan(1);
    assertThat(run.json().at("/error/problems/0/line").asInt()).isEqualTo(3);
    assertThat(run.json().at("/error/problems/0/key").asText()).startsWith("shards.s0");
    Shell.Run text = Shell.run("apply", "-c", file.toString());
    assertThat(text.err()).startsWith("error: SW101: ").contains(file + ":3:").contains("groups");
  }

  @Test
  void configuration_variableNotSet_isNamed() throws IOException {
    Path file = directory.resolve("shardwright.yaml");
    Files.writeString(
        file,
        """
        version: 1
        shards:
          s0: {url: "jdbc:postgresql://127.0.0.1/x", user: app, password: "${NO_SUCH_VARIABLE_X}"}
        groups: {orders: {key: [id], buckets: 16, tables: {orders: {}}}}
        """);
    Shell.Run run = Shell.run("apply", "-c", file.toString());
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("NO_SUCH_VARIABLE_X").contains(":3:");
  }

  @Test
  void usageError_withJson_isJson() {
    Shell.Run run = Shell.run("route", "--json");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).isEmpty();
    assertThat(run.json().at("/error/code").asText()).isEqualTo("SW603");
  }

  @Test
  void argument_thatTheLocaleCannotExpress_isRefusedRatherThanChanged() {
    Shell.Run run = Shell.run("sql", "-c", "x", "SELECT '\uFFFD'");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("LC_ALL");
  }

  @Test
  void debug_printsTheStackTraceInFrontOfTheParagraph() {
    Shell.Run run = Shell.run("apply", "--debug", "-c", "no-such-file");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("\tat io.shardwright.");
    assertThat(run.err().lines().reduce((a, b) -> b)).get().asString().startsWith("error: SW102");
    assertThat(Shell.run("apply", "-c", "no-such-file").err()).doesNotContain("\tat ");
  }

  @Test
  void output_ofAnotherEncoding_escapesWhatItCannotExpress() {
    Shell.Run run = Shell.in(StandardCharsets.US_ASCII, "apply", "-c", "\u00fcber.yaml");
    assertThat(run.err()).contains("\\u00fcber.yaml").doesNotContain("?");
  }

  @Test
  void exitCode_tellsWhoHasToAct() {
    assertThat(ExitCode.of(ErrorCode.OUTCOME_UNKNOWN).number()).isEqualTo(6);
    assertThat(ExitCode.of(ErrorCode.MULTI_SHARD_WRITE_PARTIAL).number()).isEqualTo(6);
    assertThat(ExitCode.of(ErrorCode.INVARIANT_BROKEN).number()).isEqualTo(70);
    assertThat(ExitCode.of(ErrorCode.CATALOG_UNAVAILABLE).number()).isEqualTo(5);
    assertThat(ExitCode.of(ErrorCode.SCHEMA_DRIFT).number()).isEqualTo(1);
    assertThat(Failure.of(new IllegalStateException("broken")).exit()).isEqualTo(ExitCode.BUG);
    assertThat(Failure.of(new SQLException("gone", "08006")).exit()).isEqualTo(ExitCode.FAILED);
    assertThat(Failure.of(new SQLException("deadlock", "40P01")).retryable()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void exitCode_everyError_hasADocumentedOne(ErrorCode code) throws IOException {
    int exit = ExitCode.of(code).number();
    assertThat(exit).isNotZero();
    assertThat(Files.readString(Path.of("..", "docs", "cli.md"))).contains("| " + exit + " |");
  }
}
