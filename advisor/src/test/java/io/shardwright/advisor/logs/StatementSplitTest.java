package io.shardwright.advisor.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFormat.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatementSplitTest {
  @TempDir Path directory;

  private static List<String> split(Family family, String sql) {
    Draft draft = new Draft(1);
    draft.text(sql);
    List<String> parts = new ArrayList<>();
    draft.emit(
        new Tally(
            (record, format) ->
                StatementSplit.of(record, family).forEach(part -> parts.add(part.sql()))));
    return parts;
  }

  @Test
  void of_severalStatements_areEachOne() {
    assertThat(split(Family.POSTGRESQL, "BEGIN; UPDATE a SET b = ';' ;; COMMIT;"))
        .containsExactly("BEGIN", "UPDATE a SET b = ';'", "COMMIT");
    assertThat(split(Family.MYSQL, "SELECT 'a\\';b'; SELECT \";\", `;` -- ; x\n; SELECT 3 # ; y"))
        .containsExactly("SELECT 'a\\';b'", "SELECT \";\", `;` -- ; x", "SELECT 3 # ; y");
    assertThat(split(Family.POSTGRESQL, "SELECT 'a\\'; SELECT E'\\';', $q$;$q$ /* ; */; SELECT $1"))
        .containsExactly("SELECT 'a\\'", "SELECT E'\\';', $q$;$q$ /* ; */", "SELECT $1");
  }

  @Test
  void of_oneStatementOrCode_staysWhole() {
    for (String whole :
        List.of(
            "SELECT ';'",
            "CREATE FUNCTION f() BEGIN SELECT 1; SELECT 2; END",
            "DO $$ BEGIN PERFORM 1; END $$",
            "SELECT 'open; SELECT 2")) {
      assertThat(split(Family.POSTGRESQL, whole)).containsExactly(whole);
    }
    assertThat(split(Family.UNKNOWN, "SELECT 1; SELECT 2")).containsExactly("SELECT 1; SELECT 2");
  }

  @Test
  void read_severalStatements_areHandedOnOneByOneWithoutTheirCommonTime() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("log"),
            "2024-01-02 03:04:05 UTC [9] u@d LOG:  duration: 3 ms  statement: BEGIN; UPDATE a SET b"
                + " = 1; COMMIT;\n"
                + "2024-01-02 03:04:06 UTC [9] u@d LOG:  duration: 3 ms  statement: SELECT 1;\n");
    List<LogRecord> records = new ArrayList<>();

    List<LogFile> files =
        LogReading.read(
            List.of(file), (bytes, statements) -> {}, (record, format) -> records.add(record));

    assertThat(records)
        .extracting(LogRecord::sql)
        .containsExactly("BEGIN", "UPDATE a SET b = 1", "COMMIT", "SELECT 1");
    assertThat(records).filteredOn(record -> record.duration().isPresent()).hasSize(1);
    assertThat(records).allMatch(record -> record.session().isPresent());
    assertThat(files.get(0).records()).isEqualTo(2);
  }
}
