package io.shardwright.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.shardwright.server.TestingGateway.Kind;
import io.shardwright.server.TestingGateway.Row;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Clients that are slow hold up nobody else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsTest {
  /** More than the server has threads. */
  private static final int CLIENTS = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String BODY =
      """
      {"table": "orders", "select": ["order_id"],
       "time": {"column": "created_at", "from": "2011-11-01T00:00:00Z",
                "to": "2011-11-02T00:00:00Z"}}
      """;

  private final List<Socket> sockets = new ArrayList<>();
  private TestingGateway gateway;

  @BeforeAll
  void open() {
    gateway = new TestingGateway(Kind.POSTGRESQL, 1, TestingGateway.QUERY);
    Instant created = Instant.parse("2011-11-01T00:00:00Z");
    gateway.insert(List.of(new Row(1, 1, 1, 1, 1L, null, created, null)));
  }

  @AfterAll
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    gateway.close();
  }

  /** The first bytes of a request. */
  private Socket begin(String first) throws IOException {
    Socket socket = new Socket("localhost", gateway.port());
    sockets.add(socket);
    socket.getOutputStream().write(first.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return socket;
  }

  private static String head(int length) {
    return "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: "
        + length
        + "\r\n\r\n";
  }

  @Test
  void requestsThatDoNotEndHoldUpNobodyAndAreEnded() {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          List<Socket> slow = new ArrayList<>();
          for (int i = 0; i < CLIENTS; i++) {
            slow.add(begin(i % 2 == 0 ? head(BODY.length()) + "{\"table\"" : "POST /v1/que"));
          }

          assertThat(gateway.query(BODY).ids()).containsExactly(1L);
          // The query gives its place back after it was answered; none of the others has one, or
          // it would until its connection is closed for standing still.
          assertTimeoutPreemptively(
              Duration.ofSeconds(5),
              () -> {
                while (gateway.running() > 0) {
                  Thread.onSpinWait();
                }
              });

          for (Socket socket : slow) {
            byte[] answer = socket.getInputStream().readAllBytes();
            String text = new String(answer, StandardCharsets.UTF_8);
            assertThat(text)
                .satisfiesAnyOf(
                    none -> assertThat(none).isEmpty(),
                    refused -> assertThat(refused).startsWith("HTTP/1.1 4"));
          }
        });
  }

  @Test
  void requestThatComesInPiecesIsAnswered() {
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          Socket socket = begin("POST /v1/query HT");
          for (String piece :
              (head(BODY.length()) + BODY)
                  .substring("POST /v1/query HT".length())
                  .split("(?<=\n)", -1)) {
            socket.getOutputStream().write(piece.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
          }
          byte[] begin = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
          assertThat(new String(begin, StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 200");
        });
  }
}
