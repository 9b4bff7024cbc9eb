package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.testkit.TcpProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The catalog is down, does not answer, refuses the login or loses the answer to a commit. */
abstract class CatalogFailureContract extends CatalogFixture {
  /** Ends all connections to the database but the one that runs it. */
  abstract void endConnections() throws SQLException;

  abstract int port();

  @Test
  void load_serverDown_isUnavailable() {
    String down = url.replaceAll(":[0-9]+/.*", ":1/nothing");

    ShardwrightException e = failure(() -> open(configuration(down, GROUPS)).load());

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
    assertThat(e).hasMessageContaining("the catalog at " + down + " cannot be used");
  }

  @Test
  void load_wrongPassword_isALoginFailureWithoutIt() {
    Endpoint wrong = new Endpoint(url, "app", "hunter2");
    JdbcCatalog catalog = new JdbcCatalog(configuration, wrong);

    ShardwrightException e = failure(catalog::load);

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_LOGIN_FAILED);
    assertThat(e).hasMessageContaining(url).hasMessageNotContaining("hunter2");
  }

  @Test
  void load_afterTheConnectionBroke_usesANewOne() throws SQLException {
    install(configuration);
    Catalog catalog = open();
    CatalogState state = catalog.load();
    endConnections();

    assertThat(catalog.loadIfNewer(state)).isEmpty();
  }

  @Test
  void load_serverThatDoesNotAnswer_endsAtTheSocketTimeout() throws SQLException {
    install(configuration);
    try (TcpProxy proxy = new TcpProxy("127.0.0.1", port())) {
      Endpoint real = configuration.catalog().orElseThrow();
      Endpoint proxied =
          new Endpoint(
              real.url().replace(":" + port(), ":" + proxy.port()), real.user(), real.password());
      DatabaseLogin hasty =
          new DatabaseLogin(Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofSeconds(1));
      JdbcCatalog catalog = new JdbcCatalog(configuration, proxied, () -> hasty.open(proxied));
      opened.add(catalog);
      CatalogState state = catalog.load();

      proxy.stall();
      assertThat(code(() -> catalog.loadIfNewer(state))).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
      proxy.heal();

      assertThat(catalog.loadIfNewer(state)).isEmpty();
    }
  }

  @Test
  void publish_behindALock_endsAtTheStatementTimeout() throws SQLException {
    install(configuration);
    Endpoint endpoint = configuration.catalog().orElseThrow();
    DatabaseLogin hasty =
        new DatabaseLogin(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(5));
    JdbcCatalog catalog = catalog(() -> hasty.open(endpoint));
    CatalogState before = catalog.load();
    try (Connection rival = TestingConfiguration.connect(url);
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("SELECT name FROM shardwright_group FOR UPDATE");

      assertThat(code(() -> catalog.publish(move(before), "x")))
          .isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
    }
    assertThat(catalog.loadIfNewer(before)).isEmpty();
  }

  @Test
  void load_afterClose_isRefused() throws SQLException {
    install(configuration);
    Catalog catalog = open();
    catalog.load();
    catalog.close();

    assertThat(code(catalog::load)).isEqualTo(ErrorCode.CONNECTION_CLOSED);
  }

  @Test
  void publish_commitLostAfterItWasDone_succeeds() throws SQLException {
    install(configuration);
    LosingConnections lost = new LosingConnections(configuration, Connection::commit);
    JdbcCatalog catalog = catalog(lost);

    BucketMap next = move(open().load());

    assertThat(catalog.publish(next, "x")).isSameAs(next);
    assertThat(lost.commits()).isEqualTo(1);
    assertSame(catalog.load().maps().get("g"), next);
  }

  @Test
  void publish_commitLostBeforeItWasDone_changesNothing() throws SQLException {
    install(configuration);
    JdbcCatalog catalog = catalog(new LosingConnections(configuration, Connection::rollback));
    CatalogState before = open().load();

    ShardwrightException e = failure(() -> catalog.publish(move(before), "x"));

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
    assertThat(e).hasMessageContaining("nothing was changed");
    assertThat(catalog.loadIfNewer(before)).isEmpty();
  }

  @Test
  void publish_commitLostAndAnotherWon_isAConflict() throws SQLException {
    install(configuration);
    CatalogState before = open().load();
    JdbcCatalog catalog =
        catalog(
            new LosingConnections(
                configuration,
                connection -> {
                  connection.rollback();
                  open().publish(move(before), "rival");
                }));

    assertThat(code(() -> catalog.publish(move(before), "x")))
        .isEqualTo(ErrorCode.CATALOG_CONFLICT);
  }

  @Test
  void publish_commitLostAndCatalogGone_isOfUnknownOutcome() throws SQLException {
    install(configuration);
    LosingConnections lost = new LosingConnections(configuration, Connection::commit);
    JdbcCatalog catalog = catalog(lost);
    BucketMap next = move(open().load());
    lost.refuseAfterTheFirst();

    assertThat(code(() -> catalog.publish(next, "x"))).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
  }
}
