/**
 * Bad paths, measured: traffic of known requests on databases of its own, with every answer
 * compared with what was loaded. {@link io.shardwright.cli.loadtest.LoadTest} is the flow, {@link
 * io.shardwright.cli.loadtest.Scenario} names what there is, {@link
 * io.shardwright.cli.loadtest.OpenLoop} sends.
 */
package io.shardwright.cli.loadtest;
