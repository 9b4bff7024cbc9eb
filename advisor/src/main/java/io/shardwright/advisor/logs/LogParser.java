package io.shardwright.advisor.logs;

/**
 * Turns the lines of one file into records. Keeps a bounded number of open statements, each of at
 * most {@value Draft#SQL_CHARS_MAX} characters. Not thread-safe.
 */
interface LogParser {
  /** The next line, without its end. Its number is in the tally. */
  void line(String line);

  /** After the last line: what is still open. */
  void end();
}
