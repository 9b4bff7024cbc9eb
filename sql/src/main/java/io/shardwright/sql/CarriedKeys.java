package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.sql.Schema.NumberColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The texts that a statement stores in columns whose texts carry the route key or the bucket. One
 * that carries another than its row's would never be found by it, so it is refused.
 *
 * @param texts for one row
 */
record CarriedKeys(Schema.Table table, List<KeyAlternative.CarriedKey> texts) {
  static final CarriedKeys NONE = new CarriedKeys(null, List.of());

  CarriedKeys {
    texts = List.copyOf(texts);
  }

  /**
   * Of a row of an INSERT.
   *
   * @param values at the positions of {@code columns}; empty: an expression
   * @throws ShardwrightException SW205 for an expression
   */
  static CarriedKeys ofRow(Schema.Table table, List<String> columns, List<Optional<Slot>> values) {
    List<NumberColumn> numbers = table.sharding().orElseThrow().numbers();
    if (numbers.isEmpty()) {
      return NONE;
    }
    List<KeyAlternative.CarriedKey> texts = new ArrayList<>();
    for (NumberColumn number : numbers) {
      int index = columns.indexOf(number.column());
      if (index >= 0) {
        texts.add(text(table, number, values.get(index)));
      }
    }
    return new CarriedKeys(table, texts);
  }

  /**
   * Of the SET clause of an UPDATE.
   *
   * @throws ShardwrightException SW205 for an expression
   */
  static CarriedKeys ofSet(SqlTokens tokens, Schema.Table table, Range set) {
    if (table.sharding().isEmpty() || table.sharding().get().numbers().isEmpty()) {
      return NONE;
    }
    List<KeyAlternative.CarriedKey> texts = new ArrayList<>();
    for (Range assignment : set.items(tokens)) {
      List<String> columns = InsertStatement.assignedColumns(tokens, assignment);
      for (String column : columns) {
        Optional<NumberColumn> number = table.sharding().get().number(column);
        if (number.isPresent()) {
          texts.add(text(table, number.get(), value(tokens, assignment, columns)));
        }
      }
    }
    return new CarriedKeys(table, texts);
  }

  private static Optional<Slot> value(SqlTokens tokens, Range assignment, List<String> columns) {
    int sign = assignment.from();
    while (sign < assignment.to() && !tokens.isSymbolAt(sign, "=")) {
      sign++;
    }
    return columns.size() == 1 && !tokens.isSymbolAt(assignment.from(), "(")
        ? Slot.of(tokens, new Range(sign + 1, assignment.to()))
        : Optional.empty();
  }

  private static KeyAlternative.CarriedKey text(
      Schema.Table table, NumberColumn number, Optional<Slot> value) {
    return new KeyAlternative.CarriedKey(
        number,
        value.orElseThrow(
            () ->
                new ShardwrightException(
                    ErrorCode.ROUTE_KEY_MISSING,
                    "the value of "
                        + number.column()
                        + " of "
                        + table.name()
                        + " is an expression; it carries the "
                        + number.texts().carried()
                        + ", so give a parameter, a literal or NULL")));
  }

  /** For a column that takes its value from rows that met others. */
  static void requireNone(Schema.Table table, String column) {
    Optional<NumberColumn> number = table.sharding().flatMap(sharding -> sharding.number(column));
    if (number.isPresent()) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_UPDATE,
          "column "
              + column
              + " of "
              + table.name()
              + " carries the "
              + number.get().texts().carried()
              + " and is not set on conflict; set it in an UPDATE with the row's key");
    }
  }

  List<String> columns() {
    return texts.stream().map(text -> text.column().column()).toList();
  }

  boolean isEmpty() {
    return texts.isEmpty();
  }

  /**
   * @param row the bucket of the row
   * @throws ShardwrightException SW304 for the key or number of another bucket, SW305 for another
   *     format
   */
  void check(BucketId row, List<?> parameters) {
    for (KeyAlternative.CarriedKey text : texts) {
      if (!text.fits(row, parameters)) {
        throw refused(text, parameters);
      }
    }
  }

  private ShardwrightException refused(KeyAlternative.CarriedKey text, List<?> parameters) {
    NumberColumn number = text.column();
    String which = "the text for column " + number.column() + " of " + table.name();
    return text.bucket(parameters).isPresent()
        ? new ShardwrightException(
            ErrorCode.ID_GENE_MISMATCH,
            which
                + " carries another "
                + number.texts().carried()
                + " than its row; make it for the row's own key")
        : new ShardwrightException(
            ErrorCode.ID_MALFORMED,
            which
                + " is not "
                + number.texts().rule()
                + "; other texts are taken where a unique lookup index of "
                + number.column()
                + " finds them");
  }
}
