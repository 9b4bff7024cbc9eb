package io.shardwright.driver;

/**
 * Told of every statement, after it was executed or refused and before its rows are read. Called by
 * the thread that runs the statement: it must be quick. What it throws is logged and goes no
 * further.
 */
@FunctionalInterface
public interface StatementListener {
  void executed(StatementTrace trace);
}
