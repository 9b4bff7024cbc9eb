package io.shardwright.sql;

import io.shardwright.sql.Facts.ColumnRef;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** The select list of a block, and which of its items ORDER BY and GROUP BY mean. */
final class SelectList {
  private final SqlTokens tokens;
  private final Block block;
  private final List<SelectItem> items;
  private final boolean distinct;
  private final boolean star;

  private SelectList(SqlTokens tokens, Block block) {
    this.tokens = tokens;
    this.block = block;
    Range head = block.clauses.head().range();
    int first = head.from();
    boolean onlyDistinct = false;
    while (first < head.to() && isOption(tokens, first)) {
      onlyDistinct |= tokens.isAt(first, "DISTINCT") || tokens.isAt(first, "DISTINCTROW");
      first++;
    }
    this.distinct = onlyDistinct;
    this.items = SelectItem.of(tokens, new Range(first, head.to()));
    this.star = items.stream().anyMatch(item -> item.isStar(tokens));
  }

  static SelectList of(SqlTokens tokens, Block block) {
    return new SelectList(tokens, block);
  }

  boolean distinct() {
    return distinct;
  }

  /** True when an item is {@code *}, so that the number of columns is not known. */
  boolean star() {
    return star;
  }

  int size() {
    return items.size();
  }

  Range expression(int item) {
    return items.get(item).expression();
  }

  private static boolean isOption(SqlTokens tokens, int index) {
    return tokens.isAt(index, "DISTINCT")
        || tokens.isAt(index, "ALL")
        || tokens.dialect().isSelectOption(tokens, index);
  }

  /** True for {@code *} and {@code t.*}. */
  boolean isStar(int item) {
    return items.get(item).isStar(tokens);
  }

  /** True when it is {@code *} or has an alias. */
  boolean isNamed(int item) {
    return items.get(item).alias().isPresent() || items.get(item).isStar(tokens);
  }

  /** The label that the database gives the output column. */
  String label(int item) {
    return items
        .get(item)
        .alias()
        .orElseGet(() -> tokens.dialect().label(tokens, expression(item)));
  }

  List<Range> expressions() {
    return items.stream().map(SelectItem::expression).toList();
  }

  /**
   * Number (0-based) of the select item that an ORDER BY expression means. A bare name is an output
   * column first and an input column second.
   */
  Optional<Integer> ordered(Range expression) {
    Optional<Integer> ordinal = ordinalItem(expression);
    if (ordinal.isPresent()) {
      return ordinal;
    }
    Optional<Integer> named = Optional.empty();
    for (int i = 0; i < items.size(); i++) {
      if (isNamed(expression, i)) {
        boolean other = named.isPresent() && !sameMeaning(expression(named.get()), expression(i));
        if (star || other) {
          throw SelectMerge.refused(
              "ORDER BY " + expression.text(tokens), "several output columns may have that name");
        }
        named = Optional.of(named.orElse(i));
      }
    }
    if (named.isPresent()) {
      return named;
    }
    return star ? Optional.empty() : itemMeaning(expression);
  }

  /** The same for GROUP BY, where a bare name is an input column first. */
  Optional<Integer> grouped(Range expression) {
    Optional<Integer> item = ordinalItem(expression).or(() -> itemMeaning(expression));
    if (item.isPresent() || block.column(tokens, expression).isPresent()) {
      return item;
    }
    for (int i = 0; i < items.size(); i++) {
      if (isNamed(expression, i)) {
        if (item.isPresent()) {
          throw SelectMerge.refused(
              "GROUP BY " + expression.text(tokens), "several output columns have that name");
        }
        item = Optional.of(i);
      }
    }
    return item;
  }

  /** {@code ORDER BY 2} means the second select item. */
  private Optional<Integer> ordinalItem(Range expression) {
    if (expression.size() != 1 || tokens.get(expression.from()).kind() != SqlTokens.Kind.NUMBER) {
      return Optional.empty();
    }
    String text = expression.text(tokens);
    BigDecimal number = text.matches("[0-9]{1,9}") ? new BigDecimal(text) : BigDecimal.ZERO;
    if (star || number.signum() == 0 || number.intValue() > items.size()) {
      throw SelectMerge.refused(
          "position " + text, "the select list has no such item that can be told");
    }
    return Optional.of(number.intValue() - 1);
  }

  private Optional<Integer> itemMeaning(Range expression) {
    for (int i = 0; i < items.size(); i++) {
      if (sameMeaning(expression(i), expression)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /** The first item that has this name. */
  Optional<Integer> named(Range name) {
    for (int i = 0; i < items.size(); i++) {
      if (isNamed(name, i)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private boolean isNamed(Range expression, int item) {
    return expression.size() == 1
        && tokens.get(expression.from()).isName()
        && tokens.dialect().isSameName(label(item), tokens.get(expression.from()).text());
  }

  boolean sameMeaning(Range left, Range right) {
    Optional<ColumnRef> column = block.column(tokens, left);
    if (column.isPresent()) {
      return column.equals(block.column(tokens, right));
    }
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      SqlTokens.Token a = tokens.get(left.from() + i);
      SqlTokens.Token b = tokens.get(right.from() + i);
      boolean equal =
          a.kind() == SqlTokens.Kind.WORD
              ? b.kind() == SqlTokens.Kind.WORD && a.text().equalsIgnoreCase(b.text())
              : a.text().equals(b.text());
      if (!equal || (a.kind() == SqlTokens.Kind.PARAMETER && !left.equals(right))) {
        return false;
      }
    }
    return true;
  }
}
