package io.shardwright.query;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * One export: its record, which is on the disk before anybody sees it, and where its work stands.
 * Thread-safe; one thread works on it.
 */
final class ExportJob {
  static final String RECORD = "job.json";

  private final Path directory;
  private final ExportRequest request;

  /** Opened by a cancellation, and by the end of the gateway. */
  private final CountDownLatch halted = new CountDownLatch(1);

  private volatile ExportRecord record;
  private volatile Progress progress = Progress.NONE;
  private boolean working;

  /**
   * @param rows in the file that is not whole
   * @param last time of the last row
   */
  record Progress(long rows, Optional<Instant> last) {
    static final Progress NONE = new Progress(0, Optional.empty());
  }

  /** Its work is to end; what is on the disk is what it is. */
  static final class HaltedException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param record that is on the disk, or will be
   */
  ExportJob(Path directory, ExportRequest request, ExportRecord record) {
    this.directory = directory;
    this.request = request;
    this.record = record;
  }

  ExportRecord record() {
    return record;
  }

  ExportRequest request() {
    return request;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  Progress progress() {
    return progress;
  }

  void progress(Progress now) {
    progress = now;
  }

  /** To the disk, as it is. */
  synchronized void save() {
    GatewayDirectory.write(directory.resolve(RECORD), ExportJson.kept(record));
  }

  /**
   * From the thread that works on it.
   *
   * @throws HaltedException when it is over
   */
  synchronized void update(UnaryOperator<ExportRecord> change) throws HaltedException {
    if (record.state().isOver()) {
      throw new HaltedException();
    }
    ExportRecord next = change.apply(record);
    GatewayDirectory.write(directory.resolve(RECORD), ExportJson.kept(next));
    record = next;
    if (next.state().isOver()) {
      halted.countDown();
    }
  }

  /** Whether the thread that asks may work on it now. */
  synchronized boolean begin() {
    if (record.state().isOver() || working || isHalted()) {
      return false;
    }
    working = true;
    return true;
  }

  /** From the thread that worked on it. */
  synchronized void end() {
    working = false;
    progress = Progress.NONE;
    if (record.state().isOver() && record.state() != ExportState.DONE) {
      deleteFiles();
    }
  }

  /** Unless it is over already, with another end than DONE; nothing is left but its record. */
  synchronized void over(ExportState how, Instant now, String why) {
    if (record.state().isOver() && record.state() != ExportState.DONE) {
      return;
    }
    ExportRecord next = record.over(how, now, why);
    try {
      GatewayDirectory.write(directory.resolve(RECORD), ExportJson.kept(next));
    } finally {
      if (how == ExportState.FAILED) {
        // Even where the disk is what failed.
        record = next;
      }
    }
    record = next;
    halted.countDown();
    if (!working) {
      deleteFiles();
    }
  }

  private void deleteFiles() {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, file -> !file.getFileName().toString().equals(RECORD))) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw GatewayDirectory.unusable(directory, e);
    }
  }

  /** Nothing of it is left. */
  synchronized void delete() {
    GatewayDirectory.delete(directory);
  }

  /** The gateway ends; the record says that there is more to do. */
  void halt() {
    halted.countDown();
  }

  boolean isHalted() {
    return halted.getCount() == 0;
  }

  /**
   * @throws HaltedException when it is to end before the time is over
   */
  void pause(Duration time) throws HaltedException {
    try {
      if (halted.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new HaltedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HaltedException();
    }
  }
}
