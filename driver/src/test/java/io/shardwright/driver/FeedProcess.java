package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.ConfigurationReader;
import io.shardwright.testkit.TcpProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A Java process of its own that has the file open, so that it delivers, until it is killed. */
final class FeedProcess implements AutoCloseable {
  /** The exit code of a process that signal 9 ended. */
  private static final int KILLED = 128 + 9;

  private final List<TcpProxy> ways = new ArrayList<>();
  private final AtomicInteger messagesLeft = new AtomicInteger(Integer.MAX_VALUE);
  private final Process process;

  FeedProcess(TestingShards shards, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      TcpProxy way = shards.proxy();
      way.beforeRequest(this::message);
      ways.add(way);
    }
    process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx128m",
                FeedProcess.class.getName(),
                shards.yaml(ways))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output = process.inputReader()) {
      if (!"open".equals(output.readLine())) {
        throw new IOException("the process that should deliver ended");
      }
    }
  }

  /** It is killed, as by kill -9, before so many more of its messages reach a shard. */
  void dieAfter(int messages) throws InterruptedException {
    messagesLeft.set(messages);
    assertThat(process.waitFor()).isEqualTo(KILLED);
  }

  private void message() {
    if (messagesLeft.decrementAndGet() <= 0) {
      process.destroyForcibly();
      ways.forEach(TcpProxy::refuse);
      ways.forEach(TcpProxy::cut);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    ways.forEach(TcpProxy::close);
  }

  public static void main(String[] arguments) throws InterruptedException {
    ShardwrightDataSource source =
        Shardwright.open(ConfigurationReader.parse("child.yaml", arguments[0], Map.of()));
    System.out.println("open");
    Thread.currentThread().join();
    source.close();
  }
}
