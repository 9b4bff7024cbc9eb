package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.KeyType;
import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Merge.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** LIMIT and OFFSET of a statement; empty where they are expressions or left out. */
record WindowSlots(Optional<Slot> limit, Optional<Slot> offset) {
  private static final Set<String> FILLERS = Set.of("FIRST", "NEXT", "ROW", "ROWS", "ONLY", "ALL");

  static final WindowSlots NONE = new WindowSlots(Optional.empty(), Optional.empty());

  Window window(List<?> parameters) {
    OptionalLong rows =
        limit.isPresent() ? count("LIMIT", limit.get(), parameters) : OptionalLong.empty();
    long skipped = offset.isPresent() ? count("OFFSET", offset.get(), parameters).orElse(0) : 0;
    return new Window(skipped, rows);
  }

  /** MariaDB counts without a sign: 18446744073709551615 is its word for all rows. */
  private static boolean isUnsignedBeyondLong(Object value) {
    return (value instanceof BigDecimal || value instanceof BigInteger)
        && value.toString().matches("\\d{19,20}")
        && new BigInteger(value.toString()).bitLength() == Long.SIZE;
  }

  private static OptionalLong count(String clause, Slot slot, List<?> parameters) {
    Object value = slot.value(parameters);
    if (value == null && slot.dialect().nullIsNoLimit()) {
      return OptionalLong.empty();
    }
    if (value == null || (value instanceof CharSequence && !slot.dialect().nullIsNoLimit())) {
      throw new ShardwrightException(
          ErrorCode.LIMIT_INVALID, clause + " must be a number on this database, not NULL or text");
    }
    if (!slot.dialect().nullIsNoLimit() && isUnsignedBeyondLong(value)) {
      return OptionalLong.of(Long.MAX_VALUE);
    }
    Optional<Object> number = KeyType.INTEGER.canonical(value);
    if (number.isEmpty() || (Long) number.get() < 0) {
      throw new ShardwrightException(
          ErrorCode.LIMIT_INVALID, clause + " must be a whole number that is not negative");
    }
    return OptionalLong.of((Long) number.get());
  }

  static WindowSlots of(SqlTokens tokens, BlockReader.Blocks blocks) {
    return blocks.top().map(block -> of(tokens, block)).orElse(NONE);
  }

  /** False when one of them is an expression. */
  static boolean arePlain(SqlTokens tokens, BlockReader.Blocks blocks) {
    return blocks.top().stream().allMatch(block -> isPlain(tokens, block));
  }

  private static WindowSlots of(SqlTokens tokens, Block block) {
    Optional<Clause> limit = block.clauses.find("LIMIT").or(() -> block.clauses.find("FETCH"));
    Optional<Clause> offset = block.clauses.find("OFFSET");
    List<Range> both = limit.map(clause -> clause.range().items(tokens)).orElse(List.of());
    if (both.size() == 2) {
      return new WindowSlots(
          slot(tokens, limit.get(), both.get(1)), slot(tokens, limit.get(), both.get(0)));
    }
    return new WindowSlots(
        limit.flatMap(clause -> slot(tokens, clause, clause.range())),
        offset.flatMap(clause -> slot(tokens, clause, clause.range())));
  }

  private static boolean isPlain(SqlTokens tokens, Block block) {
    return Stream.of("LIMIT", "FETCH", "OFFSET")
        .flatMap(name -> block.clauses.find(name).stream())
        .flatMap(
            clause ->
                clause.range().size() == 0 ? Stream.of() : clause.range().items(tokens).stream())
        .map(range -> value(tokens, range))
        .allMatch(value -> value.size() == 0 || Slot.of(tokens, value).isPresent());
  }

  /** The number of the clause; empty for an expression and where there is none. */
  private static Optional<Slot> slot(SqlTokens tokens, Clause clause, Range range) {
    Range value = value(tokens, range);
    if (value.size() == 0) {
      return clause.name().equals("FETCH")
          ? Optional.of(new Slot.Literal(1L, Optional.empty(), tokens.dialect()))
          : Optional.empty();
    }
    return Slot.of(tokens, value);
  }

  /**
   * The number in LIMIT 5, LIMIT ALL, OFFSET ? ROWS, FETCH FIRST 5 ROWS ONLY, FETCH FIRST ROW ONLY.
   */
  private static Range value(SqlTokens tokens, Range range) {
    int from = range.from();
    int to = range.to();
    while (from < to && FILLERS.contains(tokens.get(from).keyword())) {
      from++;
    }
    while (to > from
        && (FILLERS.contains(tokens.get(to - 1).keyword())
            || tokens.isAt(to - 1, "TIES")
            || tokens.isAt(to - 1, "WITH"))) {
      to--;
    }
    return new Range(from, to);
  }
}
