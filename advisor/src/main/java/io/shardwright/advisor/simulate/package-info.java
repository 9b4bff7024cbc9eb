/**
 * How a key spreads: keys of a file over buckets and shards, under our hash and under others.
 *
 * <p>Main flow: {@link io.shardwright.advisor.simulate.KeyFile} streams keys with their rows,
 * {@link io.shardwright.advisor.simulate.Simulation} counts them into every layout at once, {@link
 * io.shardwright.advisor.simulate.SimulationReport} draws the result.
 */
package io.shardwright.advisor.simulate;
