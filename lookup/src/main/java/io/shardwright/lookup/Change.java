package io.shardwright.lookup;

import java.util.Optional;

/**
 * What a statement did to the indexed values of a row.
 *
 * @param old empty: there was no row, or a NULL among its values
 * @param now the same afterwards
 */
record Change(RowId row, Optional<Value> old, Optional<Value> now) {}
