package io.shardwright.driver;

import io.shardwright.testkit.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What random statements over the orders of {@link TestingShards} are made of. */
class RandomTerms {

  /**
   * A statement.
   *
   * @param prepared false for one whose values all stand in its text
   * @param ordered true when its ORDER BY decides the place of every row
   */
  record Statement(String sql, List<Object> parameters, boolean prepared, boolean ordered) {}

  private static final Pattern VALUE = Pattern.compile("\\{(int|long) (\\d+)}");

  private static final List<String> NUMBERS =
      List.of("tenant_id", "buyer_id", "quantity", "order_id");
  private final Choices choices;

  RandomTerms(Choices choices) {
    this.choices = choices;
  }

  final String where(String prefix, int depth) {
    return below(5) == 0 ? "" : " WHERE " + condition(prefix, depth);
  }

  final String condition(String prefix, int depth) {
    if (depth == 0) {
      return atom(prefix);
    }
    return switch (below(6)) {
      case 0 -> "(" + condition(prefix, depth - 1) + " OR " + condition(prefix, depth - 1) + ")";
      case 1 -> "NOT (" + condition(prefix, depth - 1) + ")";
      case 2 -> key(prefix) + " OR " + key(prefix);
      case 3 -> key(prefix);
      default -> condition(prefix, depth - 1) + " AND " + condition(prefix, depth - 1);
    };
  }

  final String key(String prefix) {
    String tenant = prefix + "tenant_id = " + number(below(4));
    String buyer = prefix + "buyer_id";
    return switch (below(12)) {
      case 6 -> tenant + " AND NOT " + buyer + " <> " + number(below(9));
      case 7 ->
          "NOT ("
              + prefix
              + "tenant_id <> "
              + number(below(4))
              + " OR "
              + buyer
              + " NOT IN ("
              + numbers(9)
              + "))";
      case 8 ->
          prefix
              + "tenant_id::bigint = "
              + number(below(4))
              + " AND "
              + buyer
              + pick(List.of(" >= ", " > "))
              + number(below(6))
              + " AND "
              + number(below(9))
              + pick(List.of(" >= ", " > "))
              + buyer;
      case 9 ->
          prefix
              + "tenant_id IS NOT DISTINCT FROM "
              + number(below(4))
              + " AND "
              + buyer
              + " = ANY ('{"
              + below(9)
              + ","
              + below(9)
              + "}'::bigint[])";
      case 10 ->
          "("
              + tenant
              + " AND "
              + buyer
              + " = "
              + number(below(9))
              + ")"
              + pick(List.of(" IS TRUE", " = true", " IS NOT FALSE"));
      case 11 -> tenant + " AND (" + buyer + " <> " + number(below(9)) + ") IS FALSE";
      case 0 -> tenant + " AND " + prefix + "buyer_id = " + number(below(9));
      case 1 -> prefix + "buyer_id IN (" + numbers(9) + ") AND " + tenant;
      case 2 ->
          "("
              + prefix
              + "tenant_id, "
              + prefix
              + "buyer_id) IN (("
              + number(below(4))
              + ", "
              + number(below(9))
              + "), ("
              + below(4)
              + ", "
              + below(9)
              + "))";
      case 3 ->
          tenant + " AND " + prefix + "buyer_id BETWEEN " + number(below(6)) + " AND " + below(9);
      case 4 ->
          tenant + " AND " + prefix + "buyer_id = ANY (ARRAY[" + below(9) + ", " + below(9) + "])";
      default ->
          tenant
              + " AND ("
              + prefix
              + "buyer_id = "
              + below(9)
              + " OR "
              + prefix
              + "buyer_id = "
              + number(below(9))
              + ")";
    };
  }

  final String atom(String prefix) {
    String number = prefix + pick(NUMBERS);
    return switch (below(12)) {
      case 9 -> number + pick(List.of(" < ", " <= ", " > ", " >= ", " <> ")) + number(below(9));
      case 10 -> number + " IS NOT DISTINCT FROM " + pick(List.of("NULL", number(below(9))));
      case 11 -> "(" + number + " = " + number(below(9)) + ") IS NOT TRUE";
      case 0 -> number + " = " + number(below(9));
      case 1 -> number + " IN (" + numbers(9) + ")";
      case 2 -> number + " NOT IN (" + numbers(9) + ")";
      case 3 -> number + " BETWEEN " + number(below(5)) + " AND " + number(below(9));
      case 4 -> prefix + "status IS " + pick(List.of("NULL", "NOT NULL"));
      case 5 -> prefix + "status = " + pick(List.of("'a'", "'b'", "'\u00e9'", "NULL"));
      case 6 -> prefix + "amount > " + number(below(60));
      case 7 ->
          "CASE WHEN "
              + prefix
              + "quantity > 2 THEN "
              + prefix
              + "tenant_id = 1 ELSE "
              + prefix
              + "buyer_id = 2 OR "
              + prefix
              + "status = 'a' END";
      default -> number(below(9)) + " <> " + number;
    };
  }

  final String numbers(int max) {
    List<String> numbers = new ArrayList<>();
    for (int i = below(4); i >= 0; i--) {
      numbers.add(number(below(max)));
    }
    return String.join(", ", numbers);
  }

  /** As a literal or, marked for {@link #done}, as a parameter of some Java type. */
  final String number(int value) {
    return switch (below(4)) {
      case 0 -> "{int " + value + "}";
      case 1 -> "{long " + value + "}";
      default -> Integer.toString(value);
    };
  }

  final Statement done(String marked, boolean ordered) {
    Matcher values = VALUE.matcher(marked);
    if (below(3) == 0) {
      return new Statement(values.replaceAll("$2"), List.of(), false, ordered);
    }
    List<Object> parameters = new ArrayList<>();
    String sql =
        values.replaceAll(
            match -> {
              long value = Long.parseLong(match.group(2));
              parameters.add(match.group(1).equals("int") ? (Object) (int) value : value);
              return "?";
            });
    return new Statement(sql, parameters, true, ordered);
  }

  final int below(int bound) {
    return (int) choices.below(bound);
  }

  final String pick(List<String> values) {
    return values.get(below(values.size()));
  }
}
