package io.shardwright.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.catalog.Catalog;
import io.shardwright.catalog.TestingConfiguration;
import io.shardwright.config.Configuration;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What apply lets the mover's role do on PostgreSQL. */
class MoverGrantsTest {
  private static final String ROLES =
      """
      DO $$ DECLARE role text; BEGIN
        FOREACH role IN ARRAY ARRAY['grants-mover', 'grants_owner', 'grants_stranger'] LOOP
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I LOGIN PASSWORD ''secret-of-role''', role);
          END IF;
        END LOOP;
      END $$\
      """;

  /** To whom all tables of the shard and their schema shall belong. */
  private static final String TO_OWNER =
      """
      DO $$ DECLARE r record; BEGIN
        EXECUTE format('ALTER SCHEMA %I OWNER TO grants_owner', current_schema());
        FOR r IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
          EXECUTE format('ALTER TABLE %I OWNER TO grants_owner', r.tablename);
        END LOOP;
        ALTER SEQUENCE apart OWNER TO grants_owner;
      END $$\
      """;

  private static final String GROUPS =
      """
      groups:
        shop:
          key: [buyer]
          buckets: 16
          indexes: {by_note: {table: notes, columns: [note], unique: false}}
          tables:
            orders: {unique: {orders_pkey: id}}
            notes: {unique: {notes_pkey: id}}
      mover: {user: %s, password: secret-of-role}
      """;

  private final List<Connection> opened = new ArrayList<>();
  private OrderShards shards;

  @BeforeEach
  void createShards() throws SQLException {
    TestingConfiguration.execute(EmbeddedPostgresServer.shared().url("postgres"), ROLES);
    shards = OrderShards.create(2).withCatalog().everywhere(PostgresFenceTest.TABLES);
    shards.everywhere(
        "CREATE SEQUENCE apart; ALTER TABLE orders ALTER amount SET DEFAULT nextval('apart')");
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection connection : opened) {
      connection.close();
    }
  }

  private static String groups(String mover) {
    return GROUPS.formatted(mover);
  }

  private Connection login(String role) throws SQLException {
    Connection connection =
        DriverManager.getConnection(shards.shards().get(0), role, "secret-of-role");
    opened.add(connection);
    return connection;
  }

  private List<String> give(Connection connection, String mover) throws SQLException {
    Configuration configuration = shards.configuration(groups(mover));
    Findings findings = new Findings();
    try (Catalog catalog = Catalog.open(configuration)) {
      new MoverGrants(configuration, new ShardId("s0"), connection, findings)
          .give(
              FencedTable.read(connection, configuration, catalog.load()), new ShardObjects.Log());
    }
    assertThat(findings.problems()).isEmpty();
    return findings.warnings().stream().map(Finding::toString).collect(Collectors.toList());
  }

  @Test
  void apply_moverOfItsOwn_mayDoWhatMovesNeedAndNoMore() throws SQLException {
    ApplyReport first = shards.applyWith(groups("grants-mover"));
    assertThat(first.problems()).isEmpty();
    assertThat(first.created()).contains("shard s0: rights of role grants-mover");

    Connection mover = login("grants-mover");
    FenceFixture.run(
        mover,
        "CREATE TEMPORARY TABLE stage (LIKE orders)",
        "INSERT INTO orders (bucket_id, order_id, buyer) VALUES (5, 1, 1)",
        "INSERT INTO notes (bucket_id, buyer) VALUES (5, 1)",
        "UPDATE notes SET note = 'moved'",
        "SELECT setval(pg_get_serial_sequence('notes', 'n'), 100), setval('apart', 100)",
        "SELECT setval(pg_get_serial_sequence('shardwright_capture_orders', 'n'), 100)",
        "SELECT setval(pg_get_serial_sequence('shardwright_outbox_shop_by_note', 'n'), 100)",
        "DELETE FROM shardwright_capture_orders",
        "INSERT INTO shardwright_entry_shop_by_note SELECT * FROM shardwright_entry_shop_by_note",
        "UPDATE shardwright_bucket SET state = 'closed' WHERE bucket = 5",
        "SELECT * FROM shardwright_shard",
        "DELETE FROM orders");
    for (String more :
        List.of(
            "UPDATE shardwright_shard SET shard = 's1'",
            "DELETE FROM shardwright_bucket",
            "SELECT * FROM shardwright_outbox_shop_by_note",
            "TRUNCATE notes",
            "DROP TABLE notes")) {
      assertThat(FenceFixture.failure(mover, more).getSQLState()).as(more).isEqualTo("42501");
    }

    ApplyReport second = shards.applyWith(groups("grants-mover"));
    assertThat(second.created()).isEmpty();
    assertThat(second.warnings().toString()).doesNotContain("grants-mover");
  }

  @Test
  void apply_roleThatIsNotThere_saysHowToMakeItWithoutThePassword() {
    ApplyReport report = shards.applyWith(groups("nobody-moves"));

    assertThat(report.problems()).isEmpty();
    assertThat(report.warnings())
        .anySatisfy(
            warning ->
                assertThat(warning.toString())
                    .contains("no role nobody-moves", "run CREATE ROLE \"nobody-moves\" LOGIN")
                    .doesNotContain("secret-of-role"));
  }

  @Test
  void give_ownerWhoIsNoSuperuser_needsNoHelpAndAStrangerNamesTheStatements() throws SQLException {
    assertThat(shards.applyWith(groups("grants-mover")).problems()).isEmpty();
    shards.on(0, TO_OWNER);
    shards.on(0, "GRANT USAGE ON SCHEMA " + schema() + " TO grants_stranger");
    shards.on(0, "GRANT SELECT ON ALL TABLES IN SCHEMA " + schema() + " TO grants_stranger");

    assertThat(give(login("grants_stranger"), "grants_stranger"))
        .singleElement()
        .asString()
        .contains(
            "may not give role grants_stranger",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema() + ".orders TO grants_stranger",
            "GRANT SELECT, UPDATE ON " + schema() + ".shardwright_bucket TO grants_stranger");
    assertThat(give(login("grants_owner"), "grants_stranger")).isEmpty();
    assertThat(give(login("grants_stranger"), "grants_stranger")).isEmpty();
  }

  private String schema() throws SQLException {
    return shards.query(0, "SELECT current_schema()").get(0);
  }
}
