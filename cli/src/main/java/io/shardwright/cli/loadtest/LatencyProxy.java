package io.shardwright.cli.loadtest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The way to a server, which can be made slow and cut. What the server says is late by the delay,
 * what it is told is not, so that an exchange takes one delay longer. Thread-safe.
 */
final class LatencyProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int BACKLOG = 64;
  private static final int CONNECT_MILLIS_MAX = 5_000;

  private final String host;
  private final int port;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile long delayNanos;
  private volatile boolean down;

  /** Listens on a free port of the loopback interface. */
  LatencyProxy(ServerUrl server) {
    this.host = server.host();
    this.port = server.port();
    try {
      listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void delay(Duration time) {
    delayNanos = time.toNanos();
  }

  /** Ends all connections and refuses new ones. */
  void cut() {
    down = true;
    sockets.forEach(LatencyProxy::close);
  }

  void heal() {
    delayNanos = 0;
    down = false;
  }

  @Override
  public void close() {
    cut();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (down) {
          close(client);
        } else {
          start(() -> connect(client));
        }
      } catch (IOException e) {
        // Closed, or one connection less.
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    sockets.add(client);
    sockets.add(server);
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(new InetSocketAddress(host, port), CONNECT_MILLIS_MAX);
    } catch (IOException e) {
      end(client, server);
      return;
    }
    if (down) {
      end(client, server);
      return;
    }
    start(() -> forward(client, server, false));
    start(() -> forward(server, client, true));
  }

  private void forward(Socket from, Socket to, boolean late) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        if (late) {
          holdBack(System.nanoTime());
        }
        out.write(buffer, 0, length);
      }
    } catch (IOException e) {
      // The other side is told by the end of its own connection.
    } finally {
      end(from, to);
    }
  }

  private void holdBack(long since) {
    for (long left = delayNanos; left > 0; left = since + delayNanos - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, Duration.ofMillis(20).toNanos()));
    }
  }

  private void end(Socket one, Socket other) {
    sockets.remove(one);
    sockets.remove(other);
    close(one);
    close(other);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "loadtest-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
