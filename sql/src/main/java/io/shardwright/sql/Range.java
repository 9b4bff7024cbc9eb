package io.shardwright.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * A run of tokens, from the first to the one before {@code to}; all its outermost tokens share a
 * depth.
 */
record Range(int from, int to) {

  int size() {
    return to - from;
  }

  boolean contains(int index) {
    return from <= index && index < to;
  }

  /** True when one pair of parentheses encloses the whole run. */
  boolean isParenthesised(SqlTokens tokens) {
    return size() >= 2 && tokens.isSymbolAt(from, "(") && tokens.closing(from) == to - 1;
  }

  /** True when the whole run is a name and one pair of parentheses: a call. */
  boolean isCall(SqlTokens tokens) {
    return size() >= 3
        && tokens.get(from).isName()
        && new Range(from + 1, to).isParenthesised(tokens);
  }

  Range inner() {
    return new Range(from + 1, to - 1);
  }

  /** Without parentheses around the whole. */
  Range unwrapped(SqlTokens tokens) {
    Range range = this;
    while (range.isParenthesised(tokens) && range.size() > 2) {
      range = range.inner();
    }
    return range;
  }

  /** The parts between the commas of the outermost level. */
  List<Range> items(SqlTokens tokens) {
    List<Range> items = new ArrayList<>();
    if (size() == 0) {
      return items;
    }
    int depth = tokens.get(from).depth();
    int start = from;
    for (int i = from; i < to; i++) {
      if (tokens.get(i).depth() == depth && tokens.get(i).isSymbol(",")) {
        items.add(new Range(start, i));
        start = i + 1;
      }
    }
    items.add(new Range(start, to));
    return items;
  }

  Facts.Place place(SqlTokens tokens) {
    return new Facts.Place(tokens.get(from).start(), tokens.get(to - 1).end());
  }

  String text(SqlTokens tokens) {
    Facts.Place place = place(tokens);
    return tokens.text(place.from(), place.to());
  }
}
