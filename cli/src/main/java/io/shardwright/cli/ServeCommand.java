package io.shardwright.cli;

import io.shardwright.config.Configuration;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.server.GatewayServer;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves queries until it is stopped. */
@Command(
    name = "serve",
    description = {
      "Answer queries across all shards over HTTP, as query: in the file allows them, until SIGTERM"
          + " or Ctrl-C. See docs/gateway.md."
    })
final class ServeCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  private final Console console;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on; one that others reach needs query.tokens. Default: 127.0.0.1.")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Port to listen on; 0: a free one. Default: 8080.")
  private int port;

  @Mixin private ConfigurationFile configuration;

  ServeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (port < 0 || port > PORT_MAX) {
      throw MoveCommand.wrong("--port is " + port + "; give 0 to " + PORT_MAX);
    }
    Configuration file = configuration.read();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread onEnd =
        new Thread(
            () -> {
              end.countDown();
              WorkerCommand.await(ended);
            },
            "shardwright-serve-end");
    Runtime.getRuntime().addShutdownHook(onEnd);
    try (ShardwrightDataSource source = Shardwright.open(file);
        GatewayServer server = GatewayServer.start(source, file, host, port)) {
      say("serving on http://" + host + ":" + server.port());
      WorkerCommand.await(end);
      say("stopping");
    } finally {
      say("stopped");
      ended.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(onEnd);
      } catch (IllegalStateException e) {
        // The JVM is ending: the hook has been waiting for this.
      }
    }
    return ExitCode.OK.number();
  }

  private void say(String line) {
    console.println(Printable.text(line, console.charset()));
    console.out().flush();
  }
}
