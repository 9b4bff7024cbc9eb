package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.testkit.EmbeddedPostgresServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class PostgresCatalogFailureTest extends CatalogFailureContract {
  @Override
  String newDatabase() {
    return EmbeddedPostgresServer.shared().createDatabase("catalog");
  }

  @Override
  int port() {
    return EmbeddedPostgresServer.shared().port();
  }

  @Override
  void endConnections() throws SQLException {
    TestingConfiguration.execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  }

  @Test
  void load_urlThatNoDriverAccepts_isShownWithoutParameters() {
    Endpoint odd = new Endpoint("jdbc:postgresql://h:99999/d?sslpassword=hunter2", "app", "");

    ShardwrightException e = failure(new JdbcCatalog(configuration, odd)::load);

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
    assertThat(e).hasMessageContaining("Unable to parse URL jdbc:postgresql://h:99999/d");
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      assertThat(cause).hasMessageNotContaining("hunter2");
    }
  }
}
