package io.shardwright.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class TcpProxyTest {
  private static final int SHORT_MILLIS = 150;

  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void startEcho() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(
        () -> {
          while (true) {
            Socket peer = echo.accept();
            daemon(() -> peer.getInputStream().transferTo(peer.getOutputStream()), peer);
          }
        },
        echo);
    proxy = new TcpProxy("127.0.0.1", echo.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    echo.close();
  }

  @Test
  void forwards_bytesBothWays() throws IOException {
    try (Socket client = connect()) {
      assertThat(exchange(client, 'x')).isEqualTo('x');
      assertThat(proxy.connections()).isOne();
    }
  }

  @Test
  void halfClose_deliversTheRestAndEnds() throws IOException {
    try (Socket client = connect()) {
      byte[] sent = new byte[300_000];
      sent[299_999] = 5;
      daemon(
          () -> {
            client.getOutputStream().write(sent);
            client.shutdownOutput();
          },
          () -> {});

      assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
    }
  }

  @Test
  void cut_resetsWhatIsOpenAndAcceptsNew() throws IOException {
    try (Socket client = connect()) {
      exchange(client, 'x');
      proxy.cut();

      assertThatThrownBy(() -> exchange(client, 'y')).isInstanceOf(IOException.class);
      try (Socket next = connect()) {
        assertThat(exchange(next, 'z')).isEqualTo('z');
      }
    }
  }

  @Test
  void refuse_resetsNewConnectionsOnly_untilHealed() throws IOException {
    try (Socket old = connect()) {
      exchange(old, 'a');
      proxy.refuse();

      assertThatThrownBy(
              () -> {
                try (Socket client = connect()) {
                  exchange(client, 'b');
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(exchange(old, 'c')).isEqualTo('c');

      proxy.heal();
      try (Socket client = connect()) {
        assertThat(exchange(client, 'd')).isEqualTo('d');
      }
    }
  }

  @Test
  void stall_holdsBytesBack_andHealDeliversThem() throws IOException {
    try (Socket client = connect()) {
      exchange(client, 'a');
      proxy.stall();
      client.getOutputStream().write('b');
      client.setSoTimeout(SHORT_MILLIS);
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      client.setSoTimeout(0);

      proxy.heal();

      assertThat(client.getInputStream().read()).isEqualTo('b');
    }
  }

  @Test
  void delay_postponesEachDirection() throws IOException {
    try (Socket client = connect()) {
      exchange(client, 'a');
      proxy.delay(Duration.ofMillis(SHORT_MILLIS));
      long start = System.nanoTime();

      assertThat(exchange(client, 'b')).isEqualTo('b');

      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(2 * SHORT_MILLIS));
    }
  }

  @Test
  void close_cutsAndFreesThePort() throws IOException {
    try (Socket client = connect()) {
      exchange(client, 'a');
      proxy.close();

      assertThatThrownBy(() -> exchange(client, 'b')).isInstanceOf(IOException.class);
      // Another process may listen there by now, so what a connection would meet says nothing.
      assertThat(proxy.isListening()).isFalse();
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
  }

  private static int exchange(Socket client, int sent) throws IOException {
    client.getOutputStream().write(sent);
    InputStream in = client.getInputStream();
    int received = in.read();
    if (received < 0) {
      throw new IOException("closed");
    }
    return received;
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work, AutoCloseable end) {
    Thread thread =
        new Thread(
            () -> {
              try (end) {
                work.run();
              } catch (Exception e) {
                // The test has closed the socket.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
