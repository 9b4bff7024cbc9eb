package io.shardwright.sql;

import io.shardwright.sql.Schema.ValueOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How the values of an expression are ordered, as far as its form tells; otherwise UNKNOWN. */
final class ValueOrders {

  private final SqlTokens tokens;
  private final Block block;
  private final ValueForms forms;

  ValueOrders(SqlTokens tokens, Block block) {
    this.tokens = tokens;
    this.block = block;
    this.forms = tokens.dialect().values();
  }

  ValueOrder of(Range expression) {
    Range range = expression.unwrapped(tokens);
    if (range.size() == 0) {
      return ValueOrder.UNKNOWN;
    }
    int last = range.to() - 1;
    Optional<Facts.ColumnRef> column = block.column(tokens, range);
    if (column.isPresent()) {
      return column.flatMap(block::schemaColumn).map(Schema.Column::order).orElseThrow();
    }
    if (range.size() == 1) {
      return tokens.get(last).kind() == SqlTokens.Kind.NUMBER
          ? ValueOrder.NATURAL
          : ValueOrder.UNKNOWN;
    }
    if (tokens.isAt(last - 1, "COLLATE")) {
      String collation = tokens.name(last).toLowerCase(Locale.ROOT);
      return forms.codePointCollations().contains(collation)
          ? ValueOrder.CODE_POINT
          : ValueOrder.UNKNOWN;
    }
    if (tokens.isSymbolAt(last - 1, "::") && isOperand(new Range(range.from(), last - 1))) {
      return ofType(last);
    }
    Optional<String> call = call(range);
    return call.isPresent() ? ofCall(call.get(), range) : ofArithmetic(range);
  }

  private ValueOrder ofType(int index) {
    return forms.naturalTypes().contains(tokens.get(index).text().toLowerCase(Locale.ROOT))
        ? ValueOrder.NATURAL
        : ValueOrder.UNKNOWN;
  }

  /** A cast binds to the operand before it, which must be all there is. */
  private boolean isOperand(Range range) {
    return range.size() == 1
        || range.isParenthesised(tokens)
        || block.column(tokens, range).isPresent()
        || call(range).isPresent();
  }

  /** The name of the function whose call is the whole range. */
  private Optional<String> call(Range range) {
    return range.isCall(tokens)
        ? Optional.of(tokens.get(range.from()).text().toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  private ValueOrder ofCall(String name, Range range) {
    if (name.equals("cast")) {
      boolean plain = tokens.isAt(range.to() - 3, "AS");
      return plain ? ofType(range.to() - 2) : ValueOrder.UNKNOWN;
    }
    if (forms.naturalFunctions().contains(name)) {
      return ValueOrder.NATURAL;
    }
    if (!forms.functionsOfTheirArguments().contains(name)) {
      return ValueOrder.UNKNOWN;
    }
    List<ValueOrder> orders =
        new Range(range.from() + 2, range.to() - 1)
            .items(tokens).stream().map(this::of).distinct().toList();
    return orders.size() == 1 ? orders.get(0) : ValueOrder.UNKNOWN;
  }

  /** Numbers and times combined by + - * / %: natural when every operand is, parameters aside. */
  private ValueOrder ofArithmetic(Range range) {
    int depth = tokens.get(range.from()).depth();
    List<Range> operands = new ArrayList<>();
    int start = range.from();
    for (int i = range.from(); i < range.to(); i++) {
      boolean operator =
          tokens.get(i).kind() == SqlTokens.Kind.SYMBOL
              && "+-*/%".contains(tokens.get(i).text())
              && tokens.get(i).depth() == depth;
      if (operator) {
        if (i > start) {
          operands.add(new Range(start, i));
        }
        start = i + 1;
      }
    }
    if (start >= range.to() || start == range.from()) {
      return ValueOrder.UNKNOWN;
    }
    operands.add(new Range(start, range.to()));
    boolean natural = false;
    for (Range operand : operands) {
      boolean parameter =
          operand.size() == 1 && tokens.get(operand.from()).kind() == SqlTokens.Kind.PARAMETER;
      if (!parameter && of(operand) != ValueOrder.NATURAL) {
        return ValueOrder.UNKNOWN;
      }
      natural |= !parameter;
    }
    return natural ? ValueOrder.NATURAL : ValueOrder.UNKNOWN;
  }
}
