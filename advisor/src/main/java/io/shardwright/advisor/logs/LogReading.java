package io.shardwright.advisor.logs;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BiConsumer;

/**
 * Reads files in a thread of its own, so that what is done with the records takes another
 * processor. Records are handed over in batches through a queue of {@value #BATCHES_MAX}, in their
 * order; a batch has at most {@value #RECORDS_MAX} records, and about {@value #CHARS_MAX}
 * characters unless one statement is longer. {@link #read} is for one thread, in which the sink is
 * called.
 */
public final class LogReading {
  private static final int BATCHES_MAX = 4;
  private static final int RECORDS_MAX = 1_000;
  private static final int CHARS_MAX = 1 << 20;

  /** Is told now and then how far the reading is, by the thread that reads. */
  @FunctionalInterface
  public interface Progress {
    /**
     * @param bytes of all files so far, as they are on disk
     * @param statements read from them
     */
    void at(long bytes, long statements);
  }

  /**
   * Records of one format.
   *
   * @param results of the last batch, else null
   * @param failure of the last batch instead, else null
   */
  private record Batch(
      List<LogRecord> records, LogFormat format, List<LogFile> results, Throwable failure) {}

  private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(BATCHES_MAX);
  private final Progress progress;

  // Of the reading thread.
  private List<LogRecord> filling = new ArrayList<>(RECORDS_MAX);
  private LogFormat format;
  private int chars;
  private long bytes;
  private long statements;

  private LogReading(Progress progress) {
    this.progress = progress;
  }

  /**
   * Reads files one after the other.
   *
   * @param sink gets the records in the order of the files, with the format of each file
   * @return one result for each file, in their order
   * @throws ShardwrightException SW603 when a file cannot be read
   */
  public static List<LogFile> read(
      List<Path> files, Progress progress, BiConsumer<? super LogRecord, ? super LogFormat> sink) {
    return new LogReading(progress).run(files, sink);
  }

  private List<LogFile> run(
      List<Path> files, BiConsumer<? super LogRecord, ? super LogFormat> sink) {
    Thread reader = new Thread(() -> readAll(files), "shardwright-log-reader");
    reader.setDaemon(true);
    reader.start();
    try {
      while (true) {
        Batch batch = queue.take();
        for (LogRecord record : batch.records()) {
          sink.accept(record, batch.format());
        }
        if (batch.failure() != null) {
          throw asUnchecked(batch.failure());
        }
        if (batch.results() != null) {
          return batch.results();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while logs were read", e);
    } finally {
      // It has ended, unless the sink failed.
      reader.interrupt();
    }
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }

  private void readAll(List<Path> files) {
    try {
      try {
        List<LogFile> results = new ArrayList<>();
        for (Path file : files) {
          results.add(read(file));
        }
        handOver(List.copyOf(results), null);
      } catch (AbandonedException e) {
        throw e;
      } catch (Throwable e) {
        // Whatever it is: the other thread waits.
        handOver(null, e);
      }
    } catch (AbandonedException e) {
      // The sink failed, which the other thread tells.
      return;
    }
  }

  private LogFile read(Path file) {
    try (InputStream in = PlainOrGzip.of(new Counting(Files.newInputStream(file)))) {
      LogFile result = SqlLogs.read(file, in, new Tally(this::add));
      handOver(null, null);
      return result;
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, file + " cannot be read: " + FileErrors.reason(e), e);
    }
  }

  private void add(LogRecord record, LogFormat itsFormat) {
    format = itsFormat;
    List<LogRecord> parts = StatementSplit.of(record, format.family());
    filling.addAll(parts);
    statements += parts.size();
    chars += record.sql().length();
    if (filling.size() >= RECORDS_MAX || chars >= CHARS_MAX) {
      handOver(null, null);
    }
  }

  private void handOver(List<LogFile> results, Throwable failure) {
    try {
      queue.put(new Batch(filling, format, results, failure));
    } catch (InterruptedException e) {
      throw new AbandonedException();
    }
    filling = new ArrayList<>(RECORDS_MAX);
    chars = 0;
  }

  /** Nobody takes batches any more. */
  private static final class AbandonedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What comes from the disk. */
  private final class Counting extends FilterInputStream {
    Counting(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int got = super.read();
      count(got < 0 ? 0 : 1);
      return got;
    }

    @Override
    public int read(byte[] block, int from, int length) throws IOException {
      int got = super.read(block, from, length);
      count(Math.max(0, got));
      return got;
    }

    private void count(int more) {
      bytes += more;
      progress.at(bytes, statements);
    }
  }
}
