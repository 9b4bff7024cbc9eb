package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shardwright.catalog.CatalogInstaller.Installed;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A catalog database of its own for each test, and catalogs that are closed after it. */
abstract class CatalogFixture {
  static final String GROUPS =
      "groups: {g: {key: [a, b], buckets: 16, tables: {t: }}, h: {key: [k], buckets: 2,"
          + " tables: {u: }}}";
  static final ShardId S0 = new ShardId("s0");
  static final ShardId S1 = new ShardId("s1");

  final List<Catalog> opened = new ArrayList<>();
  String url;
  Configuration configuration;

  /** The url of an empty database. */
  abstract String newDatabase();

  @BeforeEach
  void createDatabase() {
    url = newDatabase();
    configuration = configuration(url, GROUPS);
  }

  @AfterEach
  void closeCatalogs() {
    opened.forEach(Catalog::close);
  }

  static Configuration configuration(String catalogUrl, String groups) {
    return TestingConfiguration.of(
        catalogUrl, List.of("jdbc:postgresql://h0/d", "jdbc:postgresql://h1/d"), groups);
  }

  Installed install(Configuration as) throws SQLException {
    try (Connection connection = DatabaseLogin.SHORT.open(as.catalog().orElseThrow())) {
      return CatalogInstaller.install(connection, as);
    }
  }

  Catalog open() {
    return open(configuration);
  }

  Catalog open(Configuration as) {
    Catalog catalog = Catalog.open(as);
    opened.add(catalog);
    return catalog;
  }

  JdbcCatalog catalog(JdbcCatalog.ConnectionSource source) {
    JdbcCatalog catalog =
        new JdbcCatalog(configuration, configuration.catalog().orElseThrow(), source);
    opened.add(catalog);
    return catalog;
  }

  static BucketMap move(CatalogState state) {
    return state.maps().get("g").withMoved(List.of(new BucketId(5), new BucketId(9)), S1);
  }

  static void assertSame(BucketMap actual, BucketMap expected) {
    assertThat(actual.version()).isEqualTo(expected.version());
    assertThat(MapRange.of(actual)).isEqualTo(MapRange.of(expected));
  }

  static ShardwrightException failure(ThrowingCallable call) {
    return catchThrowableOfType(ShardwrightException.class, call);
  }

  static ErrorCode code(ThrowingCallable call) {
    return failure(call).code();
  }
}
