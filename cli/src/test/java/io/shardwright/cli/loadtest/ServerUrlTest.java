package io.shardwright.cli.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerUrlTest {
  @Test
  void withDatabase_keepsParameters_butTheSchema() {
    assertThat(
            ServerUrl.withDatabase(
                "jdbc:postgresql://db.example/shop?sslmode=require&currentSchema=app&a=1", "other"))
        .isEqualTo("jdbc:postgresql://db.example:5432/other?sslmode=require&a=1");
    assertThat(ServerUrl.withDatabase("jdbc:mariadb://[::1]:3307/shop", "other"))
        .isEqualTo("jdbc:mariadb://[::1]:3307/other");
    assertThat(ServerUrl.withDatabase("jdbc:mysql://h/shop?currentSchema=a", "other"))
        .isEqualTo("jdbc:mysql://h:3306/other");
  }

  @Test
  void throughPort_isAnotherWayToTheSameDatabase() {
    assertThat(ServerUrl.throughPort("jdbc:postgresql://db:6000/shop?a=1", 7))
        .isEqualTo("jdbc:postgresql://127.0.0.1:7/shop?a=1");
  }

  @Test
  void of_urlsOfSeveralServersOrNone_isEmpty() {
    assertThat(ServerUrl.of("jdbc:postgresql://a:1,b:2/db")).isEmpty();
    assertThat(ServerUrl.of("jdbc:postgresql:db")).isEmpty();
    assertThat(ServerUrl.of("jdbc:mariadb:replication://a,b/db")).isEmpty();
  }

  @Test
  void checksHost_whereTheDriverComparesTheCertificate() {
    assertThat(
            ServerUrl.of("jdbc:postgresql://a/db?sslmode=verify-full").orElseThrow().checksHost())
        .isTrue();
    assertThat(ServerUrl.of("jdbc:mariadb://a/db?sslMode=VERIFY_FULL").orElseThrow().checksHost())
        .isTrue();
    assertThat(ServerUrl.of("jdbc:postgresql://a/db?sslmode=verify-ca").orElseThrow().checksHost())
        .isFalse();
  }
}
