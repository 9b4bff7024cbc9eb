package io.shardwright.schema;

import java.math.BigDecimal;

/**
 * The content of a reference table, independent of the order of its rows: their number and the sums
 * of both halves of each row's MD5. Those of two products differ.
 */
record ReferenceDigest(long rows, BigDecimal high, BigDecimal low) {}
