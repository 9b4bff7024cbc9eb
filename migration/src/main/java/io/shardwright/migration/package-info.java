/**
 * Moves of buckets between live shards: copy, catch up, verify, fenced cutover, roll back, clean up
 * (docs/decisions/moves.md). The protocol's model is in the tests, in package {@code model}.
 *
 * <p>Begin with {@link Moves}, what an operator does, or {@link MoveWorker}, which takes a move;
 * {@code MoveRun} has its states one after the other, {@code CatchUp}, {@code Copy} and {@code
 * Cutover} are what they do, {@code MoverConnection} is a shard as the mover sees it.
 */
package io.shardwright.migration;
