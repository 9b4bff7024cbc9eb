package io.shardwright.schema;

import java.util.List;

/**
 * What {@link Apply} did and found.
 *
 * @param created objects that this run made, e.g. {@code catalog: group orders}
 * @param existing objects that were there before
 * @param problems to be solved before the shards may be used
 * @param warnings to be known
 */
public record ApplyReport(
    List<String> created, List<String> existing, List<Finding> problems, List<Finding> warnings) {
  public ApplyReport {
    created = List.copyOf(created);
    existing = List.copyOf(existing);
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  public boolean ok() {
    return problems.isEmpty();
  }
}
