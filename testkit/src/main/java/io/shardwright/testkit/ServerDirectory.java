package io.shardwright.testkit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory of one server: {@code data}, its logs and the owner's lock. The lock lives as long
 * as the JVM that made it, so a directory whose lock is free was left behind by a JVM that was
 * killed.
 */
final class ServerDirectory {
  static final String SERVER_LOG = "server.log";

  private static final String KEPT_PREFIX = "kept-";
  private static final String LOCK = "owner.lock";

  /**
   * Directories of this JVM. Their lock files must not be opened again: on POSIX systems closing
   * any handle of a file ends all locks that the process has on it.
   */
  private static final Set<Path> OWNED = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lockFile;

  /**
   * What tells one product's servers from another's: each clears away its own only.
   *
   * @param prefix of temporary directories
   * @param pidFile below {@code data}, process id in its first line
   */
  record Kind(String prefix, String pidFile, Stopper stopper) {}

  interface Stopper {
    void stopAbandoned(Path directory, ProcessHandle server);
  }

  private ServerDirectory(Path path) throws IOException {
    this.path = path;
    if (!OWNED.add(path)) {
      throw new IOException(path + " is used by another server of this process");
    }
    lockFile =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lockFile.tryLock() == null) {
      unlock();
      throw new IOException(path + " is used by another process");
    }
  }

  /** Where temporary servers and the unpacked programs live. */
  static Path parent() {
    String set = System.getProperty("shardwright.testkit.directory");
    return set != null
        ? Path.of(set)
        : Path.of(
            System.getProperty("java.io.tmpdir"),
            "shardwright-testkit-" + System.getProperty("user.name"));
  }

  /** A new temporary directory; those that killed JVMs left behind are cleared away first. */
  static synchronized ServerDirectory fresh(boolean keep, Kind kind) throws IOException {
    Path parent = parent();
    Files.createDirectories(parent);
    // One process at a time: a directory that is not locked yet must not look abandoned.
    try (FileChannel channel =
            FileChannel.open(
                parent.resolve("servers.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid()) {
        for (Path abandoned : abandoned(parent, kind)) {
          stopAbandoned(abandoned, kind);
          delete(abandoned);
        }
      }
      return new ServerDirectory(
          Files.createTempDirectory(
              parent.toRealPath(), keep ? KEPT_PREFIX + kind.prefix() : kind.prefix()));
    }
  }

  static ServerDirectory at(Path path) throws IOException {
    Files.createDirectories(path);
    return new ServerDirectory(path.toRealPath());
  }

  private static List<Path> abandoned(Path parent, Kind kind) throws IOException {
    List<Path> abandoned = new ArrayList<>();
    try (DirectoryStream<Path> directories =
        Files.newDirectoryStream(parent.toRealPath(), kind.prefix() + "*")) {
      for (Path directory : directories) {
        Path lock = directory.resolve(LOCK);
        if (!OWNED.contains(directory) && Files.exists(lock) && isUnlocked(lock)) {
          abandoned.add(directory);
        }
      }
    }
    return abandoned;
  }

  private static void stopAbandoned(Path directory, Kind kind) throws IOException {
    Path data = directory.resolve("data");
    Path pidFile = data.resolve(kind.pidFile());
    if (!Files.exists(pidFile)) {
      return;
    }
    long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
    // The number may belong to another process by now.
    ProcessHandle.of(pid)
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .filter(command -> command.contains(data.toString()))
                    .isPresent())
        .ifPresent(process -> kind.stopper().stopAbandoned(directory, process));
  }

  private static boolean isUnlocked(Path lock) {
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      return held != null;
    } catch (IOException e) {
      return false;
    }
  }

  Path path() {
    return path;
  }

  Path data() {
    return path.resolve("data");
  }

  Path serverLog() {
    return path.resolve(SERVER_LOG);
  }

  void unlock() throws IOException {
    lockFile.close();
    OWNED.remove(path);
  }

  static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
            Files.deleteIfExists(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
