package io.shardwright.migration;

/** Told before and after each change that a worker makes: where a test stops or kills it. */
interface Steps {
  Steps NONE = step -> {};

  void reached(String step);
}
