package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The functions that a statement calls. One that {@link FunctionNames} does not list may be an
 * aggregate of the user's, which must not be taken for a value of one row.
 */
final class Functions {
  /** Words before a parenthesis that go on with the call before them. */
  private static final Set<String> CALL_CLAUSES = Set.of("over", "filter", "group");

  private Functions() {}

  /** Refuses functions that mean something in one connection to one database only. */
  static void requireNoSession(SqlTokens tokens) {
    firstCall(tokens, tokens.functions().session()::contains)
        .ifPresent(
            name -> {
              throw BlockReader.unsupported(
                  "the function "
                      + name
                      + ", whose effect or answer is that of one session on one shard,");
            });
  }

  /** Refuses locks that one shard alone would know of; single tables have one shard. */
  static void requireNoLockOfOneShard(SqlTokens tokens) {
    firstCall(tokens, tokens.functions().locks()::contains)
        .ifPresent(
            name -> {
              throw BlockReader.unsupported(
                  "the function "
                      + name
                      + " in a statement on sharded tables, whose lock one shard alone would know"
                      + " of,");
            });
  }

  /** The first stateful function that the text calls. */
  static Optional<String> statefulCall(SqlTokens tokens) {
    return firstCall(tokens, tokens.functions()::isStateful);
  }

  /**
   * The first function that the text calls and that might read tables itself, as a user's function
   * can. Stateful ones are told by {@link #statefulCall}.
   */
  static Optional<String> callOfUnknown(SqlTokens tokens) {
    FunctionNames known = tokens.functions();
    return firstCall(
        tokens,
        name ->
            !known.isTableless(name)
                && !known.ofSchema().contains(name)
                && !known.isStateful(name)
                && !CALL_CLAUSES.contains(name));
  }

  private static Optional<String> firstCall(SqlTokens tokens, Predicate<String> wanted) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (isCall(tokens, i) && wanted.test(nameAt(tokens, i))) {
        return Optional.of(nameAt(tokens, i));
      }
    }
    return Optional.empty();
  }

  /** Names, in lower case, of the functions called in a range, outside its subqueries. */
  static List<String> calls(SqlTokens tokens, Range range) {
    List<String> calls = new ArrayList<>();
    for (int i = range.from(); i < range.to(); i++) {
      if (tokens.isSymbolAt(i, "(")
          && (tokens.isAt(i + 1, "SELECT") || tokens.isAt(i + 1, "WITH"))) {
        i = tokens.closing(i);
      } else if (isCall(tokens, i)) {
        calls.add(nameAt(tokens, i));
      }
    }
    return calls;
  }

  static boolean isCall(SqlTokens tokens, int index) {
    boolean namesColumns =
        tokens.isAt(index - 1, "AS")
            || tokens.isSymbolAt(index - 1, ")")
            || (tokens.isSymbolAt(index + 1, "(") && isCommonTable(tokens, index));
    return tokens.get(index).isName()
        && tokens.isSymbolAt(index + 1, "(")
        && !namesColumns
        && (tokens.get(index).kind() == SqlTokens.Kind.QUOTED
            || !tokens.functions().noFunctions().contains(nameAt(tokens, index)));
  }

  /** {@code name (columns) AS (SELECT ...)}: a name of WITH. */
  private static boolean isCommonTable(SqlTokens tokens, int index) {
    int at = tokens.closing(index + 1) + 1;
    if (!tokens.isAt(at, "AS")) {
      return false;
    }
    at += tokens.isAt(at + 1, "NOT") ? 2 : 1;
    at += tokens.isAt(at, "MATERIALIZED") ? 1 : 0;
    return tokens.isSymbolAt(at, "(")
        && (tokens.isAt(at + 1, "SELECT")
            || tokens.isAt(at + 1, "VALUES")
            || tokens.isAt(at + 1, "WITH"));
  }

  private static String nameAt(SqlTokens tokens, int index) {
    return tokens.name(index).toLowerCase(Locale.ROOT);
  }
}
