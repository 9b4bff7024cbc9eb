package io.shardwright.advisor.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFile.Skip;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Statements that PostgreSQL's log has elsewhere than in the statement itself. */
class PreparedAndPlannedTest {
  private final List<LogRecord> records = new ArrayList<>();

  private LogFile read(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return SqlLogs.read(Path.of("log"), new ByteArrayInputStream(bytes), records::add);
  }

  @Test
  void execute_withItsPrepareInTheDetail_isThatStatement() throws IOException {
    LogFile file =
        read(
            """
            2024-01-02 03:04:05.678 UTC [9] u@d LOG:  duration: 0.3 ms  statement: EXECUTE by_owner (42, 'it''s, (so)', NULL, now());
            2024-01-02 03:04:05.678 UTC [9] u@d DETAIL:  prepare: PREPARE by_owner (bigint, numeric(10, 2), text, timestamptz) AS
            \tSELECT * FROM orders WHERE owner = $1 AND note = $2;
            """);

    assertThat(records).hasSize(1);
    assertThat(records.get(0).sql())
        .isEqualTo("SELECT * FROM orders WHERE owner = $1 AND note = $2");
    assertThat(records.get(0).parameters())
        .containsExactly(
            Optional.of("42"), Optional.of("it's, (so)"), Optional.empty(), Optional.empty());
    assertThat(records.get(0).duration()).contains(Duration.ofNanos(300_000));
    assertThat(file.statementLines()).isEqualTo(3);
  }

  @Test
  void execute_withItsPrepareBeforeInTheSession_isThatStatement() throws IOException {
    read(
        """
        2024-01-02 03:04:05 UTC [9] u@d LOG:  statement: PREPARE One AS SELECT 1 FROM a WHERE x = $1
        2024-01-02 03:04:05 UTC [8] u@d LOG:  statement: EXECUTE one(7)
        2024-01-02 03:04:06 UTC [9] u@d LOG:  statement: EXECUTE one(-7.5)
        """);

    assertThat(records)
        .extracting(LogRecord::sql)
        .containsExactlyInAnyOrder(
            "PREPARE One AS SELECT 1 FROM a WHERE x = $1",
            "EXECUTE one(7)",
            "SELECT 1 FROM a WHERE x = $1");
    assertThat(records)
        .filteredOn(record -> record.sql().startsWith("SELECT"))
        .singleElement()
        .satisfies(r -> assertThat(r.parameters()).containsExactly(Optional.of("-7.5")));
  }

  @Test
  void plan_asText_isItsStatement() throws IOException {
    LogFile file =
        read(
            """
            2024-01-02 03:04:05 UTC [9] u@d LOG:  duration: 12.5 ms  plan:
            \tQuery Text: SELECT *
            \t  FROM orders WHERE owner = $1;
            \tQuery Parameters: $1 = '42'
            \tIndex Scan using o on orders  (cost=0.29..8.31 rows=1 width=97) (actual rows=1 loops=1)
            \t  Index Cond: (owner = 42)
            2024-01-02 03:04:06 UTC [9] u@d LOG:  duration: 3 ms  plan:
            \tQuery Text: UPDATE a SET b = 2
            \tUpdate on a  (cost=0.00..35.50 rows=0 width=0)
            \t  ->  Seq Scan on a  (cost=0.00..35.50 rows=2550 width=10)
            """);

    assertThat(records)
        .extracting(LogRecord::sql)
        .containsExactly("SELECT *\n  FROM orders WHERE owner = $1", "UPDATE a SET b = 2");
    assertThat(records.get(0).parameters()).containsExactly(Optional.of("42"));
    assertThat(records.get(0).duration()).contains(Duration.ofNanos(12_500_000));
    assertThat(file.statementLines()).isEqualTo(10);
    assertThat(file.skipped()).isEmpty();
  }

  @Test
  void plan_asJson_isItsStatement() throws IOException {
    LogFile file =
        read(
            """
            2024-01-02 03:04:05 UTC [9] u@d LOG:  duration: 12.5 ms  plan:
            \t{
            \t  "Query Text": "SELECT * FROM orders WHERE note = 'a\\nb'",
            \t  "Plan": {"Node Type": "Seq Scan", "Plans": [{"Node Type": "Sort"}]}
            \t}
            2024-01-02 03:04:05 UTC [9] u@d LOG:  duration: 12.5 ms  plan:
            \tQuery Text: "SELECT 1"
            \tPlan:
            \t  Node Type: "Result"
            """);

    assertThat(records)
        .extracting(LogRecord::sql)
        .containsExactly("SELECT * FROM orders WHERE note = 'a\nb'");
    assertThat(file.skipped())
        .containsExactly(new Skip("plans of auto_explain that are neither text nor JSON", 4, 6));
  }

  @Test
  void plan_ofAStatementThatIsLogged_countsOnce() throws IOException {
    LogFile file =
        read(
            """
            2024-01-02 03:04:05 UTC [9] u@d LOG:  duration: 2 ms  plan:
            \tQuery Text: SELECT * FROM a;
            \tSeq Scan on a  (cost=0.00..35.50 rows=2550 width=4)
            2024-01-02 03:04:05 UTC [9] u@d LOG:  duration: 3 ms  statement: SELECT * FROM a;
            2024-01-02 03:04:06 UTC [9] u@d LOG:  statement: SELECT * FROM b
            2024-01-02 03:04:06 UTC [9] u@d LOG:  duration: 4 ms  plan:
            \tQuery Text: SELECT * FROM b
            \tSeq Scan on b  (cost=0.00..35.50 rows=2550 width=4)
            2024-01-02 03:04:07 UTC [9] u@d LOG:  duration: 5 ms  plan:
            \tQuery Text: SELECT * FROM c
            \tSeq Scan on c  (cost=0.00..35.50 rows=2550 width=4)
            2024-01-02 03:04:07 UTC [9] u@d LOG:  duration: 6 ms
            """);

    assertThat(records)
        .extracting(record -> record.sql() + " " + record.duration().map(Duration::toMillis))
        .containsExactly(
            "SELECT * FROM a Optional[3]",
            "SELECT * FROM b Optional[4]",
            "SELECT * FROM c Optional[5]");
    assertThat(file.skipped())
        .containsExactly(new Skip("plans of auto_explain whose statement is logged, too", 6, 1));
  }
}
