package io.shardwright.bench.compare;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a PostgreSQL server and counts what the client sends, so that the
 * count is exact whatever the client is made of. A statement is a Bind or a simple Query, but not
 * of BEGIN, COMMIT and the like. A round trip begins when the client sends something after the
 * server has: what a client sends at once is one, and is passed on at once, so that no answer comes
 * between its parts. Thread-safe.
 *
 * <p>The protocol: "Frontend/Backend Protocol" in PostgreSQL's manual. A message is a letter, a
 * length that includes itself, and a body; the first ones of a connection have no letter.
 */
final class WireCounter implements AutoCloseable {
  private static final int MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int PASSWORD = 'p';
  private static final int TERMINATE = 'X';
  private static final Set<String> CONTROL = Set.of("BEGIN", "COMMIT", "ROLLBACK", "SET", "SHOW");

  private final int serverPort;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> used = ConcurrentHashMap.newKeySet();
  private final AtomicLong statements = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();

  WireCounter(int serverPort) {
    this.serverPort = serverPort;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("count-accept", this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  long statements() {
    return statements.get();
  }

  long roundTrips() {
    return roundTrips.get();
  }

  /** Connections that sent something since {@link #forgetConnections}. */
  long connectionsUsed() {
    return used.size();
  }

  void forgetConnections() {
    used.clear();
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(server);
        AtomicBoolean answered = new AtomicBoolean();
        start("count-requests", () -> forwardRequests(client, server, answered));
        start("count-answers", () -> forwardAnswers(server, client, answered));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void forwardRequests(Socket client, Socket server, AtomicBoolean answered) {
    try (client;
        server) {
      countRequests(
          new DataInputStream(new BufferedInputStream(client.getInputStream(), BUFFER_BYTES)),
          new DataOutputStream(new BufferedOutputStream(server.getOutputStream(), BUFFER_BYTES)),
          client,
          answered);
    } catch (IOException e) {
      // One of both is gone; so is the other now.
    } finally {
      sockets.remove(client);
      sockets.remove(server);
    }
  }

  private static void forwardAnswers(Socket server, Socket client, AtomicBoolean answered) {
    byte[] bytes = new byte[BUFFER_BYTES];
    try (server;
        client) {
      InputStream in = server.getInputStream();
      for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
        answered.set(true);
        client.getOutputStream().write(bytes, 0, length);
      }
    } catch (IOException e) {
      // One of both is gone; so is the other now.
    }
  }

  private void countRequests(
      DataInputStream in, DataOutputStream out, Socket connection, AtomicBoolean answered)
      throws IOException {
    int code;
    do {
      int length = in.readInt();
      byte[] body = body(in, length);
      code = ByteBuffer.wrap(body).getInt();
      out.writeInt(length);
      out.write(body);
      out.flush();
    } while (code == SSL_REQUEST || code == GSS_REQUEST);
    Map<String, Boolean> control = new HashMap<>();
    for (int letter = in.read(); letter >= 0; letter = in.read()) {
      int length = in.readInt();
      byte[] body = body(in, length);
      if (letter != PASSWORD && letter != TERMINATE) {
        used.add(connection);
        if (answered.getAndSet(false)) {
          roundTrips.incrementAndGet();
        }
        count(letter, body, control);
      }
      out.write(letter);
      out.writeInt(length);
      out.write(body);
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  private static byte[] body(DataInputStream in, int length) throws IOException {
    if (length < 4 || length > MESSAGE_BYTES_MAX) {
      throw new IOException("a message of " + length + " bytes");
    }
    byte[] body = new byte[length - 4];
    in.readFully(body);
    return body;
  }

  private void count(int letter, byte[] body, Map<String, Boolean> control) {
    if (letter == 'P') {
      String name = text(body, 0);
      control.put(name, isControl(text(body, end(body, 0) + 1)));
    } else if (letter == 'B') {
      if (!control.getOrDefault(text(body, end(body, 0) + 1), false)) {
        statements.incrementAndGet();
      }
    } else if (letter == 'Q' && !isControl(text(body, 0))) {
      statements.incrementAndGet();
    }
  }

  private static int end(byte[] body, int from) {
    int end = from;
    while (body[end] != 0) {
      end++;
    }
    return end;
  }

  private static String text(byte[] body, int from) {
    return new String(body, from, end(body, from) - from, StandardCharsets.UTF_8);
  }

  private static boolean isControl(String sql) {
    String first = sql.strip().split("[\\s;]", 2)[0];
    return CONTROL.contains(first.toUpperCase(Locale.ROOT));
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
