package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code query.directory}: what a gateway keeps beyond its process. One gateway holds it at a time,
 * by a lock of the operating system that ends with the process. What it makes there is for the
 * owner of the process alone, where the file system knows such rights. Thread-safe.
 */
public final class GatewayDirectory implements AutoCloseable {
  private static final String LOCK = "lock";
  private static final String UNFINISHED = ".unfinished";

  /**
   * Held by this process. To close any channel of a file ends the locks that the process has on it,
   * so the lock file of a directory that is held must not even be opened.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final Set<PosixFilePermission> OWNERS_FILE =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNERS_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;
  private boolean closed;

  private GatewayDirectory(Path path, FileChannel channel, FileLock lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * @param directory made when it is not there
   * @throws ShardwrightException SW808 when another gateway holds it, or it cannot be written
   */
  public static GatewayDirectory open(Path directory) {
    Path path;
    try {
      path = Files.createDirectories(directory, rights(OWNERS_DIRECTORY)).toRealPath();
    } catch (IOException e) {
      throw notOpened(directory, e);
    }
    if (!HELD.add(path)) {
      throw held(path);
    }
    boolean opened = false;
    try {
      FileChannel channel =
          FileChannel.open(
              path.resolve(LOCK),
              EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              rights(OWNERS_FILE));
      FileLock lock = null;
      try {
        lock = channel.tryLock();
      } finally {
        if (lock == null) {
          channel.close();
        }
      }
      if (lock == null) {
        throw held(path);
      }
      opened = true;
      return new GatewayDirectory(path, channel, lock);
    } catch (IOException e) {
      throw notOpened(path, e);
    } finally {
      if (!opened) {
        HELD.remove(path);
      }
    }
  }

  private static ShardwrightException held(Path path) {
    return new ShardwrightException(
        ErrorCode.GATEWAY_DIRECTORY,
        "query.directory "
            + path
            + " is held by another gateway: two would take up the same work; stop that one, or give"
            + " each a directory of its own");
  }

  private static ShardwrightException notOpened(Path path, IOException e) {
    return new ShardwrightException(
        ErrorCode.GATEWAY_DIRECTORY,
        "query.directory "
            + path
            + " cannot be read or written ("
            + e
            + "); see to its rights and to the space that is left",
        e);
  }

  /** What a failed read or write under it is told as: callers learn no path, its cause has it. */
  static ShardwrightException unusable(Path path, IOException e) {
    return new ShardwrightException(
        ErrorCode.GATEWAY_DIRECTORY,
        path.getFileName()
            + " under query.directory cannot be read or written ("
            + reason(e)
            + "); see to its rights and to the space that is left",
        e);
  }

  /** Without the names that its text begins with. */
  private static String reason(IOException e) {
    if (e instanceof FileSystemException known && known.getReason() != null) {
      return known.getReason();
    }
    return e instanceof FileSystemException || e.getMessage() == null
        ? e.getClass().getSimpleName()
        : e.getMessage();
  }

  private static FileAttribute<?>[] rights(Set<PosixFilePermission> rights) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
        : new FileAttribute<?>[0];
  }

  /** An empty file to write; replaces what is there. */
  static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        EnumSet.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING),
        rights(OWNERS_FILE));
  }

  /** A new directory, whose name is on the disk. */
  static void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, rights(OWNERS_DIRECTORY));
    force(directory.getParent());
  }

  /**
   * A directory under it, made when it is not there, for the owner alone from now on.
   *
   * @param name one word
   */
  public Path under(String name) {
    try {
      Path directory = Files.createDirectories(path.resolve(name), rights(OWNERS_DIRECTORY));
      if (Files.getFileStore(directory).supportsFileAttributeView(PosixFileAttributeView.class)
          && !Files.getPosixFilePermissions(directory).equals(OWNERS_DIRECTORY)) {
        Files.setPosixFilePermissions(directory, OWNERS_DIRECTORY);
      }
      return directory;
    } catch (IOException e) {
      throw unusable(path.resolve(name), e);
    }
  }

  /**
   * All of it or nothing, whenever the machine stops: on return it is on the disk. Replaces a file
   * of that name; one writer for each name at a time.
   */
  public static void write(Path file, byte[] content) {
    Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
    try {
      try (FileChannel out = create(unfinished)) {
        ByteBuffer left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
          out.write(left);
        }
        out.force(true);
      }
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      force(file.getParent());
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  /** That the names in a directory are on the disk. */
  static void force(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /** A file, or a directory with all that is in it; nothing when it is not there. */
  public static void delete(Path tree) {
    try {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e)
                throws IOException {
              if (e != null) {
                throw e;
              }
              Files.deleteIfExists(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // It was not there, or somebody else deleted it, too.
    } catch (IOException e) {
      throw unusable(tree, e);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      lock.close();
      channel.close();
    } catch (IOException e) {
      throw unusable(path, e);
    } finally {
      HELD.remove(path);
    }
  }
}
