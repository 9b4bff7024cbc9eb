package io.shardwright.cli;

import io.shardwright.catalog.Move;
import io.shardwright.catalog.MoveState;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.migration.MoveWorkers;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Works on moves until it is stopped. */
@Command(
    name = "worker",
    description = {
      "Work on all moves that are due, until SIGTERM or Ctrl-C, which leave them where another"
          + " worker goes on. Any number of workers may run; one that dies is taken over within"
          + " seconds."
    })
final class WorkerCommand implements Callable<Integer> {
  private static final int PARALLEL_MAX = 64;

  private final Console console;
  private final Map<Long, MoveState> states = new ConcurrentHashMap<>();
  private String lastFailure = "";

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "4",
      description = "Moves at a time, at most. Default: 4.")
  private int parallel;

  @Mixin private ConfigurationFile configuration;

  WorkerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (parallel < 1 || parallel > PARALLEL_MAX) {
      throw MoveCommand.wrong("--parallel is " + parallel + "; give 1 to " + PARALLEL_MAX);
    }
    Configuration file = configuration.read();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread onEnd =
        new Thread(
            () -> {
              end.countDown();
              await(ended);
            },
            "shardwright-worker-end");
    Runtime.getRuntime().addShutdownHook(onEnd);
    try (MoveWorkers workers =
        new MoveWorkers(file, MovesAtWork.processName(), parallel, new Words())) {
      workers.start();
      say("worker " + MovesAtWork.processName() + " works on moves that are due");
      await(end);
      say("worker stops");
    } finally {
      say("worker has stopped");
      ended.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(onEnd);
      } catch (IllegalStateException e) {
        // The JVM is ending: the hook has been waiting for this.
      }
    }
    return ExitCode.OK.number();
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void say(String line) {
    console.println(Printable.text(line, console.charset()));
    console.out().flush();
  }

  /** A line for each state, and for each failure. */
  private final class Words implements MoveWorkers.Listener {
    @Override
    public void at(Move move) {
      if (states.put(move.id(), move.state()) != move.state()) {
        say(MoveWords.progress(move, 0));
      }
    }

    @Override
    public void failed(Move move, ShardwrightException why) {
      say("move " + move.id() + " failed and is tried again: " + why.getMessage());
    }

    @Override
    public void failed(ShardwrightException why) {
      synchronized (WorkerCommand.this) {
        if (!why.getMessage().equals(lastFailure)) {
          lastFailure = why.getMessage();
          say("it goes on trying: " + why.getMessage());
        }
      }
    }
  }
}
