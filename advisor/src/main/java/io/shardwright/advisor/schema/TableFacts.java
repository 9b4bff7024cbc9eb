package io.shardwright.advisor.schema;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One table.
 *
 * @param types by column, in their order, as {@link ColumnType#of} writes them
 * @param unique the columns of the primary key and of every unique key
 * @param indexes the columns of every index, those of {@code unique} among them
 */
public record TableFacts(
    String name,
    Map<String, String> types,
    Set<String> notNull,
    List<List<String>> unique,
    List<List<String>> indexes,
    List<ForeignKey> foreignKeys) {
  /** Columns and what they refer to, position by position. */
  public record ForeignKey(List<String> columns, String table, List<String> referenced) {}

  public boolean isUnique(String column) {
    return unique.stream().anyMatch(key -> key.equals(List.of(column)));
  }
}
