package io.shardwright.sql;

import java.util.Set;

/**
 * What is known about the functions of a database, all in lower case.
 *
 * @param mergeable aggregates whose partial results combine
 * @param scalar values of one row
 * @param tableless further ones that read no table: aggregates, window functions, clocks
 * @param stateful those with a memory of their own on each shard, so that shards would give equal
 *     answers twice
 * @param locks stateful ones that lock what one shard alone knows of, until the transaction ends
 * @param moments those with one value for a whole statement; {@code name/n}: with n arguments only;
 *     {@code 'text'}: a text that is read as one
 * @param random those with another value each time
 * @param session those whose effect or answer is that of one session on one shard, also where the
 *     route key is given: settings, locks, last numbers, sizes, queries as texts
 * @param ofSchema about the schema and the user, which are alike on every shard
 * @param noFunctions words before a parenthesis that are no function names
 */
record FunctionNames(
    Set<String> mergeable,
    Set<String> scalar,
    Set<String> tableless,
    Set<String> stateful,
    Set<String> locks,
    Set<String> moments,
    Set<String> random,
    Set<String> session,
    Set<String> ofSchema,
    Set<String> noFunctions) {

  /** The words of a text. */
  static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  boolean isScalar(String name) {
    return scalar.contains(name);
  }

  /** True for functions that are known to read no table. */
  boolean isTableless(String name) {
    return scalar.contains(name)
        || mergeable.contains(name)
        || tableless.contains(name)
        || random.contains(name)
        || isMoment(name, 0);
  }

  /** True for functions that are known to combine no rows and to give one value. */
  boolean isOfOneRow(String name) {
    return scalar.contains(name) || random.contains(name) || isMoment(name, 0);
  }

  boolean isStateful(String name) {
    return stateful.contains(name) || locks.contains(name);
  }

  /** True for functions that give the moment of the statement. */
  boolean isMoment(String name, int arguments) {
    return moments.contains(name) || moments.contains(name + "/" + arguments);
  }
}
