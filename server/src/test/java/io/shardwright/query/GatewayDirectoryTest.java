package io.shardwright.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayDirectoryTest {
  @TempDir Path root;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void open_whileItIsHeld_isRefused() throws IOException {
    Path path = root.resolve("a/b");
    try (GatewayDirectory held = GatewayDirectory.open(path)) {
      assertThat(held.under("exports")).isDirectory();
      for (Path same : List.of(path, root.resolve("a/../a/b"))) {
        assertThatThrownBy(() -> GatewayDirectory.open(same))
            .hasMessageContaining("SW808")
            .hasMessageContaining("a/b is held by another gateway");
      }
      assertLocked(path.resolve("lock"));
    }
    GatewayDirectory.open(path).close();
  }

  /** Another process has no way past the lock, after refusals in this one, too. */
  private static void assertLocked(Path file) throws IOException {
    Process process = new ProcessBuilder("cat", "/proc/locks").redirectErrorStream(true).start();
    String locks = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Object inode = Files.getAttribute(file, "unix:ino");
    assertThat(locks).contains(":" + inode + " ");
  }

  @Test
  void close_twice_takesNothingFromTheNext() throws IOException {
    GatewayDirectory first = GatewayDirectory.open(root);
    first.close();
    try (GatewayDirectory second = GatewayDirectory.open(root)) {
      first.close();
      assertThatThrownBy(() -> GatewayDirectory.open(root)).hasMessageContaining("is held");
      assertThat(second.under("exports")).isDirectory();
    }
  }

  @Test
  void whatIsMade_isTheOwners() throws IOException {
    Path path = root.resolve("kept");
    Files.createDirectories(path.resolve("old"));
    try (GatewayDirectory held = GatewayDirectory.open(path)) {
      GatewayDirectory.write(held.under("new").resolve("job.json"), bytes("x"));
      held.under("old");
      for (String directory : List.of("new", "old")) {
        assertThat(rights(path.resolve(directory))).isEqualTo("rwx------");
      }
      for (String file : List.of("lock", "new/job.json")) {
        assertThat(rights(path.resolve(file))).isEqualTo("rw-------");
      }
    }
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void unusable_tellsNoPath() {
    Path file = root.resolve("there/job.json");
    assertThatThrownBy(() -> GatewayDirectory.write(file, bytes("x")))
        .hasMessageContaining("job.json under query.directory")
        .hasMessageNotContaining(root.toString())
        .hasStackTraceContaining(root.toString());
  }

  @Test
  void open_whatCannotBeADirectory_isRefused() throws IOException {
    Path file = Files.createFile(root.resolve("file"));

    assertThatThrownBy(() -> GatewayDirectory.open(file))
        .hasMessageContaining("SW808")
        .hasMessageContaining("cannot be read or written");
  }

  @Test
  void write_replacesAndLeavesNothingBeside() throws IOException {
    Path file = root.resolve("job.json");
    Files.writeString(root.resolve("job.json.unfinished"), "what a crash left, and long");

    GatewayDirectory.write(file, bytes("first"));
    GatewayDirectory.write(file, bytes("second"));

    assertThat(file).hasContent("second");
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void delete_takesATree() throws IOException {
    Path tree = Files.createDirectories(root.resolve("x/y"));
    GatewayDirectory.write(tree.resolve("f"), bytes("f"));

    GatewayDirectory.delete(root.resolve("x"));
    GatewayDirectory.delete(root.resolve("x"));

    assertThat(root.resolve("x")).doesNotExist();
  }

  @Test
  void lockFile_thatACrashLeft_isNoLock() throws IOException {
    try (FileChannel left =
        FileChannel.open(
            root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      left.write(java.nio.ByteBuffer.wrap(bytes("x")));
    }
    GatewayDirectory.open(root).close();
  }
}
