package io.shardwright.advisor.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveMariaDbTest extends LiveDatabaseContract {
  private static final EmbeddedMariaDbServer SERVER = EmbeddedMariaDbServer.shared();

  LiveMariaDbTest() {
    super(SERVER.createDatabase("live"), SERVER.user(), SERVER.password());
  }

  @Override
  String analyze(String table) {
    return "ANALYZE TABLE " + table;
  }

  @Override
  String slowView() {
    return "CREATE VIEW slow AS SELECT SLEEP(60) AS k";
  }

  @Override
  String[] writingView() {
    return new String[] {
      "CREATE FUNCTION wipe() RETURNS int BEGIN DELETE FROM order_items; RETURN 1; END",
      "CREATE VIEW writing AS SELECT wipe() AS k"
    };
  }

  @Test
  void read_whatOnlyMariaDbHas() throws SQLException {
    execute(
        "CREATE TABLE Mixed (Id BIGINT PRIMARY KEY, Paid TINYINT(1), State ENUM('a', 'b'),"
            + " Note VARCHAR(200) NOT NULL, KEY by_note (Note(10)))",
        "CREATE TABLE kept (id INT PRIMARY KEY, mixed_id BIGINT,"
            + " FOREIGN KEY (mixed_id) REFERENCES Mixed (Id)) WITH SYSTEM VERSIONING",
        "CREATE VIEW seen AS SELECT * FROM kept");

    SchemaFacts facts;
    String schema;
    try (LiveDatabase live = open()) {
      facts = live.read();
      schema = live.schema();
    }

    assertThat(names(facts))
        .containsExactlyInAnyOrder("Mixed", "kept", schema + ".Mixed", schema + ".kept");
    assertThat(facts.tables().get("Mixed").types())
        .containsEntry("id", "bigint")
        .containsEntry("paid", "tinyint(1)")
        .containsEntry("state", "enum");
    assertThat(facts.tables().get("Mixed").indexes()).contains(List.of("note"));
    assertThat(facts.tables().get(schema + ".kept").foreignKeys().get(0).table())
        .isEqualTo(schema + ".Mixed");
    assertThat(facts.statistics().get("kept").bytes()).isPositive();
  }

  @Test
  void open_mysqlUrl_isReadByTheDriverThatIsThere() throws SQLException {
    execute("CREATE TABLE t (id INT PRIMARY KEY)");

    try (LiveDatabase live =
        LiveDatabase.open(
            url().replace("jdbc:mariadb:", "jdbc:mysql:"),
            Optional.of(SERVER.user()),
            Optional.of(SERVER.password()),
            Optional.empty())) {
      assertThat(names(live.read())).contains("t");
    }
  }
}
