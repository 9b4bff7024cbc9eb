/**
 * The {@code shardwright} command (docs/cli.md).
 *
 * <p>Main flow: {@link io.shardwright.cli.Main} parses the command line, one class per command does
 * the work and returns its exit code, {@link io.shardwright.cli.Failure} turns whatever is thrown
 * into one paragraph or one JSON object and the exit code that docs/cli.md promises.
 */
package io.shardwright.cli;
