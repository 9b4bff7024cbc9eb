package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import java.util.List;

/** A list index as one execution of a statement uses it. Asking blocks: the index is on shards. */
public interface ListAccess {

  /**
   * Rows whose changes the index may not have yet, which was asked before anything else. Empty when
   * the answer may lack them.
   */
  List<ListIndex.Row> pending();

  /**
   * How many times its rows a page asks for: 1, and more when rows were missing; 0 where nobody
   * would notice that they are.
   */
  int pageFactor();

  /**
   * The rows that entries name.
   *
   * @param keys gives for each its bucket, then its primary key
   * @throws ShardwrightException when the shards of the index do not answer
   */
  List<ListIndex.Row> rows(Merge.Part keys);
}
