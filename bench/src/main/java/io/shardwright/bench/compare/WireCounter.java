package io.shardwright.bench.compare;

import io.shardwright.bench.compare.WireProtocol.Message;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a server and counts what the client sends, so that the count is exact
 * whatever the client is made of. A round trip is a request after which the client waits; requests
 * that it sends one behind the other without an answer between them are one. Thread-safe.
 */
final class WireCounter implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final Database database;
  private final int serverPort;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> used = ConcurrentHashMap.newKeySet();
  private final AtomicLong statements = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();

  WireCounter(Database database, int serverPort) {
    this.database = database;
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
    WireProtocol protocol = database.protocol();
    for (Message message = protocol.pass(in, out);
        message != Message.END;
        message = protocol.pass(in, out)) {
      if (message != Message.ASIDE) {
        used.add(connection);
      }
      if (message.isRequest() && answered.getAndSet(false)) {
        roundTrips.incrementAndGet();
      }
      if (message.isStatement()) {
        statements.incrementAndGet();
      }
      if (in.available() == 0) {
        out.flush();
      }
    }
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
