package io.shardwright.sql;

import static io.shardwright.sql.FunctionNames.words;

import java.util.Set;

/** What is known about functions and types of MariaDB 11.4. */
final class MariaDbFunctions {
  static final FunctionNames NAMES =
      new FunctionNames(
          words("count sum min max avg"),
          words("abs"),
          words("group_concat"),
          words("nextval"),
          words("get_lock"),
          words("database"),
          words("and or not in exists"));

  static final ValueForms VALUES =
      new ValueForms(words("count"), words("min max"), words("signed"), Set.of());

  private MariaDbFunctions() {}
}
