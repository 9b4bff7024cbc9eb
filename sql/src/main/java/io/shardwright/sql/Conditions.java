package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import io.shardwright.sql.Facts.ColumnRef;
import io.shardwright.sql.Facts.Domain;
import io.shardwright.sql.Facts.InList;
import io.shardwright.sql.Facts.Place;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.schema.Column;

/**
 * Turns conditions that every row must meet into {@link Facts}. Everything that is not understood
 * is left out, which only widens the route.
 */
final class Conditions {
  private final SqlTokens tokens;
  private final Block block;

  Conditions(SqlTokens tokens, Block block) {
    this.tokens = tokens;
    this.block = block;
  }

  /**
   * Adds what a condition says.
   *
   * @param alternatives receives the OR conditions that are not a simple list of values
   * @param splittable true when the condition holds for every row of the statement, so that an IN
   *     list in it may be cut to the values of one shard
   */
  void read(
      Expression condition, Facts facts, List<List<Expression>> alternatives, boolean splittable) {
    Deque<Expression> open = new ArrayDeque<>();
    open.push(condition);
    while (!open.isEmpty()) {
      Expression next = unwrap(open.pop());
      if (next instanceof AndExpression and) {
        open.push(and.getRightExpression());
        open.push(and.getLeftExpression());
      } else if (next instanceof OrExpression or) {
        readOr(or, facts, alternatives);
      } else if (next instanceof EqualsTo equals) {
        readEquals(equals.getLeftExpression(), equals.getRightExpression(), facts);
      } else if (next instanceof InExpression in && !in.isNot()) {
        readIn(in, facts, alternatives, splittable);
      }
    }
  }

  private void readEquals(Expression left, Expression right, Facts facts) {
    if (isRow(left) && isRow(right)) {
      ExpressionList<?> leftRow = (ExpressionList<?>) left;
      ExpressionList<?> rightRow = (ExpressionList<?>) right;
      for (int i = 0; i < Math.min(leftRow.size(), rightRow.size()); i++) {
        readEquals(leftRow.get(i), rightRow.get(i), facts);
      }
      return;
    }
    Optional<ColumnRef> leftColumn = column(left);
    Optional<ColumnRef> rightColumn = column(right);
    if (leftColumn.isPresent() && rightColumn.isPresent()) {
      facts.equate(leftColumn.get(), rightColumn.get());
    } else if (leftColumn.isPresent()) {
      slot(right).ifPresent(slot -> facts.restrict(leftColumn.get(), Domain.of(slot)));
    } else if (rightColumn.isPresent()) {
      slot(left).ifPresent(slot -> facts.restrict(rightColumn.get(), Domain.of(slot)));
    }
  }

  private void readIn(
      InExpression in, Facts facts, List<List<Expression>> alternatives, boolean splittable) {
    if (!(in.getRightExpression() instanceof ParenthesedExpressionList<?> list)) {
      return;
    }
    Expression left = unwrap(in.getLeftExpression());
    if (isRow(left)) {
      List<Expression> branches = new ArrayList<>();
      for (Expression row : list) {
        branches.add(new EqualsTo(left, row));
      }
      alternatives.add(branches);
      return;
    }
    Optional<ColumnRef> column = column(left);
    List<Slot> values = new ArrayList<>();
    for (Expression element : list) {
      Optional<Slot> slot = slot(element);
      if (slot.isEmpty()) {
        return;
      }
      values.add(slot.get());
    }
    Optional<InList> place =
        splittable ? Optional.of(new InList(elementPlaces(list))) : Optional.empty();
    column.ifPresent(ref -> facts.restrict(ref, new Domain(List.copyOf(values), place)));
  }

  /** By tokens: the list's own node starts at its parenthesis. */
  private List<Place> elementPlaces(ParenthesedExpressionList<?> list) {
    int open = tokens.indexAt(SqlTokens.startOf(list));
    int close = tokens.closing(open);
    int inside = tokens.get(open).depth() + 1;
    List<Place> places = new ArrayList<>();
    int from = open + 1;
    for (int i = open + 1; i <= close; i++) {
      boolean comma = tokens.get(i).depth() == inside && tokens.get(i).isSymbol(",");
      if (comma || i == close) {
        places.add(new Place(tokens.get(from).start(), tokens.get(i - 1).end()));
        from = i + 1;
      }
    }
    return places;
  }

  private void readOr(OrExpression or, Facts facts, List<List<Expression>> alternatives) {
    List<Expression> branches = branches(or);
    Optional<ColumnRef> only = Optional.empty();
    List<Slot> values = new ArrayList<>();
    for (Expression branch : branches) {
      Facts single = new Facts();
      Optional<ColumnRef> column = comparedColumn(branch);
      if (column.isEmpty() || (only.isPresent() && !only.equals(column))) {
        alternatives.add(branches);
        return;
      }
      only = column;
      read(branch, single, new ArrayList<>(), false);
      Optional<Domain> domain = single.domain(column.get());
      if (domain.isEmpty()) {
        alternatives.add(branches);
        return;
      }
      values.addAll(domain.get().values());
    }
    only.ifPresent(
        column -> facts.restrict(column, new Domain(List.copyOf(values), Optional.empty())));
  }

  private Optional<ColumnRef> comparedColumn(Expression branch) {
    if (branch instanceof EqualsTo equals) {
      return column(equals.getLeftExpression()).or(() -> column(equals.getRightExpression()));
    }
    if (branch instanceof InExpression in && !in.isNot()) {
      return column(in.getLeftExpression());
    }
    return Optional.empty();
  }

  private static List<Expression> branches(OrExpression or) {
    List<Expression> branches = new ArrayList<>();
    Deque<Expression> open = new ArrayDeque<>();
    open.push(or);
    while (!open.isEmpty()) {
      Expression next = unwrap(open.pop());
      if (next instanceof OrExpression inner) {
        open.push(inner.getRightExpression());
        open.push(inner.getLeftExpression());
      } else {
        branches.add(next);
      }
    }
    return branches;
  }

  private Optional<ColumnRef> column(Expression expression) {
    return unwrap(expression) instanceof Column column ? block.resolve(column) : Optional.empty();
  }

  private Optional<Slot> slot(Expression expression) {
    return slot(tokens, expression, Optional.empty());
  }

  /** The parameter or literal that an expression is, perhaps in a cast that routing understands. */
  static Optional<Slot> slot(SqlTokens tokens, Expression expression, Optional<KeyType> cast) {
    Expression value = unwrap(expression);
    if (value instanceof JdbcParameter parameter) {
      return Optional.of(
          new Slot.Parameter(tokens.parameterAt(SqlTokens.startOf(parameter)), cast));
    }
    if (value instanceof CastExpression castExpression && cast.isEmpty()) {
      return castType(castExpression)
          .flatMap(type -> slot(tokens, castExpression.getLeftExpression(), Optional.of(type)));
    }
    if (value instanceof NullValue) {
      return Optional.of(new Slot.Literal(null, cast));
    }
    if (value instanceof StringValue string && string.getPrefix() == null) {
      return Optional.of(new Slot.Literal(string.getNotExcapedValue(), cast));
    }
    return number(value).map(number -> new Slot.Literal(number, cast));
  }

  private static Optional<BigDecimal> number(Expression value) {
    if (value instanceof LongValue integer) {
      return decimal(integer.getStringValue());
    }
    if (value instanceof DoubleValue decimal) {
      return decimal(decimal.toString());
    }
    if (value instanceof SignedExpression signed && signed.getSign() != '~') {
      Optional<BigDecimal> unsigned = number(unwrap(signed.getExpression()));
      return signed.getSign() == '-' ? unsigned.map(BigDecimal::negate) : unsigned;
    }
    return Optional.empty();
  }

  private static Optional<BigDecimal> decimal(String text) {
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<KeyType> castType(CastExpression cast) {
    if (cast.getColDataType() == null || cast.getColDataType().getArgumentsStringList() != null) {
      return Optional.empty();
    }
    return switch (cast.getColDataType().getDataType().toLowerCase(Locale.ROOT)) {
      case "bigint", "int8", "integer", "int", "int4", "smallint", "int2" ->
          Optional.of(KeyType.INTEGER);
      case "text", "varchar", "character varying" -> Optional.of(KeyType.TEXT);
      case "uuid" -> Optional.of(KeyType.UUID);
      default -> Optional.empty();
    };
  }

  private static boolean isRow(Expression expression) {
    return expression instanceof ParenthesedExpressionList<?> list && list.size() > 1;
  }

  /** Without parentheses that only group. */
  static Expression unwrap(Expression expression) {
    Expression inner = expression;
    while (inner instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
      inner = list.get(0);
    }
    return inner;
  }
}
