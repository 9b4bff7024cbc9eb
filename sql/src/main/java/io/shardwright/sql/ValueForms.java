package io.shardwright.sql;

import java.util.Set;

/**
 * Which expressions have values whose order is known from their form, in lower case.
 *
 * @param naturalFunctions functions of numbers and times
 * @param functionsOfTheirArguments functions whose value is one of their arguments
 * @param naturalTypes targets of casts
 * @param codePointCollations collations that compare text by code points
 */
record ValueForms(
    Set<String> naturalFunctions,
    Set<String> functionsOfTheirArguments,
    Set<String> naturalTypes,
    Set<String> codePointCollations) {}
