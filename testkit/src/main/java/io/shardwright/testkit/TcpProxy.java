package io.shardwright.testkit;

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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Forwards TCP connections to a server, and misbehaves on request. Thread-safe.
 *
 * <p>Fault model: connections are reset at once ({@link #refuse}, {@link #cut}); bytes of both
 * directions are held back, then delivered in order ({@link #stall}, {@link #delay}). Bytes are
 * never lost, changed or reordered within a living connection, since TCP does not do that either. A
 * statement that was sent before {@link #cut} may or may not have been executed: that is the
 * unknown outcome.
 */
public final class TcpProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int CONNECT_MILLIS_MAX = 5_000;

  private final InetSocketAddress target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock.
  private boolean refusing;
  private boolean stalled;
  private Duration delay = Duration.ZERO;
  private boolean closed;
  private volatile Runnable beforeRequest = () -> {};

  /** Listens on a free port of the loopback interface. */
  public TcpProxy(String host, int port) {
    target = new InetSocketAddress(host, port);
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("accept", this::acceptAll);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** New connections are reset at once, before a byte is read. Existing ones go on. */
  public void refuse() {
    change(() -> refusing = true);
  }

  /** Resets all existing connections, both sides. New ones are accepted. */
  public void cut() {
    sockets.forEach(TcpProxy::reset);
  }

  /** Nothing is forwarded, on old and new connections, until {@link #heal}. */
  public void stall() {
    change(() -> stalled = true);
  }

  /** Each chunk read, in either direction, is forwarded {@code time} later. */
  public void delay(Duration time) {
    change(() -> delay = time);
  }

  /**
   * Runs before each chunk of a client is forwarded, on that connection's thread. What is cut by
   * then does not reach the server: so a test can let a client die before its nth message.
   */
  public void beforeRequest(Runnable hook) {
    beforeRequest = hook;
  }

  /** Ends refusing, stalling and delaying; what was held back is forwarded now. */
  public void heal() {
    change(
        () -> {
          refusing = false;
          stalled = false;
          delay = Duration.ZERO;
        });
  }

  /** Connections that are open now. */
  public int connections() {
    return sockets.size() / 2;
  }

  boolean isListening() {
    return !listener.isClosed();
  }

  @Override
  public void close() {
    change(() -> closed = true);
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void acceptAll() {
    while (true) {
      try {
        Socket client = listener.accept();
        if (refusesNow()) {
          reset(client);
        } else {
          start("connect", () -> connect(client));
        }
      } catch (IOException e) {
        if (listener.isClosed()) {
          return;
        }
        throw new UncheckedIOException(e);
      }
    }
  }

  private boolean refusesNow() {
    lock.lock();
    try {
      return refusing || closed;
    } finally {
      lock.unlock();
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(target, CONNECT_MILLIS_MAX);
    } catch (IOException e) {
      reset(client);
      reset(server);
      return;
    }
    sockets.add(client);
    sockets.add(server);
    if (refusesNow()) {
      end(client, server);
      return;
    }
    start("up", () -> forward(client, server, () -> beforeRequest.run()));
    start("down", () -> forward(server, client, () -> {}));
  }

  private void forward(Socket from, Socket to, Runnable before) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        before.run();
        holdBack();
        out.write(buffer, 0, length);
        out.flush();
      }
      holdBack();
      to.shutdownOutput();
      if (from.isOutputShutdown()) {
        // Both directions have ended; a reset could still destroy bytes under way.
        sockets.remove(from);
        sockets.remove(to);
        close(from);
        close(to);
      }
    } catch (IOException e) {
      end(from, to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(from, to);
    }
  }

  private void holdBack() throws InterruptedException {
    lock.lock();
    try {
      long nanos = delay.toNanos();
      while (!closed && nanos > 0 && !delay.isZero()) {
        nanos = changed.awaitNanos(nanos);
      }
      while (!closed && stalled) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end(Socket one, Socket other) {
    sockets.remove(one);
    sockets.remove(other);
    reset(one);
    reset(other);
  }

  private static void reset(Socket socket) {
    try {
      // Zero linger: the peer sees a reset, as from a process that died.
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Closed already.
    }
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to close; whoever accepts or forwards goes on.
    }
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "tcp-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }
}
