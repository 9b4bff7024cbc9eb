package io.shardwright.sql;

import io.shardwright.sql.Schema.LookupIndex;
import java.util.List;
import java.util.Optional;

/** A plan of a text that was read into tokens. */
interface TextPlan extends Plan {
  Traits traits();

  /** What a plan says of its statement, whatever the parameters. */
  record Traits(
      SqlTokens tokens,
      Kind kind,
      boolean returnsRows,
      boolean locksOrWrites,
      Optional<String> group,
      List<LookupIndex> maintained) {
    /** Of a statement that changes no entry of an index. */
    Traits(
        SqlTokens tokens,
        Kind kind,
        boolean returnsRows,
        boolean locksOrWrites,
        Optional<String> group) {
      this(tokens, kind, returnsRows, locksOrWrites, group, List.of());
    }
  }

  @Override
  default String sql() {
    return traits().tokens().sql();
  }

  @Override
  default Kind kind() {
    return traits().kind();
  }

  @Override
  default boolean returnsRows() {
    return traits().returnsRows();
  }

  @Override
  default Hints hints() {
    return traits().tokens().hints();
  }

  @Override
  default int parameterCount() {
    return traits().tokens().parameters().size();
  }

  @Override
  default Optional<String> group() {
    return traits().group();
  }

  @Override
  default boolean locksOrWrites() {
    return traits().locksOrWrites();
  }

  @Override
  default boolean showsRows() {
    return false;
  }

  @Override
  default List<LookupIndex> maintained() {
    return traits().maintained();
  }
}
