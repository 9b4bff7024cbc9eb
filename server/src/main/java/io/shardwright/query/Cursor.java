package io.shardwright.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where a page ended. It says nothing about where rows are: a bucket may move between two pages.
 *
 * @param fingerprint of the query, 8 bytes
 * @param mapVersion of the bucket map that routed the page, for people; -1: none
 * @param lacking whether shards were missing from this page, or one before it
 * @param values of the last row's sort keys as they are shown, null for NULL
 */
record Cursor(long fingerprint, long mapVersion, boolean lacking, List<String> values) {
  Cursor {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }
}
