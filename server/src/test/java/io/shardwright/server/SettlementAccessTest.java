package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.query.GatewayDirectory;
import io.shardwright.server.TestingGateway.Answer;
import io.shardwright.server.TestingGateway.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What callers of different rights see of settlements. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SettlementAccessTest {
  private Path directory;
  private TestingGateway gateway;

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeAll
  void open() throws IOException, SQLException {
    directory = Files.createTempDirectory("settlements");
    String query =
        SettlementContract.query(directory)
            .replace("buyer_id, note,", "buyer_id,")
            .replace("order: [amount_cent, note]", "mask: [note]");
    gateway =
        new TestingGateway(
            Kind.POSTGRESQL,
            2,
            query
                + """
                  roles:
                    ops: {unmasked: true, exports: true}
                    clerk: {exports: true}
                    seller: {rows: 100}
                  tokens:
                    - {name: olga, hash: "sha256:%s", role: ops}
                    - {name: carl, hash: "sha256:%s", role: clerk}
                    - {name: seller-1, hash: "sha256:%s", role: seller, where: {seller_id: 1}}
                """
                    .formatted(hash("T-ops"), hash("T-clerk"), hash("T-seller")));
    try (Connection connection = gateway.source().getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO orders (order_id, buyer_id, seller_id, status, note, created_at,"
                    + " settled_at) VALUES (?, ?, ?, 1, '4111222233334444', now(),"
                    + " '2011-11-01T10:00:00Z')")) {
      for (int i = 0; i < 10; i++) {
        insert.setLong(1, i);
        insert.setLong(2, i);
        insert.setLong(3, i % 2);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterAll
  void close() {
    gateway.close();
    GatewayDirectory.delete(directory);
  }

  private Answer ask(String token) {
    return gateway.query(
        """
        {"table": "orders", "select": ["order_id", "note"], "consistency": "settlement",
         "time": {"column": "settled_at", "from": "2011-11-01T00:00:00Z",
                  "to": "2011-11-02T00:00:00Z"}}
        """,
        token);
  }

  @Test
  void rightsHoldAndDigestsTellNothing() {
    Answer ops = ask("T-ops");
    assertThat(ops.status()).as("%s", ops.body()).isEqualTo(200);
    JsonNode made = ops.body().get("settlement");
    assertThat(made.get("rows").asInt()).isEqualTo(10);
    assertThat(made.get("sha256").asText()).hasSize(64);

    Answer clerk = ask("T-clerk");
    assertThat(clerk.status()).as("%s", clerk.body()).isEqualTo(200);
    assertThat(clerk.body().get("settlement").get("id")).isEqualTo(made.get("id"));
    assertThat(clerk.body().get("settlement").get("sha256").isNull()).isTrue();
    assertThat(clerk.body().toString()).doesNotContain("4111").contains("****4444");
    assertThat(clerk.body().findValues("sha256")).allMatch(JsonNode::isNull);

    Answer seller = ask("T-seller");
    assertThat(seller.code()).isEqualTo("SW812");
    assertThat(seller.message()).contains("set exports: true");
    Answer token =
        gateway.query(
            """
            {"table": "orders", "select": ["order_id"], "consistency": "settlement",
             "writeToken": "nonsense",
             "time": {"column": "settled_at", "from": "2011-11-01T00:00:00Z",
                      "to": "2011-11-02T00:00:00Z"}}
            """,
            "T-ops");
    assertThat(token.code()).isEqualTo("SW801");
    assertThat(token.message()).contains("/writeToken");
  }
}
