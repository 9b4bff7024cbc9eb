package io.shardwright.query;

import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One export: its record, which is on the disk before anybody sees it, and where its work stands.
 * Thread-safe; one thread works on it.
 *
 * <p>No record on the disk counts on files that are deleted: they go when a record that says so is
 * there, or, where the disk takes none, when there is no record.
 */
final class ExportJob {
  static final String RECORD = "job.json";

  private static final Logger LOG = LoggerFactory.getLogger(ExportJob.class);

  private final Path directory;
  private final ExportRequest request;

  /** Opened by a cancellation, and by the end of the gateway. */
  private final CountDownLatch halted = new CountDownLatch(1);

  private volatile ExportRecord record;
  private volatile Progress progress = Progress.NONE;
  private boolean working;

  /** Whether the record is on the disk. */
  private boolean kept = true;

  /** Whether there may be files that are to go. */
  private boolean leftovers = true;

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
    settle();
  }

  /**
   * Unless it is over already, with another end than DONE: its work ends, and its files go. A disk
   * that takes no record does not hold that up.
   *
   * @throws ShardwrightException SW808 when files are left; to ask again tries again
   */
  synchronized void over(ExportState how, Instant now, String why) {
    if (!hasNoFiles(record)) {
      record = record.over(how, now, why);
      kept = false;
      leftovers = true;
      halted.countDown();
    }
    settle();
  }

  private static boolean hasNoFiles(ExportRecord record) {
    return record.state().isOver() && record.state() != ExportState.DONE;
  }

  /**
   * Has the disk hold what the record says of an export that has no files any more.
   *
   * @throws ShardwrightException SW808 when files are left
   */
  synchronized void settle() {
    if (!hasNoFiles(record) || (kept && !leftovers)) {
      return;
    }
    keepOrDeleteRecord();
    if (!working && leftovers) {
      deleteFiles();
      leftovers = false;
      // There may be space for it now.
      keepOrDeleteRecord();
    }
  }

  private void keepOrDeleteRecord() {
    if (kept) {
      return;
    }
    try {
      save();
      kept = true;
    } catch (ShardwrightException e) {
      LOG.warn(
          "that export {} is {} cannot be kept: after a restart nothing is known of it",
          record.id(),
          record.state().word(),
          e);
      deleteRecord();
    }
  }

  /** It needs no space. A directory without a record is deleted by the next gateway. */
  private void deleteRecord() {
    try {
      if (Files.deleteIfExists(directory.resolve(RECORD))) {
        GatewayDirectory.force(directory);
      }
    } catch (IOException e) {
      throw GatewayDirectory.unusable(directory.resolve(RECORD), e);
    }
  }

  private void deleteFiles() {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, file -> !file.getFileName().toString().equals(RECORD))) {
      for (Path file : files) {
        GatewayDirectory.delete(file);
      }
    } catch (IOException e) {
      throw GatewayDirectory.unusable(directory, e);
    }
  }

  /**
   * @return what is wrong with the files that the record names; empty: they are there
   */
  Optional<String> missing() {
    return record.files().stream().map(this::missing).flatMap(Optional::stream).findFirst();
  }

  /** The same of one. */
  Optional<String> missing(ExportRecord.Part file) {
    try {
      long bytes = Files.size(file(file.name()));
      return bytes == file.bytes()
          ? Optional.empty()
          : Optional.of(
              "its file " + file.name() + " has " + bytes + " bytes instead of " + file.bytes());
    } catch (NoSuchFileException e) {
      return Optional.of("its file " + file.name() + " is gone from query.directory");
    } catch (IOException e) {
      throw GatewayDirectory.unusable(file(file.name()), e);
    }
  }

  /** Whether nobody works on it. */
  synchronized boolean isIdle() {
    return !working;
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
