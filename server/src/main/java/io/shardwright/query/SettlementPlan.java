package io.shardwright.query;

import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.PagePlan.TimeColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a request for a settlement wants to see of it.
 *
 * @param shown the columns of the answer
 * @param identity columns that identify rows and that the caller may see beside those
 * @param descending whether the newest row is the first
 * @param page where the page begins; empty: the first page of the number that the request chooses
 * @param fingerprint of cursors
 * @param seesAll whether the caller may see all that is kept, nothing masked
 */
record SettlementPlan(
    Content content,
    List<Shown> shown,
    List<Shown> identity,
    boolean descending,
    int limit,
    Duration timeout,
    Optional<Page> page,
    long fingerprint,
    boolean seesAll) {
  SettlementPlan {
    shown = List.copyOf(shown);
    identity = List.copyOf(identity);
  }

  /**
   * @param position rows that were given on the pages before
   */
  record Page(long number, long position) {}

  /**
   * What is kept, whoever asks for it.
   *
   * @param id of the query and of what its caller may see
   * @param columns of the file; the statement gives them first, then perhaps the bucket
   * @param bucket position of the bucket in the statement's rows, from 1
   * @param identity columns that, with the bucket, tell rows apart
   * @param byKey whether one shard has all rows
   */
  record Content(
      String id,
      TableShape table,
      TimeColumn time,
      Instant from,
      Instant cutOff,
      String sql,
      List<Object> parameters,
      List<Shown> columns,
      int bucket,
      List<String> identity,
      IndexCheck index,
      String shape,
      boolean byKey) {
    Content {
      parameters = List.copyOf(parameters);
      columns = List.copyOf(columns);
      identity = List.copyOf(identity);
    }

    List<String> names() {
      return columns.stream().map(Shown::name).toList();
    }
  }
}
