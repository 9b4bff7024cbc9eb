package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Aliases for select items without one, where the database names an output column by its text and
 * the text is changed for a shard: the name stays that of the statement.
 */
final class KeptLabels {
  /** Of a name; a longer text is cut by the database, in its own way. */
  private static final int CHARS_MAX = 200;

  private KeptLabels() {}

  /**
   * What is to be inserted behind select items that are changed, by the token behind them.
   *
   * @param changed whether the text of an expression is changed
   * @throws ShardwrightException SW208 when a name is not known
   */
  static Map<Integer, String> of(SqlTokens tokens, List<Block> blocks, Predicate<Range> changed) {
    Map<Integer, String> aliases = new TreeMap<>();
    for (Item item : items(tokens, blocks)) {
      if (changed.test(item.range)) {
        item.requireKnown(tokens);
        aliases.put(item.range.to(), item.alias(tokens));
      }
    }
    return aliases;
  }

  /**
   * The edits with the aliases of the items that they change, without those edits that would change
   * a name that is not known.
   */
  static List<Edit> with(List<Edit> edits, SqlTokens tokens, List<Block> blocks) {
    List<Edit> kept = new ArrayList<>(edits);
    for (Item item : items(tokens, blocks)) {
      int from = tokens.get(item.range.from()).start();
      int to = tokens.get(item.range.to() - 1).end();
      Predicate<Edit> inside = edit -> from < edit.from() && edit.from() < to;
      if (!item.isKnown(tokens)) {
        kept.removeIf(inside);
      } else if (kept.stream().anyMatch(inside)) {
        kept.add(new Edit.Replace(to, to, item.alias(tokens)));
      }
    }
    return kept;
  }

  /**
   * @throws ShardwrightException SW208 when the name of an item is not known
   */
  static void requireKnown(SqlTokens tokens, SelectList items, int item) {
    if (tokens.dialect().namesColumnsByText() && !items.isNamed(item)) {
      new Item(items.expression(item), items.label(item)).requireKnown(tokens);
    }
  }

  /** A select item without a name of its own. */
  private record Item(Range range, String label) {
    boolean isKnown(SqlTokens tokens) {
      return label.length() <= CHARS_MAX && !tokens.hasParameter(range);
    }

    void requireKnown(SqlTokens tokens) {
      if (!isKnown(tokens)) {
        throw SelectMerge.refused(
            "a select item that has no name and holds a parameter or a long subquery",
            "the database names it by its text, which differs on the shards; add AS and a name");
      }
    }

    String alias(SqlTokens tokens) {
      return " AS " + tokens.dialect().quote(label);
    }
  }

  private static List<Item> items(SqlTokens tokens, List<Block> blocks) {
    List<Item> unnamed = new ArrayList<>();
    if (!tokens.dialect().namesColumnsByText()) {
      return unnamed;
    }
    for (Block block : blocks) {
      if (tokens.isAt(block.clauses.start(), "SELECT")) {
        SelectList items = SelectList.of(tokens, block);
        for (int i = 0; i < items.size(); i++) {
          if (!items.isNamed(i)) {
            unnamed.add(new Item(items.expression(i), items.label(i)));
          }
        }
      }
    }
    return unnamed;
  }
}
