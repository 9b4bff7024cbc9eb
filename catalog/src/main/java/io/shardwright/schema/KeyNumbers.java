package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.NumberColumn;
import io.shardwright.config.IndexKind;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Table;
import java.util.List;
import java.util.Optional;

/** Columns of texts that carry the route key or the bucket. */
public final class KeyNumbers {
  /**
   * What keeps texts from routing.
   *
   * @param column at fault
   */
  record Problem(Column column, String action) {}

  private KeyNumbers() {}

  /** Whether a table has the column and its texts tell the bucket of their row. */
  public static boolean route(NumberColumn id, Configuration.Table declared, Table table) {
    return table.column(id.column()).isPresent() && problem(id, declared, table).isEmpty();
  }

  /** Those of the group that a table has. */
  static List<NumberColumn> of(Group group, Table table) {
    return group.ids().stream()
        .filter(NumberColumn.class::isInstance)
        .map(NumberColumn.class::cast)
        .filter(id -> table.column(id.column()).isPresent())
        .toList();
  }

  /** Whether a unique lookup index of this column alone finds texts of other formats. */
  static boolean mayBeAdopted(Group group, NumberColumn id) {
    return group.indexes().values().stream()
        .anyMatch(
            index ->
                index.kind() instanceof IndexKind.Unique
                    && index.columns().equals(List.of(id.column())));
  }

  static Optional<Problem> problem(NumberColumn id, Configuration.Table declared, Table table) {
    Optional<Column> text = table.column(id.column());
    if (text.isPresent() && !text.get().keyType().equals(Optional.of(KeyType.TEXT))) {
      return Optional.of(
          new Problem(
              text.get(),
              "make it a text whose collation compares byte for byte: of two texts that it takes"
                  + " for one, only one names the row's bucket"));
    }
    return declared.key().stream()
        .filter(name -> id.carriesKey())
        .flatMap(name -> table.column(name).stream())
        .filter(column -> !column.keyType().equals(Optional.of(KeyType.INTEGER)))
        .findFirst()
        .map(column -> new Problem(column, "use whole numbers: the pattern carries no others"));
  }
}
