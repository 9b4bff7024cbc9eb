/**
 * Moves of buckets between live shards: copy, catch up, verify, fenced cutover, roll back, clean up
 * (docs/decisions/moves.md). The protocol's model is in the tests, in package {@code model}.
 *
 * <p>Small because: the model came first.
 */
package io.shardwright.migration;
