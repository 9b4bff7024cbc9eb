/**
 * What tests and the demo need around a database: real embedded PostgreSQL servers ({@link
 * io.shardwright.testkit.EmbeddedPostgresServer}), a network that misbehaves ({@link
 * io.shardwright.testkit.TcpProxy}), seeded properties with shrinking ({@link
 * io.shardwright.testkit.Seeds}), a clock that is stepped ({@link
 * io.shardwright.testkit.TestingClock}).
 *
 * <p>Not for production data: servers run with fsync off unless asked otherwise.
 */
package io.shardwright.testkit;
