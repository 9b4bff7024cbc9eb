package io.shardwright.sql;

import io.shardwright.sql.SqlTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the clauses of one query block stand, by keyword and parenthesis depth. The words looked
 * for are reserved, so that at the block's own depth they are no column names unless quoted,
 * qualified or behind AS.
 */
final class Clauses {
  private static final Set<String> SET_OPERATIONS = Set.of("UNION", "INTERSECT", "EXCEPT");

  /**
   * A clause.
   *
   * @param keyword index of its first keyword token
   * @param from index of its first token after the keywords
   * @param to index of the first token behind it
   */
  record Clause(String name, int keyword, int from, int to) {
    Range range() {
      return new Range(from, to);
    }
  }

  private final SqlTokens tokens;
  private final int start;
  private final int end;
  private final List<Clause> clauses = new ArrayList<>();

  private Clauses(SqlTokens tokens, int start, int end) {
    this.tokens = tokens;
    this.start = start;
    this.end = end;
  }

  /**
   * The clauses of the block whose first keyword (SELECT, UPDATE, DELETE, INSERT) is token {@code
   * start}.
   */
  static Clauses of(SqlTokens tokens, int start) {
    int depth = tokens.get(start).depth();
    int end = start + 1;
    List<Integer> marks = new ArrayList<>();
    while (end < tokens.size() && tokens.get(end).depth() >= depth) {
      Token token = tokens.get(end);
      if (token.depth() == depth && token.kind() == SqlTokens.Kind.WORD && !isName(tokens, end)) {
        if (SET_OPERATIONS.contains(token.keyword())) {
          break;
        }
        boolean word = tokens.dialect().keywords().clauses().contains(token.keyword());
        if (word && !isPartOfAnother(tokens, start, end)) {
          marks.add(end);
        }
      }
      end++;
    }
    Clauses result = new Clauses(tokens, start, end);
    for (int i = 0; i < marks.size(); i++) {
      int mark = marks.get(i);
      boolean by = tokens.isAt(mark + 1, "BY");
      int next = i + 1 < marks.size() ? marks.get(i + 1) : end;
      result.clauses.add(
          new Clause(tokens.get(mark).keyword(), mark, by ? mark + 2 : mark + 1, next));
    }
    return result;
  }

  /**
   * SET is a plain name outside UPDATE, USING part of a join outside DELETE, GROUP without BY part
   * of an aggregate, WINDOW a name where no definition follows.
   */
  private static boolean isPartOfAnother(SqlTokens tokens, int start, int index) {
    return switch (tokens.get(index).keyword()) {
      case "SET" -> !tokens.isAt(start, "UPDATE");
      case "USING" -> !tokens.isAt(start, "DELETE") || tokens.dialect().isJoinUsing(tokens, index);
      case "GROUP", "ORDER" -> !tokens.isAt(index + 1, "BY");
      case "WINDOW" -> !tokens.isAt(index + 2, "AS");
      default -> false;
    };
  }

  /** True when the word at {@code index} is a name in spite of its spelling. */
  private static boolean isName(SqlTokens tokens, int index) {
    boolean distinctFrom =
        tokens.isAt(index, "FROM")
            && tokens.isAt(index - 1, "DISTINCT")
            && (tokens.isAt(index - 2, "IS") || tokens.isAt(index - 2, "NOT"));
    return tokens.isSymbolAt(index - 1, ".") || tokens.isKeyword(index - 1, "AS") || distinctFrom;
  }

  Optional<Clause> find(String name) {
    return clauses.stream().filter(clause -> clause.name().equals(name)).findFirst();
  }

  /** FOR UPDATE and its like, LOCK IN SHARE MODE. */
  boolean locks() {
    return find("FOR").isPresent() || find("LOCK").isPresent();
  }

  /** Index of the block's first keyword. */
  int start() {
    return start;
  }

  /** Index of the first token behind the block. */
  int end() {
    return end;
  }

  /** The tokens between the block's keyword and its first clause: the select list. */
  Clause head() {
    int to = clauses.isEmpty() ? end : clauses.get(0).keyword();
    return new Clause("", start, start + 1, to);
  }

  /** LIMIT, OFFSET and FETCH, which stand together in any order. */
  Optional<Clause> window() {
    List<Clause> parts =
        clauses.stream()
            .filter(c -> Set.of("LIMIT", "OFFSET", "FETCH").contains(c.name()))
            .toList();
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Clause(
                "LIMIT",
                parts.get(0).keyword(),
                parts.get(0).from(),
                parts.get(parts.size() - 1).to()));
  }

  /** The character behind the last token before token {@code index}. */
  int endBefore(int index) {
    return tokens.get(index - 1).end();
  }

  /** Where a WHERE clause would be inserted: behind the FROM clause (for UPDATE: or SET). */
  int endOfSources() {
    int place = endBefore(head().to());
    for (Clause clause : clauses) {
      if (Set.of("FROM", "USING", "SET").contains(clause.name())) {
        place = endBefore(clause.to());
      }
    }
    return place;
  }
}
