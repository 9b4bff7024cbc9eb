package io.shardwright.schema;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Forwards connections until the client has sent a number of chunks on all of them together, then
 * ends them all and accepts no more: to the server the client has died. The last chunk is forwarded
 * before, without an answer, or not at all.
 */
final class CrashingProxy implements AutoCloseable {
  private final int target;
  private final boolean lastArrives;
  private final AtomicInteger left;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  CrashingProxy(int target, int chunks, boolean lastArrives) throws IOException {
    this.target = target;
    this.lastArrives = lastArrives;
    this.left = new AtomicInteger(chunks);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(server);
      start(() -> forward(client, server, true));
      start(() -> forward(server, client, false));
    }
  }

  private void forward(Socket from, Socket to, boolean counted) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    InputStream in = from.getInputStream();
    for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
      boolean last = counted && left.decrementAndGet() <= 0;
      if (!last || lastArrives) {
        to.getOutputStream().write(buffer, 0, length);
      }
      if (last) {
        close();
        return;
      }
    }
    from.close();
    to.close();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The connection has ended, which is what this class is for.
              }
            },
            "crashing-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
