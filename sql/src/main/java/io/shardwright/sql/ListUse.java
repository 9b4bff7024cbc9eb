package io.shardwright.sql;

import java.util.Optional;

/**
 * What a list index had to do with a route.
 *
 * @param index {@code group.index}
 * @param keys of rows that it named; 0 where it answers alone
 * @param unfilled LIMIT and OFFSET of a page that more keys could fill, should rows be missing
 */
public record ListUse(String index, Path path, int keys, Optional<Merge.Window> unfilled) {

  /** What is read where. */
  public enum Path {
    /** The entries are the answer. */
    COVERED,
    /** The entries name the rows of one page. */
    PAGE,
    /** The entries name all rows of the values. */
    KEYS
  }
}
