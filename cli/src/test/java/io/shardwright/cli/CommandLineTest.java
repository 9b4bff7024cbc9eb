package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.errors.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
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
      strings = {
        "apply", "verify", "route", "explain", "sql", "ddl", "index", "id", "version", "demo"
      })
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
    assertThat(run.json().at("/readings/0/bucket").asInt()).isEqualTo(7);
    assertThat(run.json().at("/readings/0/node").asInt()).isEqualTo(3);
    assertThat(run.json().at("/readings/0/sequence").asInt()).isEqualTo(5);
    assertThat(run.json().at("/readings/0/createdAt").asText())
        .isEqualTo("2025-01-01T00:00:00.001Z");
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
  void idDecode_ofAnyFormat_saysEachThatItCanBe() {
    assertThat(Shell.run("id", "decode", "1G2j").lines())
        .containsExactly("Base62 number", "number      300001");
    assertThat(Shell.run("id", "decode", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f").lines())
        .containsExactly(
            "UUID of version 7", "created at  2022-02-22T19:22:22Z", "counter     3267");
    assertThat(Shell.run("id", "decode", "HT20250630235959050042").lines())
        .containsExactly(
            "adopted order number HT",
            "local time  2025-06-30T23:59:59",
            "old shard   5",
            "random      42");
    assertThat(Shell.run("id", "decode", "4194304").out())
        .contains("gene id of 1024 buckets")
        .contains("gene id of 16384 buckets")
        .contains("snowflake id");
    assertThat(Shell.run("id", "decode", "no id at all!").exit()).isEqualTo(4);
  }

  @Test
  void idNew_isDecodedAgain() {
    Shell.Run made =
        Shell.run("id", "new", "gene", "--buckets=4096", "--bucket=659", "--node=63", "--count=3");
    assertThat(made.lines()).hasSize(3);
    assertThat(Shell.run("id", "decode", made.lines().get(2), "--buckets=4096").lines())
        .contains("generation  0", "bucket      659", "node        63");
    String order =
        Shell.run(
                "id",
                "new",
                "order_number",
                "--prefix=SO",
                "--buckets=16384",
                "--bucket=16383",
                "--node=5")
            .lines()
            .get(0);
    assertThat(order).startsWith("SO0").hasSize(27);
    assertThat(Shell.run("id", "decode", order).lines())
        .contains("order number of 16384 buckets", "bucket      16383");
    assertThat(Shell.run("id", "new", "uuid7").lines().get(0)).hasSize(36);
    assertThat(Shell.run("id", "new", "snowflake", "--node=1").lines().get(0)).hasSize(18);
    assertThat(Shell.run("id", "encode", "300001").lines()).containsExactly("1G2j");
  }

  @Test
  void idNew_withoutWhatItNeeds_isUsage() {
    for (String[] words :
        List.of(
            new String[] {"id", "new", "gene", "--bucket=1", "--node=1"},
            new String[] {"id", "new", "gene", "--buckets=1000", "--bucket=1", "--node=1"},
            new String[] {"id", "new", "gene", "--buckets=1024", "--bucket=1024", "--node=1"},
            new String[] {"id", "new", "snowflake"},
            new String[] {"id", "new", "nothing"})) {
      assertThat(Shell.run(words).exit()).as(String.join(" ", words)).isEqualTo(2);
    }
  }

  @Test
  void idPublic_isReversible() throws IOException {
    Path keys =
        Files.writeString(
            directory.resolve("keys"),
            "2 101112131415161718191a1b1c1d1e1f\n1 000102030405060708090a0b0c0d0e0f\n");
    String text = Shell.run("id", "public", "300001", "--key-file", keys.toString()).out().strip();
    assertThat(text).startsWith("2").hasSize(12);
    assertThat(Shell.run("id", "public", "--decode", text, "--key-file", keys.toString()).lines())
        .containsExactly("300001");
    assertThat(Shell.run("id", "decode", text, "--key-file", keys.toString()).lines())
        .contains("public id", "key version 2", "number      300001");

    Files.writeString(keys, "1 0001");
    Shell.Run shortKey = Shell.run("id", "public", "1", "--key-file", keys.toString());
    assertThat(shortKey.exit()).isEqualTo(2);
    assertThat(shortKey.err()).contains("has 2 bytes; use at least 16");
    Files.writeString(keys, "1 secret");
    assertThat(Shell.run("id", "public", "1", "--key-file", keys.toString()).err())
        .contains("line 1 of key file")
        .doesNotContain("secret");
  }

  @Test
  void idDecode_withConfiguration_saysGroupColumnAndShard() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("ids.yaml"),
            """
            version: 1
            shards:
              s0: {url: "jdbc:postgresql://h0/d", user: app}
              s1: {url: "jdbc:postgresql://h1/d", user: app}
            groups:
              orders:
                key: [user_id]
                buckets: 4096
                id:
                - {column: order_id, type: gene}
                - {column: trade_no, type: codec, pattern: "h2r_{base36 user_id}_{base36 id}"}
                tables: {orders: }
            """);
    long id = (1L << 21) | (4000 << 9);
    assertThat(Shell.run("id", "decode", Long.toString(id), "-c", file.toString()).lines())
        .contains("group       orders", "column      order_id", "bucket      4000")
        .contains("shard       s1");
    assertThat(Shell.run("id", "decode", "h2r_16_z", "-c", file.toString()).lines())
        .contains("column      trade_no", "user_id     42", "id          35");
    assertThat(Shell.run("id", "decode", "h2r_016_z", "-c", file.toString()).exit()).isEqualTo(4);
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
