package io.shardwright.sql;

import io.shardwright.sql.Schema.ValueOrder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.CollateExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.schema.Column;

/** How the values of an expression are ordered, as far as its form tells; otherwise UNKNOWN. */
final class ValueOrders {
  private static final Set<String> NATURAL_FUNCTIONS =
      Set.of(
          "count",
          "sum",
          "avg",
          "abs",
          "ceil",
          "ceiling",
          "floor",
          "round",
          "trunc",
          "mod",
          "power",
          "sqrt",
          "sign",
          "length",
          "char_length",
          "octet_length",
          "date_trunc",
          "date_part",
          "age",
          "now",
          "extract",
          "to_timestamp",
          "make_date");
  private static final Set<String> NATURAL_TYPES =
      Set.of(
          "smallint",
          "int2",
          "integer",
          "int",
          "int4",
          "bigint",
          "int8",
          "numeric",
          "decimal",
          "real",
          "float4",
          "double precision",
          "float8",
          "date",
          "timestamp",
          "timestamptz",
          "uuid",
          "bytea",
          "timestamp with time zone",
          "timestamp without time zone",
          "boolean",
          "bool");
  private static final Set<String> CODE_POINT_COLLATIONS = Set.of("c", "posix", "ucs_basic");

  private ValueOrders() {}

  static ValueOrder of(Expression expression, Block block) {
    Expression inner = SelectMerge.unwrap(expression);
    if (inner instanceof Column column) {
      return block
          .resolve(column)
          .flatMap(block::schemaColumn)
          .map(Schema.Column::order)
          .orElse(ValueOrder.UNKNOWN);
    }
    if (inner instanceof LongValue
        || inner instanceof DoubleValue
        || inner instanceof SignedExpression
        || inner instanceof ExtractExpression
        || inner instanceof Addition
        || inner instanceof Subtraction
        || inner instanceof Multiplication
        || inner instanceof Division
        || inner instanceof Modulo) {
      return ValueOrder.NATURAL;
    }
    if (inner instanceof CastExpression cast && cast.getColDataType() != null) {
      String type = cast.getColDataType().getDataType().toLowerCase(Locale.ROOT);
      return NATURAL_TYPES.contains(type) ? ValueOrder.NATURAL : ValueOrder.UNKNOWN;
    }
    if (inner instanceof CollateExpression collate) {
      String collation = collate.getCollate().replace("\"", "").toLowerCase(Locale.ROOT);
      return CODE_POINT_COLLATIONS.contains(collation) ? ValueOrder.CODE_POINT : ValueOrder.UNKNOWN;
    }
    return inner instanceof Function function ? ofFunction(function, block) : ValueOrder.UNKNOWN;
  }

  private static ValueOrder ofFunction(Function function, Block block) {
    String name = function.getName().toLowerCase(Locale.ROOT);
    if (NATURAL_FUNCTIONS.contains(name)) {
      return ValueOrder.NATURAL;
    }
    if (function.getParameters() == null
        || !Set.of("min", "max", "coalesce", "greatest", "least", "nullif").contains(name)) {
      return ValueOrder.UNKNOWN;
    }
    List<ValueOrder> orders =
        function.getParameters().stream().map(p -> of(p, block)).distinct().toList();
    return orders.size() == 1 ? orders.get(0) : ValueOrder.UNKNOWN;
  }
}
