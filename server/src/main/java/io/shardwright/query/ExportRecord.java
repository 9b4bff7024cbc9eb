package io.shardwright.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is known of an export, which is what its job.json holds.
 *
 * @param caller who asked for it, by name, as {@code role} says
 * @param rights hash of what the caller may see; another one ends it
 * @param run how often this caller has asked for the same, this time included
 * @param written the request
 * @param columns of the files, in order
 * @param reason of a failure; empty otherwise
 * @param read whether all rows are in {@code files}
 * @param begun positions of the shards' logs before the first page; empty: not read yet
 * @param ended the same after the last page
 */
record ExportRecord(
    String id,
    ExportState state,
    String caller,
    String role,
    long rights,
    int run,
    JsonNode written,
    List<Column> columns,
    Instant created,
    Optional<Instant> started,
    Optional<Instant> finished,
    String reason,
    List<Part> files,
    boolean read,
    Map<String, Map<String, String>> begun,
    Map<String, Map<String, String>> ended,
    MapVersions mapVersions) {
  ExportRecord {
    columns = List.copyOf(columns);
    files = List.copyOf(files);
  }

  /**
   * @param type as requests have to write its values
   */
  record Column(String name, String type, boolean masked) {}

  /** Of the bucket map that routed the first page and the last; -1: none yet. */
  record MapVersions(long first, long last) {
    static final MapVersions NONE = new MapVersions(-1, -1);

    MapVersions with(long version) {
      return new MapVersions(first < 0 ? version : first, version);
    }
  }

  /**
   * A file that is whole.
   *
   * @param first time of its first row; empty: it has none
   * @param sums of its columns that have exact sums
   * @param end behind its last row; null: it has none, or is the last
   */
  record Part(
      String name,
      long rows,
      long bytes,
      String sha256,
      Optional<Instant> first,
      Optional<Instant> last,
      Map<String, BigDecimal> sums,
      String end) {}

  long rows() {
    return files.stream().mapToLong(Part::rows).sum();
  }

  /** Of all files. */
  Map<String, BigDecimal> sums() {
    Map<String, BigDecimal> sums = new LinkedHashMap<>();
    for (Part file : files) {
      file.sums().forEach((column, sum) -> sums.merge(column, sum, BigDecimal::add));
    }
    return sums;
  }

  /** Behind the last row that is in a whole file. */
  Optional<String> end() {
    return files.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(files.get(files.size() - 1).end());
  }

  ExportRecord started(Instant now, Map<String, Map<String, String>> positions) {
    return with(state, Optional.of(now), finished, reason, files, read, positions, ended);
  }

  ExportRecord running() {
    return with(ExportState.RUNNING, started, finished, reason, files, read, begun, ended);
  }

  /**
   * @param last whether all rows are there
   */
  ExportRecord with(Part file, boolean last, MapVersions versions) {
    List<Part> all = new ArrayList<>(files);
    all.add(file);
    return with(state, started, finished, reason, all, last, begun, ended).with(versions);
  }

  ExportRecord allRead(MapVersions versions) {
    return with(state, started, finished, reason, files, true, begun, ended).with(versions);
  }

  ExportRecord done(Instant now, Map<String, Map<String, String>> positions) {
    return with(ExportState.DONE, started, Optional.of(now), reason, files, read, begun, positions);
  }

  /** Its files go. */
  ExportRecord over(ExportState how, Instant now, String why) {
    return with(how, started, finished.or(() -> Optional.of(now)), why, files, read, begun, ended);
  }

  private ExportRecord with(MapVersions versions) {
    return new ExportRecord(
        id, state, caller, role, rights, run, written, columns, created, started, finished, reason,
        files, read, begun, ended, versions);
  }

  private ExportRecord with(
      ExportState newState,
      Optional<Instant> newStarted,
      Optional<Instant> newFinished,
      String newReason,
      List<Part> newFiles,
      boolean newRead,
      Map<String, Map<String, String>> newBegun,
      Map<String, Map<String, String>> newEnded) {
    return new ExportRecord(
        id,
        newState,
        caller,
        role,
        rights,
        run,
        written,
        columns,
        created,
        newStarted,
        newFinished,
        newReason,
        newFiles,
        newRead,
        newBegun,
        newEnded,
        mapVersions);
  }
}
