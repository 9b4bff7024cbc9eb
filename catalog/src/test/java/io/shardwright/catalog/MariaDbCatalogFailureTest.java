package io.shardwright.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.testkit.EmbeddedMariaDbServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MariaDbCatalogFailureTest extends CatalogFailureContract {
  @Override
  String newDatabase() {
    return EmbeddedMariaDbServer.shared().createDatabase("catalog");
  }

  @Override
  int port() {
    return EmbeddedMariaDbServer.shared().port();
  }

  @Override
  void endConnections() throws SQLException {
    for (String id :
        TestingConfiguration.query(
            url,
            "SELECT id FROM information_schema.processlist"
                + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
      TestingConfiguration.execute(url, "KILL " + id);
    }
  }

  @Test
  void load_withoutRightToTheDatabase_isALoginFailure() throws SQLException {
    TestingConfiguration.execute(url, "CREATE OR REPLACE USER stranger IDENTIFIED BY 'hunter2'");
    JdbcCatalog catalog = new JdbcCatalog(configuration, new Endpoint(url, "stranger", "hunter2"));

    ShardwrightException e = failure(catalog::load);

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_LOGIN_FAILED);
    assertThat(e).hasMessageContaining("stranger").hasMessageNotContaining("hunter2");
  }

  @Test
  void load_urlThatNoDriverAccepts_isShownWithoutParameters() {
    Endpoint odd =
        new Endpoint("jdbc:mariadb://h:x1/d?serverSslCert=hunter2&restrictedAuth=%", "app", "");

    ShardwrightException e = failure(new JdbcCatalog(configuration, odd)::load);

    assertThat(e.code()).isEqualTo(ErrorCode.CATALOG_UNAVAILABLE);
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      assertThat(cause).hasMessageNotContaining("hunter2");
    }
  }
}
