/**
 * SQL logs of databases and proxies, read as one stream of executed statements.
 *
 * <p>Main flow: {@link io.shardwright.advisor.logs.SqlLogs} opens a file and tells its format from
 * its content ({@link io.shardwright.advisor.logs.LogFormat}), one parser per format turns lines
 * into {@link io.shardwright.advisor.logs.LogRecord}s, and {@link
 * io.shardwright.advisor.logs.LogFile} says what became of every line.
 */
package io.shardwright.advisor.logs;
