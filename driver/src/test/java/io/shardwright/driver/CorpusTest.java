package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.shardwright.driver.CorpusStatement.Expected;
import io.shardwright.driver.CorpusStatement.Fixed;
import io.shardwright.driver.CorpusStatement.Reach;
import io.shardwright.errors.ErrorCategory;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Every statement of the corpus gives on shards what it gives on one database, goes where its entry
 * says, or is refused with the code that its entry says. -Dshardwright.corpus=TEXT runs only those
 * whose place, construct or text holds TEXT.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CorpusTest {
  private static final String ONLY = System.getProperty("shardwright.corpus", "");
  private static final Pattern WRITE =
      Pattern.compile(
          "\\b(INSERT|UPDATE|DELETE|MERGE|REPLACE|TRUNCATE)\\b", Pattern.CASE_INSENSITIVE);

  private final TestingDatabase database;
  private final CorpusUpdate update;
  private final List<StatementTrace> traces = new ArrayList<>();
  private CorpusDatabases databases;

  CorpusTest() {
    this.database = database();
    this.update = new CorpusUpdate(CorpusDatabases.name(database));
  }

  /** What the statements run on. */
  TestingDatabase database() {
    return TestingDatabase.POSTGRESQL;
  }

  @BeforeAll
  void open() throws SQLException {
    databases = new CorpusDatabases(database);
    databases.shards().source().addListener(traces::add);
  }

  @AfterAll
  void close() throws SQLException, IOException {
    update.write();
    databases.close();
  }

  @TestFactory
  Stream<DynamicTest> statement_onShards_isAsOnOneDatabaseOrRefused() {
    return Corpus.statements(CorpusDatabases.name(database)).stream()
        .filter(statement -> statement.toString().contains(ONLY))
        .map(
            statement ->
                DynamicTest.dynamicTest(statement.toString(), () -> checkNamed(statement)));
  }

  private void checkNamed(CorpusStatement statement) throws SQLException {
    try {
      if (CorpusUpdate.WANTED) {
        Expected actual = tried(statement);
        check(statement.expecting(actual));
        update.found(statement, actual);
      } else {
        check(statement);
      }
    } catch (AssertionError e) {
      // Reports of a build show the number of a dynamic test only.
      throw new AssertionError(statement + "\n" + e.getMessage(), e);
    }
  }

  private boolean isWrite(CorpusStatement statement) {
    return WRITE.matcher(statement.sql()).find();
  }

  private void check(CorpusStatement statement) throws SQLException {
    boolean write = isWrite(statement);
    try {
      if (statement.expected().isRefused()) {
        requireThatOneDatabaseKnows(statement);
        requireRefusal(statement, Way.PREPARED);
      } else if (statement.sqlState().isPresent()) {
        requireFailure(statement);
      } else {
        Outcome plain = run(databases.plain(), statement, Way.PREPARED);
        requireEqual(statement, plain.orFail(), Way.PREPARED);
        if (!write && statement.parameters().isEmpty()) {
          requireEqual(statement, plain.orFail(), Way.TEXT);
        }
      }
      databases.shards().assertIdle();
      if (write) {
        databases.requireEqualTables();
        databases.restore();
      }
    } catch (AssertionError e) {
      databases.restoreAll();
      throw e;
    }
  }

  /** What the driver does, right or wrong; nothing is left of it. */
  private Expected tried(CorpusStatement statement) throws SQLException {
    traces.clear();
    Outcome outcome = run(databases.logical(), statement, Way.PREPARED);
    if (isWrite(statement)) {
      databases.restoreAll();
    }
    if (outcome.error() instanceof ShardwrightError) {
      return Expected.refused(outcome.code());
    }
    if (statement.sqlState().filter(outcome.code()::equals).isPresent()) {
      return traces.size() == 1 ? new Expected(reach(traces.get(0)), "") : statement.wanted();
    }
    return statement.wanted().isRefused() || outcome.error() != null || traces.size() != 1
        ? statement.expected()
        : new Expected(reach(traces.get(0)), "");
  }

  /** How a statement is sent. */
  private enum Way {
    PREPARED,
    TEXT
  }

  /** An answer or an error; the other is null. */
  private record Outcome(Answer answer, SQLException error) {
    Answer orFail() {
      if (error != null) {
        fail("fails: " + error);
      }
      return answer;
    }

    /** SW..., the SQLSTATE of a database's own error, or "success". */
    String code() {
      if (error == null) {
        return "success";
      }
      return error instanceof ShardwrightError own ? own.code().code() : error.getSQLState();
    }
  }

  private Outcome run(Connection connection, CorpusStatement statement, Way way) {
    try {
      return new Outcome(
          way == Way.PREPARED ? prepared(connection, statement) : text(connection, statement),
          null);
    } catch (SQLException e) {
      return new Outcome(null, e);
    }
  }

  private Answer prepared(Connection connection, CorpusStatement statement) throws SQLException {
    String sql = connection == databases.plain() ? statement.plainSql() : statement.sql();
    return statement.keys().isEmpty()
        ? Answer.of(connection, sql, statement.parameters())
        : Answer.of(connection, sql, statement.parameters(), statement.keys());
  }

  private Answer text(Connection connection, CorpusStatement statement) throws SQLException {
    try (Statement created = connection.createStatement()) {
      return Answer.of(created, created.execute(statement.sql()));
    }
  }

  private void requireEqual(CorpusStatement statement, Answer plain, Way way) {
    traces.clear();
    Outcome outcome = run(databases.logical(), statement, way);
    if (outcome.error() != null && isRefusal(outcome.error())) {
      fail("refused, not %s: %s", statement.expected(), outcome.error().getMessage());
    }
    Answer logical = outcome.orFail();
    Fixed fixed = statement.fixed();
    if (fixed.all()) {
      assertThat(logical.rows()).isEqualTo(plain.rows());
    } else {
      assertThat(logical.rows()).containsExactlyInAnyOrderElementsOf(plain.rows());
      assertThat(logical.values(fixed.columns())).isEqualTo(plain.values(fixed.columns()));
    }
    assertThat(database.comparable(logical.columns()))
        .isEqualTo(database.comparable(plain.columns()));
    assertThat(database.comparable(logical.keys())).isEqualTo(database.comparable(plain.keys()));
    if (comparesWarnings(statement)) {
      assertThat(logical.warnings()).isEqualTo(plain.warnings());
    }
    assertReach(statement);
  }

  /**
   * MariaDB warns of a statement as such too, which each shard does for itself, and the last step
   * of what it was given.
   */
  private boolean comparesWarnings(CorpusStatement statement) {
    return database == TestingDatabase.POSTGRESQL
        || statement.expected().reach() == Reach.ONE_SHARD;
  }

  private void assertReach(CorpusStatement statement) {
    assertThat(traces).hasSize(1);
    assertThat(reach(traces.get(0)))
        .as("%s", traces.get(0))
        .isEqualTo(statement.expected().reach());
  }

  private static Reach reach(StatementTrace trace) {
    if (trace.shards().isEmpty()) {
      return Reach.ANY_SHARD;
    }
    if (trace.group().isEmpty()) {
      return trace.shards().size() == 1 ? Reach.ONE_SHARD : Reach.EVERY_SHARD;
    }
    if (trace.shards().size() == 1) {
      return Reach.ONE_SHARD;
    }
    return trace.buckets().isEmpty() ? Reach.ALL_SHARDS : Reach.NAMED_SHARDS;
  }

  /** Otherwise the entry would say nothing about the driver. */
  private void requireThatOneDatabaseKnows(CorpusStatement statement) throws SQLException {
    if (database == TestingDatabase.MARIADB && statement.sql().startsWith("TRUNCATE")) {
      return; // It would not be rolled back.
    }
    databases.plain().setAutoCommit(false);
    try {
      Outcome plain = run(databases.plain(), statement, Way.PREPARED);
      if (statement.sqlState().isPresent()) {
        assertThat(plain.code()).isEqualTo(statement.sqlState().get());
      } else {
        plain.orFail();
      }
    } finally {
      databases.plain().rollback();
      databases.plain().setAutoCommit(true);
    }
  }

  private void requireRefusal(CorpusStatement statement, Way way) {
    Outcome outcome = run(databases.logical(), statement, way);
    if (outcome.error() == null) {
      Expected wanted = statement.wanted();
      fail(
          "no longer refused with %s: %s",
          statement.expected().code(),
          wanted.isRefused()
              ? "give it another class"
              : "if it is " + wanted + " now, delete its line '-- today: ...'");
    }
    assertThat(outcome.code())
        .as("%s", outcome.error().getMessage())
        .isEqualTo(statement.expected().code());
  }

  private boolean isRefusal(SQLException e) {
    return e instanceof ShardwrightError error && error.code().category() == ErrorCategory.USER;
  }

  /** The database says no, and the driver passes that on. */
  private void requireFailure(CorpusStatement statement) {
    String sqlState = statement.sqlState().orElseThrow();
    traces.clear();
    for (Connection connection : List.of(databases.plain(), databases.logical())) {
      Outcome outcome = run(connection, statement, Way.PREPARED);
      assertThat(outcome.code())
          .as("of %s", connection == databases.plain() ? "one database" : "the driver")
          .isEqualTo(sqlState);
    }
    assertReach(statement);
  }
}
