package io.shardwright.sql;

import java.util.Set;

/**
 * How a last statement gets the shards' rows and names types.
 *
 * @param arrays true for one array per column and {@code unnest}, false for one JSON text
 * @param castBefore in front of a value that is cast
 * @param castBetween between the value and its type
 * @param bigint the type of a count in a cast
 * @param keepsTypes true when the rows have their columns' own types, lengths and scales
 * @param combined aggregates whose partial results are combined by themselves
 */
record LastStepForm(
    boolean arrays,
    String castBefore,
    String castBetween,
    String bigint,
    boolean keepsTypes,
    Set<String> combined) {
  static final LastStepForm ARRAYS =
      new LastStepForm(
          true,
          "(",
          "::",
          "int8",
          false,
          Set.of("min", "max", "bool_and", "bool_or", "every", "bit_and", "bit_or", "bit_xor"));

  static final LastStepForm JSON =
      new LastStepForm(
          false,
          "CAST(",
          " AS ",
          "SIGNED",
          true,
          Set.of("min", "max", "bit_and", "bit_or", "bit_xor"));
}
