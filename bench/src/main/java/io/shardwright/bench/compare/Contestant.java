package io.shardwright.bench.compare;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Map;

/**
 * The process of one side. It is told on standard input what to run, and answers on standard
 * output; it does nothing in between, so that the others have the machine to themselves.
 */
public final class Contestant {
  static final String RUN = "run";
  static final String CLOSE = "close";
  static final String SEAL = "seal";

  private final DataInputStream in;
  private final DataOutputStream out;
  private final Opponents opponents;
  private final Runner runner;
  private final Map<String, Workload> workloads = Workloads.all();

  private Contestant(DataInputStream in, DataOutputStream out) throws IOException {
    this.in = in;
    this.out = out;
    Setup setup = Setup.read(in);
    this.opponents = new Opponents(setup);
    this.runner = new Runner(setup);
  }

  public static void main(String[] arguments) throws IOException {
    DataInputStream in = new DataInputStream(System.in);
    DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
    // What libraries print must not get between the answers.
    System.setOut(System.err);
    new Contestant(in, out).serve();
    System.exit(0);
  }

  private void serve() throws IOException {
    while (true) {
      String command;
      try {
        command = in.readUTF();
      } catch (EOFException e) {
        return;
      }
      switch (command) {
        case RUN -> run();
        case CLOSE -> opponents.close(in.readUTF());
        case SEAL -> opponents.sealStubs();
        default -> throw new IOException("unknown command " + command);
      }
    }
  }

  private void run() throws IOException {
    Workload workload = workloads.get(in.readUTF());
    String set = in.readUTF();
    Runner.Plan plan =
        new Runner.Plan(
            in.readLong(), in.readLong(), workload.threads(), workload.perSecond(), in.readLong());
    Slot slot = null;
    String failure = "";
    try {
      long start = System.nanoTime();
      Opponent opponent = opponents.of(set);
      long opened = System.nanoTime() - start;
      long statements = opponents.stubExecutions();
      long ends = opponents.stubTransactionEnds();
      TurnEvent event = new TurnEvent();
      event.workload = workload.name();
      event.begin();
      slot =
          runner
              .run(workload.operation(), opponent, plan)
              .with(
                  opened,
                  opponents.stubExecutions() - statements,
                  opponents.stubTransactionEnds() - ends);
      event.commit();
    } catch (Exception e) {
      failure = reason(e);
    } catch (OutOfMemoryError e) {
      failure = e.toString();
    }
    out.writeUTF(failure);
    if (slot != null) {
      slot.write(out);
    }
    out.flush();
  }

  private static String reason(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String own = String.valueOf(thrown);
    String text = cause == thrown ? own : own + ", because of " + cause;
    return text.length() > 1_000 ? text.substring(0, 1_000) : text;
  }
}
