package io.shardwright.query;

import io.shardwright.config.QueryRules.ExportLimits;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.ExportJob.HaltedException;
import io.shardwright.query.ExportJob.Progress;
import io.shardwright.query.ExportPages.Page;
import io.shardwright.query.ExportRecord.Column;
import io.shardwright.query.ExportRecord.MapVersions;
import io.shardwright.query.ExportRecord.Part;
import io.shardwright.query.PagePlan.Shown;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The work on one export, from where its record is to its end.
 *
 * <p>A file is written from behind the last row of the one before, page by page, and counts when
 * the record names it: both are on the disk then, the file first. Whatever stops the work before
 * leaves a file that the record does not name, and the next attempt writes it anew from the same
 * row. So no row is in two files, and none that was there all the time is in no file. For one
 * thread.
 */
final class ExportRun {
  private static final int FILES_MAX = 10_000;
  private static final double NANOS = 1e9;

  private final ExportPages pages;
  private final ExportLimits limits;
  private final InstantSource clock;
  private final ExportJob job;
  private final Caller caller;
  private final long startNanos = System.nanoTime();
  private long rows;
  private int retries;

  ExportRun(
      ExportPages pages, ExportLimits limits, InstantSource clock, ExportJob job, Caller caller) {
    this.pages = pages;
    this.limits = limits;
    this.clock = clock;
    this.job = job;
    this.caller = caller;
  }

  /** Pages and positions that were asked for again. */
  int retries() {
    return retries;
  }

  /** Why an export cannot be made; its message is for the caller. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  void run() throws HaltedException, FailedException {
    job.update(ExportRecord::running);
    if (job.record().started().isEmpty()) {
      Map<String, Map<String, String>> positions = positions();
      job.update(record -> record.started(clock.instant(), positions));
    }
    while (!job.record().read()) {
      writeFile();
    }
    Map<String, Map<String, String>> positions = positions();
    job.update(record -> record.done(clock.instant(), positions));
  }

  private Map<String, Map<String, String>> positions() throws HaltedException, FailedException {
    Map<String, Map<String, String>> named = new TreeMap<>();
    Map<ShardId, Map<String, String>> positions = untilAnswered(pages::positions);
    positions.forEach((shard, position) -> named.put(shard.name(), position));
    return named;
  }

  private void writeFile() throws HaltedException, FailedException {
    ExportRecord before = job.record();
    int number = before.files().size();
    if (number == FILES_MAX) {
      throw new FailedException(
          "it has "
              + FILES_MAX
              + " files, and more rows follow; ask for less time, or raise"
              + " query.exports.file_rows",
          null);
    }
    String name = String.format(Locale.ROOT, "%s-%05d%s", job.request().table(), number, ending());
    PagePlan first = plan(before.end(), limits.fileRows());
    checkColumns(first);
    untilAnswered(
        () -> {
          pages.checkIndexes(first);
          return null;
        });
    try (RowFile file = RowFile.create(job.file(name), job.request(), first.shown())) {
      Filling filling = new Filling(first.shown(), before.mapVersions());
      boolean more = fill(file, filling, before.end());
      if (filling.rows == 0 && number > 0) {
        // The rows that followed were deleted meanwhile.
        job.update(record -> record.allRead(filling.versions));
        return;
      }
      RowFile.Finished finished = file.finish();
      GatewayDirectory.force(job.file(name).getParent());
      Part part =
          new Part(
              name,
              filling.rows,
              finished.bytes(),
              finished.sha256(),
              Optional.ofNullable(filling.firstTime),
              Optional.ofNullable(filling.lastTime),
              filling.sums,
              more ? filling.end : null);
      job.progress(new Progress(0, part.last()));
      job.update(record -> record.with(part, !more, filling.versions));
    } catch (IOException e) {
      throw new FailedException(GatewayDirectory.unusable(job.file(name), e).getMessage(), e);
    } catch (RowFile.UnwritableValueException e) {
      throw new FailedException(e.getMessage(), e);
    }
  }

  private String ending() {
    return job.request().ending();
  }

  /** What is in the file that is being written. */
  private static final class Filling {
    private final List<Shown> columns;
    private final Map<String, BigDecimal> sums = new LinkedHashMap<>();
    private MapVersions versions;
    private long rows;
    private Instant firstTime;
    private Instant lastTime;
    private String end;

    Filling(List<Shown> columns, MapVersions versions) {
      this.columns = columns;
      this.versions = versions;
      for (Shown column : columns) {
        if (isSummed(column)) {
          sums.put(column.name(), BigDecimal.ZERO);
        }
      }
    }

    /** A sum of what is masked would show it, and one of floats depends on their order. */
    private static boolean isSummed(Shown column) {
      return !column.masked()
          && (column.type() == ColumnType.INTEGER || column.type() == ColumnType.DECIMAL);
    }

    void add(Page page) {
      for (Object[] row : page.values()) {
        for (int i = 0; i < row.length; i++) {
          if (row[i] != null && isSummed(columns.get(i))) {
            BigDecimal value =
                row[i] instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf((Long) row[i]);
            sums.merge(columns.get(i).name(), value, BigDecimal::add);
          }
        }
      }
      rows += page.values().size();
      firstTime = firstTime == null ? page.first().orElse(null) : firstTime;
      lastTime = page.last().orElse(lastTime);
      end = page.end() == null ? end : page.end();
      versions = versions.with(page.mapVersion());
    }
  }

  /** Whether more rows follow. */
  private boolean fill(RowFile file, Filling filling, Optional<String> behind)
      throws IOException, HaltedException, FailedException {
    Optional<String> after = behind;
    boolean more = true;
    while (more && filling.rows < limits.fileRows()) {
      PagePlan plan = plan(after, (int) Math.min(pages.rows(), limits.fileRows() - filling.rows));
      checkColumns(plan);
      Page page = untilAnswered(() -> pages.read(plan));
      for (Object[] row : page.values()) {
        file.write(row);
      }
      filling.add(page);
      retries += page.retries();
      more = page.more();
      after = Optional.ofNullable(page.end());
      job.progress(new Progress(filling.rows, Optional.ofNullable(filling.lastTime)));
      waitFor(page.values().size());
    }
    return more;
  }

  private PagePlan plan(Optional<String> after, int most) throws HaltedException, FailedException {
    int size = Math.min(most, pages.rows());
    return untilAnswered(
        () -> pages.plan(job.request(), caller, after, size, new RequestProblems()));
  }

  /** A table may change while it is read; its files are of one kind. */
  private void checkColumns(PagePlan plan) throws FailedException {
    if (!columns(plan).equals(job.record().columns())) {
      throw new FailedException(
          "the columns of " + job.request().table() + " have changed since it began", null);
    }
  }

  static List<Column> columns(PagePlan plan) {
    return plan.shown().stream()
        .map(shown -> new Column(shown.name(), shown.type().form(), shown.masked()))
        .toList();
  }

  /** The rate holds on average since the work began. */
  private void waitFor(int more) throws HaltedException {
    rows += more;
    long due = startNanos + (long) (rows * NANOS / limits.rate());
    job.pause(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
  }

  /** What shards are asked for. */
  private interface Question<T> {
    T ask() throws SQLException;
  }

  /** Asks again, later and later, until all shards answer or the patience is at its end. */
  private <T> T untilAnswered(Question<T> question) throws HaltedException, FailedException {
    long end = System.nanoTime() + limits.patience().toNanos();
    Duration pause = Retries.PAUSE_MIN;
    while (true) {
      try {
        return question.ask();
      } catch (ShardwrightException | SQLException e) {
        if (!Retries.mayPass(e)) {
          throw new FailedException(reason(e), e);
        }
        if (System.nanoTime() - end >= 0) {
          throw new FailedException(
              "no page of all shards could be had for "
                  + limits.patience()
                  + " (query.exports.patience): "
                  + reason(e),
              e);
        }
        retries++;
        job.pause(pause);
        pause = Retries.longer(pause);
      }
    }
  }

  /** Texts of databases may hold values. */
  private static String reason(Exception e) {
    return Retries.code(e).isPresent()
        ? e.getMessage()
        : "a shard refused the statement (SQLSTATE "
            + ((SQLException) e).getSQLState()
            + "); the log of the gateway tells why";
  }
}
