package io.shardwright.cli;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Plan;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The values of a statement's {@code ?}. */
final class ParameterOption {
  static final String NULL = "\\N";

  @Option(
      names = {"-p", "--param"},
      paramLabel = "VALUE",
      description = {
        "Value of the next ? of the statement, as text that the database reads by the type of the"
            + " place it stands in. \\N is NULL."
      })
  private List<String> given = new ArrayList<>();

  /** In order; null is SQL NULL. */
  List<String> values() {
    return given.stream().map(text -> text.equals(NULL) ? null : text).toList();
  }

  void check(Plan plan) {
    if (plan.parameterCount() != given.size()) {
      throw new ShardwrightException(
          ErrorCode.PARAMETER_MISSING,
          "the statement has "
              + count(plan.parameterCount(), "parameter (?)", "parameters (?)")
              + ", --param gives "
              + count(given.size(), "value", "values")
              + "; give one --param for each ?");
    }
  }

  static String count(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }
}
