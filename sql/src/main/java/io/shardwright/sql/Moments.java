package io.shardwright.sql;

import io.shardwright.sql.BlockReader.Blocks;
import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.SqlTokens.Kind;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What one database computes once for a statement: the moment that {@code now()} gives, and a
 * subquery without tables that calls {@code random()}.
 *
 * <p>Problem: each shard has a moment of its own, so that rows of one answer would tell several.
 * Idea: such a value is left to the last step of a gathering, which runs once. In conditions
 * (WHERE, ON, HAVING, FILTER) the moment stays each shard's own, as its snapshot does.
 */
final class Moments {
  /** These may stand without parentheses. */
  private static final Set<String> WORDS =
      Set.of(
          "current_date",
          "current_time",
          "current_timestamp",
          "localtime",
          "localtimestamp",
          "utc_date",
          "utc_time",
          "utc_timestamp");

  /** Words in front of a text that say its type. */
  private static final Set<String> TYPES =
      Set.of("DATE", "TIME", "TIMETZ", "TIMESTAMP", "TIMESTAMPTZ", "ZONE");

  private final SqlTokens tokens;
  private final Blocks blocks;

  Moments(SqlTokens tokens, Blocks blocks) {
    this.tokens = tokens;
    this.blocks = blocks;
  }

  /**
   * @throws io.shardwright.errors.ShardwrightException SW208 when shards would compute such a value
   */
  void refuse() {
    for (int i = 0; i < tokens.size(); i++) {
      if (isValue(i)) {
        throw refused(i);
      }
    }
  }

  /** Refuses a part with such a value, when another moment stands outside the part. */
  void refuseSecond(Range part) {
    for (int i = part.from(); i < part.to(); i++) {
      if (isValue(i) && isOutside(part)) {
        throw refused(i);
      }
    }
  }

  private RuntimeException refused(int index) {
    return SelectMerge.refused(
        "the value of " + tokens.get(index).text(),
        "one database takes one for the whole statement, and each shard its own; give it as a"
            + " parameter");
  }

  private boolean isOutside(Range part) {
    for (int i = 0; i < tokens.size(); i++) {
      if (!part.contains(i) && isMoment(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isValue(int index) {
    return isMoment(index) ? !isInCondition(index) : isDrawnOnce(index);
  }

  private boolean isMoment(int index) {
    String name = tokens.get(index).isName() ? tokens.name(index) : "";
    if (Functions.isCall(tokens, index)) {
      Range arguments = new Range(index + 2, tokens.closing(index + 1));
      return tokens.functions().isMoment(name, arguments.items(tokens).size());
    }
    if (tokens.get(index).kind() == Kind.STRING) {
      return isMomentAsText(index);
    }
    return tokens.get(index).kind() == Kind.WORD
        && WORDS.contains(name)
        && tokens.functions().isMoment(name, 0)
        && !tokens.isSymbolAt(index - 1, ".")
        && !tokens.isAt(index - 1, "AS");
  }

  /** {@code 'now'::timestamptz}, {@code date 'today'}, {@code CAST('now' AS timestamp)}. */
  private boolean isMomentAsText(int index) {
    boolean cast = tokens.isAt(index + 1, "AS") && tokens.isAt(index - 2, "CAST");
    boolean typed = index > 0 && TYPES.contains(tokens.get(index - 1).keyword());
    return (cast || typed || tokens.isSymbolAt(index + 1, "::"))
        && tokens.functions().isMoment(tokens.get(index).text().toLowerCase(Locale.ROOT), 0);
  }

  private boolean isInCondition(int index) {
    Optional<Block> block = blocks.around(index);
    boolean clause =
        block.stream()
            .flatMap(b -> Stream.of("WHERE", "HAVING").flatMap(n -> b.clauses.find(n).stream()))
            .map(Clause::range)
            .anyMatch(range -> range.contains(index));
    boolean on =
        block.stream()
            .flatMap(b -> b.sources.stream())
            .flatMap(source -> source.on.stream())
            .anyMatch(range -> range.contains(index));
    return clause || on || isInFilter(index);
  }

  private boolean isInFilter(int index) {
    for (int i = index - 1; i > 0; i--) {
      if (tokens.isSymbolAt(i, "(") && tokens.isAt(i - 1, "FILTER") && tokens.closing(i) > index) {
        return true;
      }
    }
    return false;
  }

  /** Another value for each row, but inside {@code (SELECT random())}. */
  private boolean isDrawnOnce(int index) {
    return Functions.isCall(tokens, index)
        && tokens.functions().random().contains(tokens.name(index))
        && !blocks.around(index).equals(blocks.top())
        && blocks.around(index).filter(block -> block.sources.isEmpty()).isPresent();
  }
}
