package io.shardwright.config;

/**
 * One mistake in a configuration file.
 *
 * @param line from 1
 * @param column from 1
 * @param key dotted path, e.g. {@code shards.s0.pool.max} or {@code groups.orders.key[1]}; empty
 *     for the file as a whole
 * @param message what is wrong; never holds a password
 * @param instead what to write
 */
public record Problem(int line, int column, String key, String message, String instead) {
  @Override
  public String toString() {
    return (key.isEmpty() ? "" : key + ": ") + message + "; " + instead;
  }
}
