package io.shardwright.advisor.templates;

import java.util.Optional;

/**
 * One role of one column.
 *
 * @param table as the statement writes it, without alias; with its qualifier but for {@code
 *     public}; empty when the column is not qualified and several tables may have it
 * @param column folded as the database compares it
 */
public record ColumnUse(ColumnRole role, Optional<String> table, String column) {
  @Override
  public String toString() {
    return role + " " + table.orElse("?") + "." + column;
  }
}
