package io.shardwright.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** TCP ports of this machine. */
public final class Ports {
  private Ports() {}

  /** One of the loopback interface that nobody has now; somebody may take it before its use. */
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on the loopback interface", e);
    }
  }
}
