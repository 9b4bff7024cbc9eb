/**
 * Shardwright beside other ways to reach the same rows.
 *
 * <p>{@link io.shardwright.bench.compare.Comparison} gives each side its turns; {@code Stand} has
 * the databases; {@code Contestant} is the process of one side, in which {@code Runner} runs the
 * {@code Workloads} against an {@code Opponent}. Workloads are written once, for all sides.
 */
package io.shardwright.bench.compare;
