package io.shardwright.advisor.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.advisor.logs.LogFile.Note;
import io.shardwright.advisor.logs.LogFile.Skip;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** One small log of our own for each format and variant, with exact counts. */
// Long because: one sample and its exact figures for each variant of thirteen formats.
class SqlLogsTest {
  private static final String BANNER = "start banner of the server";

  private record Read(LogFile file, List<LogRecord> records) {
    LogRecord only() {
      assertThat(records).hasSize(1);
      return records.get(0);
    }
  }

  @Test
  void mysqlSlow_version50_shortTimes() {
    Read read =
        read(
            LogFormat.MYSQL_SLOW,
            """
            /usr/sbin/mysqld, Version: 5.0.45-log (Source distribution). started with:
            Tcp port: 3306  Unix socket: /run/mysqld.sock
            Time                 Id Command    Argument
            # Time: 090311  9:05:07
            # User@Host: app[app] @ web1 [10.0.0.7]
            # Query_time: 2  Lock_time: 1  Rows_sent: 3  Rows_examined: 40
            use shop;
            SELECT *
            FROM orders
            WHERE buyer_id = 7;
            # User@Host: app[app] @ web1 [10.0.0.7]
            # Query_time: 4  Lock_time: 0  Rows_sent: 0  Rows_examined: 9
            DELETE FROM carts WHERE id = 1;
            """);

    assertThat(read.file().records()).isEqualTo(2);
    assertThat(read.file().lines()).isEqualTo(13);
    assertThat(read.file().skipped()).containsExactly(new Skip(BANNER, 3, 1));
    assertThat(read.file().notes()).containsExactly(new Note(Times.NO_ZONE, 1));
    LogRecord first = read.records().get(0);
    assertThat(first.line()).isEqualTo(4);
    assertThat(first.time()).contains(Instant.parse("2009-03-11T09:05:07Z"));
    assertThat(first.duration()).contains(Duration.ofSeconds(2));
    assertThat(first.lockTime()).contains(Duration.ofSeconds(1));
    assertThat(first.rowsSent()).isEqualTo(OptionalLong.of(3));
    assertThat(first.rowsExamined()).isEqualTo(OptionalLong.of(40));
    assertThat(first.rowsAffected()).isEmpty();
    assertThat(first.user()).contains("app");
    assertThat(first.database()).contains("shop");
    assertThat(first.sql()).isEqualTo("SELECT *\nFROM orders\nWHERE buyer_id = 7");
    LogRecord second = read.records().get(1);
    assertThat(second.time()).contains(Instant.parse("2009-03-11T09:05:07Z"));
    assertThat(second.database()).contains("shop");
    assertThat(second.rowsExamined()).isEqualTo(OptionalLong.of(9));
  }

  @Test
  void mysqlSlow_version57And80_isoTimesIdAndAdministratorCommands() {
    Read read =
        read(
            LogFormat.MYSQL_SLOW,
            """
            # Time: 2023-07-18T15:00:02.619723Z
            # User@Host: app[app] @ localhost []  Id:    15
            # Query_time: 0.052131  Lock_time: 0.000002 Rows_sent: 1  Rows_examined: 1
            SET timestamp=1689692402;
            SELECT 1 # comment
            # no header
            ;
            # Time: 2023-07-18T17:00:02.700000+02:00
            # User@Host: app[app] @ localhost []  Id:    15
            # Query_time: 0.000013  Lock_time: 0.000000 Rows_sent: 0  Rows_examined: 0
            SET timestamp=1689692402;
            # administrator command: Quit;
            """);

    assertThat(read.only().time()).contains(Instant.parse("2023-07-18T15:00:02.619723Z"));
    assertThat(read.only().session()).contains("15");
    assertThat(read.only().sql()).isEqualTo("SELECT 1 # comment\n# no header");
    assertThat(read.only().duration()).contains(Duration.ofNanos(52_131_000));
    assertThat(read.file().skipped()).containsExactly(new Skip("administrator commands", 5, 8));
    assertThat(read.file().notes()).isEmpty();
  }

  @Test
  void mysqlSlow_percona_transactionAndSamplingRate() {
    Read read =
        read(
            LogFormat.MYSQL_SLOW,
            """
            # Time: 131128  1:05:31 # User@Host: u1[u1] @ localhost [127.0.0.1]  Id: 69194
            # Schema: maindb  Last_errno: 0  Killed: 0
            # Query_time: 0.000200  Lock_time: 0.000100  Rows_sent: 1  Rows_examined: 5  Rows_affected: 2
            # Bytes_sent: 545  Tmp_tables: 0  Tmp_disk_tables: 0  Tmp_table_sizes: 0
            # InnoDB_trx_id: 1A88583F
            # QC_Hit: No  Full_scan: No  Full_join: No  Tmp_table: No  Tmp_table_on_disk: No
            #   InnoDB_IO_r_ops: 0  InnoDB_IO_r_bytes: 0  InnoDB_IO_r_wait: 0.000000
            # Log_slow_rate_type: query  Log_slow_rate_limit: 10
            SET timestamp=1385600731;
            UPDATE t SET a = 1 WHERE id = 2;
            """);

    LogRecord record = read.only();
    assertThat(record.count()).isEqualTo(10);
    assertThat(record.duration()).contains(Duration.ofMillis(2));
    assertThat(record.lockTime()).contains(Duration.ofMillis(1));
    assertThat(record.rowsExamined()).isEqualTo(OptionalLong.of(50));
    assertThat(record.rowsAffected()).isEqualTo(OptionalLong.of(20));
    assertThat(record.transaction()).contains("1A88583F");
    assertThat(record.database()).contains("maindb");
    assertThat(record.session()).contains("69194");
    assertThat(record.time()).contains(Instant.ofEpochSecond(1_385_600_731));
    assertThat(read.file().executions()).isEqualTo(10);
    assertThat(read.file().records()).isEqualTo(1);
  }

  @Test
  void mysqlSlow_figuresBeyondMeasure_areNone() {
    Read read =
        read(
            LogFormat.MYSQL_SLOW,
            """
            # User@Host: a[a] @ h []  Id: 1
            # Query_time: 0.5  Lock_time: 0.1 Rows_sent: 1  Rows_examined: 9223372036854775807
            # Log_slow_rate_type: query  Log_slow_rate_limit: 9223372036854775807
            SET timestamp=99999999999999999;
            SELECT 1;
            """);

    assertThat(read.only().time()).isEmpty();
    assertThat(read.only().count()).isEqualTo(1);
    assertThat(read.only().duration()).contains(Duration.ofMillis(500));
    assertThat(read.file().notes())
        .contains(new Note("rates of sampling that are not believed, statements counted once", 1));
    assertThat(
            read(
                    LogFormat.MYSQL_TABLE,
                    "start_time,user_host,query_time,sql_text\n"
                        + "2024-01-02 03:04:05,a,9000000000000000000:00:01,SELECT 1\n")
                .only()
                .duration())
        .isEmpty();
  }

  @Test
  void digests_haveNoTimes() {
    assertThat(
            read(
                    LogFormat.MYSQL_DIGESTS,
                    "DIGEST_TEXT,COUNT_STAR,FIRST_SEEN,LAST_SEEN\n"
                        + "SELECT ?,50000000,2024-01-01 00:00:00,2024-03-01 10:00:00\n")
                .only()
                .time())
        .isEmpty();
    assertThat(
            read(
                    LogFormat.STATEMENT_TABLE,
                    "query_text,executions,timestamp\nSELECT 1,5,2024-03-01 10:00:00\n")
                .only()
                .time())
        .isEmpty();
  }

  @Test
  void refusal_tellsTheLineWithoutItsLiterals() {
    LogFile file = readAny("lorem 'alice@example.com' and 4711, \"x\" to O'Neil ipsum\n").file();

    assertThat(file.refusal().orElseThrow().told())
        .startsWith("line 1: ")
        .endsWith(": lorem ? and ?, ? to O?");
  }

  @Test
  void mysqlSlow_mariaDb_explainLinesAndBannersBetween() {
    Read read =
        read(
            LogFormat.MYSQL_SLOW,
            """
            # Time: 210910 12:21:30
            # User@Host: root[root] @ localhost []
            # Thread_id: 5  Schema: shop  QC_hit: No
            # Query_time: 5.000447  Lock_time: 0.000000  Rows_sent: 1  Rows_examined: 7
            # Rows_affected: 0  Bytes_sent: 65
            #
            # explain: id\tselect_type\ttable
            # explain: 1\tSIMPLE\tNULL
            #
            SET timestamp=1631276490;
            select sleep(5);
            mysqld, Version: 10.6.4-MariaDB-log (mariadb.org). started with:
            Tcp port: 0  Unix socket: /run/mysqld.sock
            Time\t\t    Id Command\tArgument
            # User@Host: root[root] @ localhost []
            # Thread_id: 6  Schema:   QC_hit: No
            # Query_time: 1.5  Lock_time: 0.000000  Rows_sent: 0  Rows_examined: 0
            # Rows_affected: 0  Bytes_sent: 0
            SET timestamp=1631276500;
            use other
            """);

    assertThat(read.file().records()).isEqualTo(2);
    assertThat(read.records().get(0).session()).contains("5");
    assertThat(read.records().get(0).rowsExamined()).isEqualTo(OptionalLong.of(7));
    assertThat(read.records().get(0).database()).contains("shop");
    assertThat(read.records().get(1).time()).contains(Instant.ofEpochSecond(1_631_276_500));
    assertThat(read.records().get(1).sql()).isEqualTo("use other");
    assertThat(read.file().skipped()).containsExactly(new Skip(BANNER, 3, 12));
  }

  @Test
  void mysqlSlow_beginsWithinAnEntry_theRestIsNamed() {
    Read read =
        read(
            LogFormat.MYSQL_SLOW,
            """
            # Filesort: No  Filesort_on_disk: No  Merge_passes: 0
            SET timestamp=1400193480;
            # User@Host: a[a] @ localhost []  Id: 1
            # Query_time: 0.1  Lock_time: 0.0  Rows_sent: 0  Rows_examined: 0
            SELECT 2""");

    assertThat(read.only().sql()).isEqualTo("SELECT 2");
    assertThat(read.file().skipped())
        .containsExactly(new Skip("rest of an entry that began before the file", 2, 1));
  }

  @Test
  void mysqlGeneral_oldTimes_holdUntilTheNext() {
    Read read =
        read(
            LogFormat.MYSQL_GENERAL,
            """
            051007 21:55:24\t     42 Connect     root@localhost on db1
            \t\t     42 Query       SELECT foo\s
                                     FROM tbl
                                     WHERE col=12345
            \t\t     42 Init DB     other
            \t\t     42 Query       SELECT 1
            061226  6:42:36\t     42 Quit      \s
            """);

    assertThat(read.file().records()).isEqualTo(2);
    LogRecord first = read.records().get(0);
    assertThat(first.time()).contains(Instant.parse("2005-10-07T21:55:24Z"));
    assertThat(first.user()).contains("root");
    assertThat(first.database()).contains("db1");
    assertThat(first.sql()).startsWith("SELECT foo").endsWith("WHERE col=12345");
    assertThat(read.records().get(1).database()).contains("other");
    assertThat(read.file().skipped())
        .containsExactly(
            new Skip("command Connect", 1, 1),
            new Skip("command Init DB", 1, 5),
            new Skip("command Quit", 1, 7));
  }

  @Test
  void mysqlGeneral_newTimes_executeCountsAndPrepareDoesNot() {
    Read read =
        read(
            LogFormat.MYSQL_GENERAL,
            """
            /usr/sbin/mysqld, Version: 8.0.33 (MySQL). started with:
            Tcp port: 3306  Unix socket: /run/mysqld.sock
            Time                 Id Command    Argument
            2023-06-05T08:19:58.623633Z\t    8 Prepare\tSELECT * FROM users
            WHERE id = ?
            2023-06-05T08:19:58.623700Z\t    8 Execute\tSELECT * FROM users
            WHERE id = 5
            2023-06-05T08:19:58.623800Z\t    8 Close stmt\t
            2023-06-05T08:19:58.623900Z\t    9 Query\tuse shop
            2023-06-05T08:19:58.624000Z\t    9 Query\tSELECT 1
            """);

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactly("SELECT * FROM users\nWHERE id = 5", "use shop", "SELECT 1");
    assertThat(read.records().get(2).database()).contains("shop");
    assertThat(read.file().skipped())
        .containsExactly(
            new Skip(BANNER, 3, 1),
            new Skip("command Prepare (its Execute is counted)", 2, 4),
            new Skip("command Close stmt", 1, 8));
  }

  @Test
  void postgreSql_stepsParametersAndContinuations() {
    Read read =
        read(
            LogFormat.POSTGRESQL_STDERR,
            """
            2021-12-03 07:14:48.591 UTC [4913] user=u1,db=shop LOG:  duration: 0.032 ms  statement: BEGIN
            2021-12-03 07:14:48.593 UTC [4913] user=u1,db=shop LOG:  duration: 1.163 ms  parse q: SELECT $1
            2021-12-03 07:14:48.594 UTC [4913] user=u1,db=shop LOG:  duration: 0.700 ms  bind q: SELECT $1
            2021-12-03 07:14:48.594 UTC [4913] user=u1,db=shop DETAIL:  parameters: $1 = 'x'
            2021-12-03 07:14:48.595 UTC [4913] user=u1,db=shop LOG:  duration: 0.215 ms  execute q: SELECT *
            \tFROM orders
            \tWHERE a = $1 AND b = $2 AND c = $3
            2021-12-03 07:14:48.595 UTC [4913] user=u1,db=shop DETAIL:  parameters: $1 = 'it''s
            \tlong', $2 = NULL, $3 = 'LOG:  no'
            2021-12-03 07:14:49.000 UTC [4913] user=u1,db=shop ERROR:  relation "x" does not exist
            2021-12-03 07:14:49.000 UTC [4913] user=u1,db=shop STATEMENT:  SELECT * FROM x
            pg_ctl: could not start server
            """);

    assertThat(read.file().records()).isEqualTo(2);
    LogRecord execute = read.records().get(1);
    assertThat(execute.sql())
        .isEqualTo("SELECT *\nFROM orders\nWHERE a = $1 AND b = $2 AND c = $3");
    assertThat(execute.parameters())
        .containsExactly(Optional.of("it's\nlong"), Optional.empty(), Optional.of("LOG:  no"));
    assertThat(execute.duration()).contains(Duration.ofNanos(215_000));
    assertThat(execute.user()).contains("u1");
    assertThat(execute.database()).contains("shop");
    assertThat(execute.session()).contains("4913");
    assertThat(execute.time()).contains(Instant.parse("2021-12-03T07:14:48.595Z"));
    assertThat(read.file().statementLines()).isEqualTo(6);
    assertThat(read.file().skipped())
        .containsExactlyInAnyOrder(
            new Skip("steps parse and bind (their execute is counted)", 3, 2),
            new Skip("messages of severity ERROR", 1, 10),
            new Skip("statements quoted by errors and waits (no executions)", 1, 11),
            new Skip(Tally.NOT_UNDERSTOOD, 1, 12));
  }

  @Test
  void postgreSql_anyPrefix() {
    record Prefix(String text, String user, String database, String session, String time) {}
    for (Prefix prefix :
        List.of(
            new Prefix(
                "2020-03-11 20:40:50 CET:10.0.0.1(509):app@shop:[12795]:",
                "app",
                "shop",
                "12795",
                "2020-03-11T19:40:50Z"),
            new Prefix(
                "2010-12-31 10:59:52.236 UTC|p|d|4d1db7a8.4236|",
                null,
                null,
                "4d1db7a8.4236",
                "2010-12-31T10:59:52.236Z"),
            new Prefix(
                "2017-09-06 08:41:41 UTC [36]: [121-1] user=u,db=d,app=x,client=10.0.0.2 ",
                "u",
                "d",
                "36",
                "2017-09-06T08:41:41Z"),
            new Prefix(
                "2022-02-17 14:45:10.440 UTC [691] [queryid=108] u@d ",
                "u",
                "d",
                "691",
                "2022-02-17T14:45:10.440Z"),
            new Prefix("1639386888.123 [7] ", null, null, "7", "2021-12-13T09:14:48.123Z"),
            new Prefix(
                "2019-10-21 12:03:31.311 MSK [5133] ",
                null,
                null,
                "5133",
                "2019-10-21T09:03:31.311Z"),
            new Prefix(
                "<2024-01-02 03:04:05.678+0530 u d [9]> ",
                null,
                null,
                "9",
                "2024-01-01T21:34:05.678Z"),
            new Prefix("", null, null, null, null))) {
      Read read =
          read(
              LogFormat.POSTGRESQL_STDERR,
              prefix.text() + "LOG:  duration: 2.5 ms  statement: SELECT 1;\n");

      LogRecord record = read.only();
      assertThat(record.sql()).as(prefix.text()).isEqualTo("SELECT 1");
      assertThat(record.user()).as(prefix.text()).isEqualTo(Optional.ofNullable(prefix.user()));
      assertThat(record.database()).isEqualTo(Optional.ofNullable(prefix.database()));
      assertThat(record.session()).isEqualTo(Optional.ofNullable(prefix.session()));
      assertThat(record.time())
          .as(prefix.text())
          .isEqualTo(Optional.ofNullable(prefix.time()).map(Instant::parse));
      assertThat(record.duration()).contains(Duration.ofNanos(2_500_000));
    }
  }

  @Test
  void postgreSql_durationInAMessageOfItsOwn_belongsToTheSession() {
    Read read =
        read(
            LogFormat.POSTGRESQL_STDERR,
            """
            2021-12-03 07:14:48 UTC [1] LOG:  statement: SELECT 1
            2021-12-03 07:14:48 UTC [2] LOG:  execute a: SELECT 2
            2021-12-03 07:14:49 UTC [1] LOG:  duration: 7.000 ms
            2021-12-03 07:14:49 UTC [3] LOG:  duration: 8.000 ms
            2021-12-03 07:14:49 UTC [2] LOG:  statement: SELECT 3
            """);

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactlyInAnyOrder("SELECT 1", "SELECT 2", "SELECT 3");
    assertThat(read.records().get(0).duration()).contains(Duration.ofMillis(7));
    assertThat(read.records().get(1).duration()).isEmpty();
    assertThat(read.file().skipped())
        .containsExactly(new Skip("durations without their statement", 1, 4));
  }

  @Test
  void postgreSql_noZone_isNoted() {
    Read read =
        read(
            LogFormat.POSTGRESQL_STDERR,
            "2021-12-03 07:14:48 [1] LOG:  duration: 1 ms  statement: SELECT 1\n"
                + "2021-12-03 07:14:48 QQQ [1] LOG:  duration: 1 ms  statement: SELECT 1\n");

    assertThat(read.records().get(0).time()).contains(Instant.parse("2021-12-03T07:14:48Z"));
    assertThat(read.file().notes())
        .containsExactly(
            new Note(Times.NO_ZONE, 1), new Note("times of an unknown zone, read as UTC: QQQ", 1));
  }

  @Test
  void postgreSql_syslog_interleavedProcesses() {
    Read read =
        read(
            LogFormat.POSTGRESQL_STDERR,
            """
            Feb 10 23:15:40 host postgres[19]: [7-1] db=shop,user=app LOG:  duration: 13.9 ms  statement: SELECT a,
            Feb 10 23:15:40 host postgres[20]: [3-1] db=shop,user=app LOG:  duration: 1 ms  statement: SELECT 2
            Feb 10 23:15:40 host postgres[19]: [7-2] #011 b FROM t WHERE x IN (1,
            Feb 10 23:15:40 host postgres[19]: [7-3]  2)
            Feb 10 23:15:41 host systemd[1]: Started something.
            """);

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactlyInAnyOrder("SELECT a,\n b FROM t WHERE x IN (1, 2)", "SELECT 2");
    assertThat(read.records()).allMatch(record -> record.database().equals(Optional.of("shop")));
    assertThat(read.file().statementLines()).isEqualTo(4);
    assertThat(read.file().skipped()).containsExactly(new Skip(Tally.NOT_UNDERSTOOD, 1, 5));
  }

  @Test
  void postgreSql_logplex_bothForms() {
    Read read =
        read(
            LogFormat.POSTGRESQL_STDERR,
            """
            2019-03-14T00:22:56+00:00 app[postgres.4882]: [GREEN] [15-1]  sql_error_code = 00000 LOG:  duration: 8.5 ms  statement: SELECT 1
            2021-09-07T04:01:27+00:00 d.af28 app[postgres.5925] [AQUA] [92-1]  sql_error_code = 00000 LOG:  duration: 9 ms  execute <unnamed>: UPDATE c SET n =
            2021-09-07T04:01:27+00:00 d.af28 app[postgres.5925] [AQUA] [92-2]    (SELECT 2)
            """);

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactlyInAnyOrder("SELECT 1", "UPDATE c SET n =   (SELECT 2)");
    assertThat(read.records().get(0).time()).contains(Instant.parse("2019-03-14T00:22:56Z"));
    assertThat(read.file().skippedLines()).isZero();
  }

  @Test
  void postgreSql_containersAndClouds() {
    String line = "2024-01-02 03:04:05.678 UTC [9] u@d LOG:  duration: 2 ms  statement: SELECT ";
    Read read =
        read(
            LogFormat.POSTGRESQL_STDERR,
            "2024-01-02T03:04:05.7Z stderr P "
                + line
                + "\n2024-01-02T03:04:05.7Z stderr F 1\n"
                + "{\"log\":\""
                + line
                + "2\\n\",\"stream\":\"stderr\",\"time\":\"2024-01-02T03:04:05.7Z\"}\n"
                + "{\"textPayload\":\"[24]: [1-1] db=d,user=u LOG:  statement: SELECT\\n\\t3\","
                + "\"timestamp\":\"2020-05-02T13:00:20.382318Z\"}\n"
                + "{\"properties\":{\"message\":\""
                + line
                + "4\"},\"time\":\"2024-01-02T03:04:05.7Z\"}\n");

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactlyInAnyOrder("SELECT 1", "SELECT 2", "SELECT\n3", "SELECT 4");
    LogRecord cloud =
        read.records().stream().filter(r -> r.sql().endsWith("3")).findFirst().orElseThrow();
    assertThat(cloud.time()).contains(Instant.parse("2020-05-02T13:00:20.382318Z"));
    assertThat(cloud.database()).contains("d");
    assertThat(cloud.session()).contains("24");
  }

  @Test
  void postgreSqlCsv_quotesLineEndsAndPlainLinesBefore() {
    Read read =
        read(
            LogFormat.POSTGRESQL_CSV,
            """
            2025-01-21 18:32:48.288 CET [7] LOG:  starting PostgreSQL
            2010-12-31 10:59:52.241 UTC,"app","shop",16950,"[local]",4d1db7a8.4236,3,"idle",2010-12-31 10:59:52 UTC,2/1,0,LOG,00000,"duration: 2.000 ms  execute a: SELECT ""x""
            FROM t WHERE id = $1","parameters: $1 = 'a,b'",,,,,,,,
            "2026-05-16 05:11:50.269 UTC","app","shop",17,"10.0.0.1:5",0.3,1,"SELECT","2026-05-16 05:00:00 UTC",1/1,77,LOG,00000,"statement: SELECT 2",,,,,,,,,"app","client backend",0
            2026-05-16 05:11:51.269 UTC,"app","shop",17,"10.0.0.1:5",0.3,1,"SELECT",2026-05-16 05:00:00 UTC,1/1,0,ERROR,42P01,"no such table",,,,,,"SELECT 3",,,"app"
            """);

    assertThat(read.file().records()).isEqualTo(2);
    LogRecord first = read.records().get(0);
    assertThat(first.sql()).isEqualTo("SELECT \"x\"\nFROM t WHERE id = $1");
    assertThat(first.parameters()).containsExactly(Optional.of("a,b"));
    assertThat(first.transaction()).contains("2/1");
    assertThat(first.session()).contains("16950");
    assertThat(read.records().get(1).transaction()).contains("77");
    assertThat(read.file().statementLines()).isEqualTo(3);
    assertThat(read.file().skipped())
        .containsExactlyInAnyOrder(
            new Skip("messages that are no statements", 1, 1),
            new Skip("messages of severity ERROR", 1, 5));
  }

  @Test
  void postgreSqlJson_bothNamings() {
    Read read =
        read(
            LogFormat.POSTGRESQL_JSON,
            """
            {"timestamp":"2022-11-27 18:53:26.761 UTC","user":"app","dbname":"shop","pid":464,"session_id":"6.1","txid":0,"vxid":"5/0","error_severity":"LOG","message":"duration: 0.352 ms  execute <unnamed>: SELECT $1","detail":"parameters: $1 = '7'"}
            {"level":"info","record":{"log_time":"2022-11-27 18:53:27.000 UTC","user_name":"app","database_name":"shop","process_id":"465","error_severity":"LOG","message":"duration: 1 ms  statement: SELECT 2"}}
            {"level":"info","msg":"reconciling"}
            {broken
            """);

    assertThat(read.file().records()).isEqualTo(2);
    LogRecord first = read.records().get(0);
    assertThat(first.parameters()).containsExactly(Optional.of("7"));
    assertThat(first.database()).contains("shop");
    assertThat(first.transaction()).contains("5/0");
    assertThat(first.time()).contains(Instant.parse("2022-11-27T18:53:26.761Z"));
    assertThat(read.records().get(1).session()).contains("465");
    assertThat(read.file().skipped())
        .containsExactly(
            new Skip("documents of other programs", 1, 3), new Skip(Tally.NOT_UNDERSTOOD, 1, 4));
  }

  @Test
  void digests_pgStatStatements_csvAndJson() {
    Read csv =
        read(
            LogFormat.POSTGRESQL_DIGESTS,
            """
            query,calls,total_exec_time,mean_exec_time,rows
            SELECT * FROM o WHERE id = $1,1500,4500.50,3.0,1500
            "UPDATE o SET a = $1
            WHERE id = $2",800,2400.00,3.0,799
            SELECT 1,0,0,0,0
            """);

    assertThat(csv.file().records()).isEqualTo(2);
    assertThat(csv.file().executions()).isEqualTo(2_300);
    assertThat(csv.records().get(0).duration()).contains(Duration.ofNanos(4_500_500_000L));
    assertThat(csv.records().get(0).rowsSent()).isEqualTo(OptionalLong.of(1_500));
    assertThat(csv.records().get(1).rowsAffected()).isEqualTo(OptionalLong.of(799));
    assertThat(csv.file().skipped())
        .containsExactly(
            new Skip("names of columns", 1, 1), new Skip("digests without an execution", 1, 5));
    Read json =
        read(
            LogFormat.POSTGRESQL_DIGESTS,
            "{\"query\":\"SELECT 1\",\"calls\":4,\"total_time\":2.5,\"rows\":4}\n"
                + "{\"query\":\"SELECT 2\",\"calls\":5,\"total_time\":2.5,\"rows\":4}\n");
    assertThat(json.file().records()).isEqualTo(2);
    assertThat(json.file().executions()).isEqualTo(9);
    assertThat(json.file().lines()).isEqualTo(2);
  }

  @Test
  void digests_performanceSchema_csvAndJson() {
    Read csv =
        read(
            LogFormat.MYSQL_DIGESTS,
            "SCHEMA_NAME\tDIGEST_TEXT\tCOUNT_STAR\tSUM_TIMER_WAIT\tSUM_LOCK_TIME\tSUM_ROWS_SENT\t"
                + "SUM_ROWS_EXAMINED\tSUM_ROWS_AFFECTED\tLAST_SEEN\n"
                + "shop\tSELECT * FROM `o` WHERE `id` = ?\t15000\t45005000000000\t1000000000000\t"
                + "15000\t450000\t0\t2024-01-02 03:04:05\n"
                + "NULL\tNULL\t7\t1\t1\t0\t0\t0\tNULL\n");

    LogRecord record = csv.only();
    assertThat(record.count()).isEqualTo(15_000);
    assertThat(record.duration()).contains(Duration.ofMillis(45_005));
    assertThat(record.lockTime()).contains(Duration.ofSeconds(1));
    assertThat(record.rowsExamined()).isEqualTo(OptionalLong.of(450_000));
    assertThat(record.database()).contains("shop");
    assertThat(csv.file().skipped())
        .containsExactly(
            new Skip("names of columns", 1, 1), new Skip("entries without a statement", 1, 3));
    Read json =
        read(
            LogFormat.MYSQL_DIGESTS,
            """
            [
              {
                "SCHEMA_NAME": "shop",
                "DIGEST_TEXT": "SELECT ?",
                "COUNT_STAR": 3,
                "SUM_TIMER_WAIT": 1000000000
              },
              { "SCHEMA_NAME": "shop", "DIGEST_TEXT": "SELECT ? + ?", "COUNT_STAR": 4 }
            ]
            """);
    assertThat(json.file().executions()).isEqualTo(7);
    assertThat(json.records().get(0).duration()).contains(Duration.ofMillis(1));
    assertThat(json.file().lines()).isEqualTo(9);
    assertThat(json.file().skipped()).containsExactly(new Skip("brackets and blank lines", 2, 1));
  }

  @Test
  void tables_slowLogGeneralLogAndExports() {
    Read slow =
        read(
            LogFormat.MYSQL_TABLE,
            """
            start_time,user_host,query_time,lock_time,rows_sent,rows_examined,db,sql_text,thread_id
            2024-01-02 03:04:05.678,app[app] @ h [],00:01:02.500000,00:00:00.000001,1,2,shop,SELECT 1,9
            """);
    assertThat(slow.only().duration()).contains(Duration.ofMillis(62_500));
    assertThat(slow.only().session()).contains("9");
    assertThat(slow.only().time()).contains(Instant.parse("2024-01-02T03:04:05.678Z"));
    Read general =
        read(
            LogFormat.MYSQL_TABLE,
            "event_time;thread_id;command_type;argument\n"
                + "2024-01-02 03:04:05.678;9;Query;SELECT 1\n"
                + "2024-01-02 03:04:05.678;9;Quit;\n"
                + "2024-01-02 03:04:05.678;9\n");
    assertThat(general.file().records()).isEqualTo(1);
    assertThat(general.file().skipped())
        .containsExactly(
            new Skip("names of columns", 1, 1),
            new Skip("command Quit", 1, 3),
            new Skip("records with another number of columns", 1, 4));
    Read export =
        read(
            LogFormat.STATEMENT_TABLE,
            "\"time\",\"created_at\",\"raw_sql\",\"con_id\"\n"
                + "9.47378,\"2022-09-26 22:19:22\",\"SELECT `a`.* FROM `a`\",1\n");
    assertThat(export.only().duration()).contains(Duration.ofNanos(9_473_780_000L));
  }

  @Test
  void shardingSphere_logicWithTheValuesOfItsActual() {
    Read read =
        read(
            LogFormat.SHARDINGSPHERE,
            """
            [INFO ] 2019-01-18 09:32:21,022 --main-- [ShardingSphere-SQL] Logic SQL: SELECT * FROM t_order o WHERE o.order_id=? AND s=?;\s
            [INFO ] 2019-01-18 09:32:21,022 --main-- [ShardingSphere-SQL] SQLStatement: SelectStatement(x)\s
            [INFO ] 2019-01-18 09:32:21,022 --main-- [ShardingSphere-SQL] Actual SQL: ds_1 ::: SELECT * FROM t_order_1 o WHERE o.order_id=? AND s=?; ::: [[29, null]]\s
            [INFO ] 09:50:45.606 [ShardingSphere-Command-2] ShardingSphere-SQL - Logic SQL: select *
              from t where id = 5
            [INFO ] 09:50:45.607 [ShardingSphere-Command-3] ShardingSphere-SQL - Logic SQL: select 2
            [INFO ] 09:50:45.629 [ShardingSphere-Command-2] ShardingSphere-SQL - Actual SQL: ds_0 ::: select *
              from t_0 where id = 5
            [INFO ] 09:50:45.629 [ShardingSphere-Command-2] ShardingSphere-SQL - Actual SQL: ds_1 ::: select * from t_1
            2020-07-31 16:48:27.698  INFO 4704 --- [main] ShardingSphere-SQL  : Actual SQL: ds ::: select 9 ::: [1]
            2020-07-31 16:48:27.699  INFO 4704 --- [main] c.example.Other  : started
            """);

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactlyInAnyOrder(
            "SELECT * FROM t_order o WHERE o.order_id=? AND s=?",
            "select *\n  from t where id = 5",
            "select 2");
    LogRecord first =
        read.records().stream().filter(r -> r.sql().contains("t_order")).findFirst().orElseThrow();
    assertThat(first.parameters()).containsExactly(Optional.of("29"), Optional.empty());
    assertThat(first.time()).contains(Instant.parse("2019-01-18T09:32:21.022Z"));
    assertThat(read.file().statementLines()).isEqualTo(8);
    assertThat(read.file().skipped())
        .containsExactlyInAnyOrder(
            new Skip("descriptions of the parser", 1, 2),
            new Skip("Actual SQL without its Logic SQL", 1, 10),
            new Skip("messages of others", 1, 11));
  }

  @Test
  void vtgate_textAndJson() {
    String fields =
        "Execute\t127.0.0.1:6\t\t'u'\t''\t2024-10-31 13:55:59.399939\t2024-10-31 13:55:59.406533\t"
            + "0.006594\t0.005267\t0.001326\t0.000000\tSELECT\t";
    Read text =
        read(
            LogFormat.VTGATE,
            fields
                + "\"select a from c where n = :n /* VARCHAR */\\nand id in ::ids and t = ':n'\"\t"
                + "{\"n\": {\"type\": \"VARCHAR\", \"value\": \"Alice\"}}\t2\t3\t\"\"\t\"PRIMARY\"\t"
                + "\"26-97\"\tfalse\t[]\n");
    assertThat(text.only().sql())
        .isEqualTo("select a from c where n = ? /* VARCHAR */\nand id in (?) and t = ':n'");
    assertThat(text.only().parameters()).containsExactly(Optional.of("Alice"), Optional.empty());
    assertThat(text.only().duration()).contains(Duration.ofNanos(6_594_000));
    assertThat(text.only().rowsAffected()).isEqualTo(OptionalLong.of(3));
    assertThat(text.only().session()).contains("26-97");
    Read json =
        read(
            LogFormat.VTGATE,
            "{\"Method\":\"Execute\",\"Start\":\"2024-10-31 13:55:59.399939\",\"TotalTime\":0.5,"
                + "\"SQL\":\"select 1 from c where id = :id\",\"BindVars\":{\"id\":{\"type\":"
                + "\"INT64\",\"value\":7}},\"RowsAffected\":0,\"SessionUUID\":\"x\"}\n");
    assertThat(json.only().parameters()).containsExactly(Optional.of("7"));
    assertThat(json.only().duration()).contains(Duration.ofMillis(500));
  }

  @Test
  void script_quotesCommentsDelimitersAndCopy() {
    Read read =
        read(
            LogFormat.SQL_SCRIPT,
            """
            -- a comment; with a semicolon
            --usage_count 123
            SELECT 'a;b', "c;d" /* e; */ FROM t; SELECT 2;

            SELECT 3
              FROM t -- ;
              WHERE a = 'it''s;';
            \\connect shop
            COPY t FROM stdin;
            1;2
            \\.
            CREATE FUNCTION f() RETURNS int AS $body$ SELECT 1; $body$ LANGUAGE sql;
            DELIMITER //
            CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN SET a = 1; END //
            DELIMITER ;
            SELECT 4
            """);

    assertThat(read.records()).hasSize(7);
    assertThat(read.records().get(0).sql()).isEqualTo("SELECT 'a;b', \"c;d\" /* e; */ FROM t");
    assertThat(read.records().get(0).count()).isEqualTo(123);
    assertThat(read.records().get(1).sql()).isEqualTo("SELECT 2");
    assertThat(read.records().get(2).sql()).endsWith("'it''s;'");
    assertThat(read.records().get(4).sql()).startsWith("CREATE FUNCTION").endsWith("sql");
    assertThat(read.records().get(5).sql()).endsWith("END");
    assertThat(read.records().get(6).sql()).isEqualTo("SELECT 4");
    assertThat(read.file().executions()).isEqualTo(129);
    assertThat(read.file().skipped())
        .containsExactlyInAnyOrder(
            new Skip("comments", 2, 1),
            new Skip(Tally.BLANK, 1, 4),
            new Skip("commands of the client", 3, 8),
            new Skip("rows of COPY", 2, 10));
  }

  @Test
  void script_withoutSemicolons_isOneStatementALine() {
    Read read = read(LogFormat.SQL_SCRIPT, "select 1\nselect 'a' from t\n");

    assertThat(read.records())
        .extracting(LogRecord::sql)
        .containsExactly("select 1", "select 'a' from t");
  }

  @Test
  void unknown_isRefusedWithTheLine() {
    LogFile file = readAny("\n\nhello world\nmore\n").file();

    assertThat(file.format()).isEmpty();
    assertThat(file.refusal().orElseThrow().line()).isEqualTo(3);
    assertThat(file.refusal().orElseThrow().text()).isEqualTo("hello world");
    assertThat(readAny("").file().refusal()).isPresent();
    assertThat(readAny("[{\"a\":1}]").file().refusal()).isPresent();
    assertThat(readAny("[{\"query\":\"x\",\"calls\":1},{broken").file().refusal()).isPresent();
    assertThat(readAny("a,b\n1,2\n").file().refusal()).isPresent();
  }

  @Test
  void gzip_isToldFromItsContent() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write("SELECT 1;\nSELECT 2;\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.createTempFile("sql", ".log");
    try {
      Files.write(file, bytes.toByteArray());
      List<LogRecord> records = new ArrayList<>();
      List<LogFile> files = SqlLogs.read(List.of(file, file), records::add);
      assertThat(files).extracting(LogFile::records).containsExactly(2L, 2L);
      assertThat(records).hasSize(4);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void lines_longerThanTheBound_areCutAndNoted() throws IOException {
    String list = "1,".repeat(LineReader.LINE_BYTES_MAX);
    Read read = readAny("SELECT 1;\nSELECT * FROM t WHERE a IN (" + list + "1);\nSELECT 2;\n");

    assertThat(read.file().lines()).isEqualTo(3);
    assertThat(read.file().notes())
        .extracting(Note::what)
        .anyMatch(what -> what.startsWith("lines cut"));
    try (LineReader lines =
        new LineReader(new ByteArrayInputStream("a\r\n\nb".getBytes(StandardCharsets.UTF_8)))) {
      assertThat(lines.peek(1, 9)).containsExactly("a");
      assertThat(lines.next()).isEqualTo("a");
      assertThat(lines.next()).isEmpty();
      assertThat(lines.next()).isEqualTo("b");
      assertThat(lines.next()).isNull();
    }
  }

  /** {@code -Dshardwright.sql-logs=DIRECTORY}: logs that are not ours to keep here. */
  @Test
  void realLogs_parseOrAreRefusedAndEveryLineIsCounted() throws IOException {
    String directory = System.getProperty("shardwright.sql-logs");
    Assumptions.assumeTrue(directory != null, "no directory of logs is named");
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(directory))) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.getFileName().toString().equals("README.md"))
              .toList();
    }
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      LogFile result = SqlLogs.read(file, record -> assertThat(record.sql()).isNotBlank());
      assertThat(result.format().isPresent() || result.refusal().isPresent())
          .as("%s", file)
          .isTrue();
      assertThat(result.statementLines() + result.skippedLines())
          .as("%s", result)
          .isEqualTo(result.lines());
    }
  }

  /** Reads and checks that every line is accounted for. */
  private static Read read(LogFormat format, String text) {
    Read read = readAny(text);
    assertThat(read.file().refusal()).isEmpty();
    assertThat(read.file().format()).contains(format);
    return read;
  }

  private static Read readAny(String text) {
    List<LogRecord> records = new ArrayList<>();
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    try {
      LogFile file = SqlLogs.read(Path.of("test.log"), in, records::add);
      assertThat(file.statementLines() + file.skippedLines())
          .as("%s", file)
          .isEqualTo(file.lines());
      assertThat(file.records()).isEqualTo(file.refusal().isPresent() ? 0 : records.size());
      return new Read(file, records);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
