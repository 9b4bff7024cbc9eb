package io.shardwright.sql;

import java.util.Optional;

/**
 * An ORDER BY item taken apart; NULLs stand as the database puts them unless the item says
 * otherwise.
 */
record OrderItem(Range expression, boolean descending, boolean nullsFirst) {
  static OrderItem of(SqlTokens tokens, Range item) {
    int to = item.to();
    Optional<Boolean> nullsFirst = Optional.empty();
    if (tokens.isAt(to - 2, "NULLS")) {
      nullsFirst = Optional.of(tokens.isAt(to - 1, "FIRST"));
      to -= 2;
    }
    boolean descending = tokens.isAt(to - 1, "DESC");
    to -= descending || tokens.isAt(to - 1, "ASC") ? 1 : 0;
    return new OrderItem(
        new Range(item.from(), to),
        descending,
        nullsFirst.orElseGet(() -> tokens.dialect().nullsFirst(descending)));
  }
}
