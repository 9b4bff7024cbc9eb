package io.shardwright.bench.compare;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link Contestant} as seen from the process that measures. Not thread-safe. */
final class ContestantProcess implements AutoCloseable {
  /** The same for all sides. */
  static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xshare:auto",
          "-Duser.timezone=UTC",
          // HikariCP asks a connection that was idle for half a second whether it is alive: whether
          // one was, while others had their turn, is chance.
          "-Dcom.zaxxer.hikari.aliveBypassWindowMs=60000");

  private static final int STOP_SECONDS = 20;

  private final Side side;
  private final Process process;
  private final DataInputStream in;
  private final DataOutputStream out;

  ContestantProcess(Setup setup, String heap) throws IOException {
    this(setup, heap, List.of());
  }

  /**
   * @param heap as of -Xmx
   * @param options further ones of the JVM
   */
  ContestantProcess(Setup setup, String heap, List<String> options) throws IOException {
    this.side = setup.side();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.addAll(JVM_OPTIONS);
    command.addAll(options);
    if (setup.scale().isTiny()) {
      // For one call of each, compiling well takes longer than it saves.
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.addAll(List.of("-cp", classPath(setup.side()), Contestant.class.getName()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    setup.write(out);
    out.flush();
  }

  private static String classPath(Side side) throws IOException {
    String own = System.getProperty("java.class.path");
    if (side != Side.SHARDINGSPHERE) {
      return own;
    }
    Path module = shardingSphere();
    // Of ours, the benchmark's own classes and nothing else.
    String benchmark =
        Path.of(
                URI.create(
                    Contestant.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
            .toString();
    return String.join(
        File.pathSeparator,
        module.resolve("target/classes").toString(),
        Files.readString(module.resolve("target/class-path.txt")).strip(),
        benchmark);
  }

  /** Of the module that has ShardingSphere's class path. */
  private static Path shardingSphere() throws IOException {
    Path from = Path.of(System.getProperty("shardwright.home", "")).toAbsolutePath();
    for (Path directory = from; directory != null; directory = directory.getParent()) {
      Path module = directory.resolve("bench/shardingsphere");
      if (Files.exists(module.resolve("target/class-path.txt"))) {
        return module;
      }
    }
    throw new IOException(
        "bench/shardingsphere is not built, seen from " + from + ": run ./shardwright bench");
  }

  /** Of ShardingSphere-JDBC, by the name of its jar. */
  static String shardingSphereVersion() throws IOException {
    String jars = Files.readString(shardingSphere().resolve("target/class-path.txt"));
    return jars.replaceAll("(?s).*shardingsphere-jdbc-([0-9.]+)\\.jar.*", "$1");
  }

  /**
   * Lets it run a workload.
   *
   * @return what it did
   * @throws RefusedException when it cannot
   */
  Slot run(Workload workload, String set, long nanos, long operationsMax)
      throws IOException, RefusedException {
    return run(workload, set, nanos, operationsMax, 0);
  }

  /**
   * The same with the same operations each time.
   *
   * @param seed 0: with other ones each time
   */
  Slot run(Workload workload, String set, long nanos, long operationsMax, long seed)
      throws IOException, RefusedException {
    out.writeUTF(Contestant.RUN);
    out.writeUTF(workload.name());
    out.writeUTF(set);
    out.writeLong(nanos);
    out.writeLong(operationsMax);
    out.writeLong(seed);
    out.flush();
    String failure = in.readUTF();
    if (!failure.isEmpty()) {
      throw new RefusedException(side + ", " + workload.name() + ": " + failure);
    }
    return Slot.read(in);
  }

  void closeSet(String set) throws IOException {
    out.writeUTF(Contestant.CLOSE);
    out.writeUTF(set);
    out.flush();
  }

  void sealStubs() throws IOException {
    out.writeUTF(Contestant.SEAL);
    out.flush();
  }

  @Override
  public void close() {
    try {
      out.close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** The side has no answer to this workload. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }
}
