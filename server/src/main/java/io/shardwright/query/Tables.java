package io.shardwright.query;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.QueryTable;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Schema;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The tables that may be asked, as they are on the shards now. Thread-safe. */
final class Tables {
  private final ShardwrightDataSource source;
  private final QueryRules rules;
  private final DatabaseProduct product;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /**
   * @param schema that it was read with: the driver makes another one when tables change
   */
  private record Known(Schema schema, TableShape shape) {}

  Tables(ShardwrightDataSource source, QueryRules rules, DatabaseProduct product) {
    this.source = source;
    this.rules = rules;
    this.product = product;
  }

  DatabaseProduct product() {
    return product;
  }

  /**
   * @throws ShardwrightException SW105 with everything in which the file does not fit the tables
   */
  void checkAll() {
    List<String> mistakes = new ArrayList<>();
    for (String name : rules.tables().keySet()) {
      check(name, mistakes);
    }
    if (!mistakes.isEmpty()) {
      throw new ShardwrightException(ErrorCode.SCHEMA_INVALID, String.join("; ", mistakes));
    }
  }

  /** Reports a table that may not be asked. */
  Optional<TableShape> shape(String name, RequestProblems problems) throws SQLException {
    if (!rules.tables().containsKey(name)) {
      if (!name.isEmpty() || problems.isEmpty()) {
        problems.add(
            "/table",
            "is '" + RequestFields.shortened(name) + "'",
            "use one of " + String.join(", ", rules.tables().keySet()));
      }
      return Optional.empty();
    }
    return Optional.of(shape(name));
  }

  /** Tables that were read anew are another object, and to compare all of them costs more. */
  @SuppressWarnings("ReferenceEquality")
  private TableShape shape(String name) throws SQLException {
    Schema schema = source.schema();
    Known now = known.get(name);
    if (now == null || now.schema() != schema) {
      Schema.Table table =
          schema
              .table(name)
              .orElseThrow(
                  () ->
                      new ShardwrightException(
                          ErrorCode.SCHEMA_INVALID,
                          "table " + name + " of query.tables is on no shard; create it"));
      TableShape read = TableShape.read(source, table, product);
      now = new Known(schema, read.with(rules.tables().get(name).lastFour()));
      known.put(name, now);
    }
    return now.shape();
  }

  private void check(String name, List<String> mistakes) {
    try {
      Check check = new Check(rules.tables().get(name), shape(name), mistakes);
      check.columns();
      check.times();
      check.id();
      check.lastFour();
    } catch (SQLException e) {
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE,
          "the columns of " + name + " cannot be read: " + e.getMessage(),
          e);
    }
  }

  /** Whether what the file says of a table fits it. */
  private final class Check {
    private final QueryTable table;
    private final TableShape shape;
    private final List<String> mistakes;
    private final String place;

    Check(QueryTable table, TableShape shape, List<String> mistakes) {
      this.table = table;
      this.shape = shape;
      this.mistakes = mistakes;
      this.place = "query.tables." + shape.name();
    }

    void columns() {
      Set<String> named = new TreeSet<>(table.id());
      named.addAll(table.times().values());
      named.addAll(table.select());
      named.addAll(table.filters());
      named.addAll(table.orders());
      named.addAll(table.wide());
      named.removeAll(shape.columns().keySet());
      for (String column : named) {
        mistakes.add(
            place + " names column " + column + ", which the table does not have; correct it");
      }
    }

    void lastFour() {
      for (Map.Entry<String, String> entry : table.lastFour().entrySet()) {
        TableShape.Column of = shape.columns().get(entry.getValue());
        String at = place + ".last_four." + entry.getKey() + " is " + entry.getValue();
        if (shape.columns().get(entry.getKey()).lastFourOf().isEmpty()) {
          mistakes.add(at + ", and the table has a column of that name already; use another name");
        } else if (of == null || of.type() != ColumnType.TEXT || of.lastFourOf().isPresent()) {
          mistakes.add(at + ", which is no column of text of the table; name one");
        }
      }
    }

    void times() {
      for (Map.Entry<QueryRules.Purpose, String> time : table.times().entrySet()) {
        TableShape.Column column = shape.columns().get(time.getValue());
        if (column != null && !column.type().isTime()) {
          mistakes.add(
              place
                  + ".times."
                  + time.getKey().word()
                  + " is "
                  + time.getValue()
                  + ", which keeps no moment that is the same in every session; use a column of type "
                  + (product == DatabaseProduct.POSTGRESQL ? "timestamptz" : "datetime(6)"));
        }
      }
    }

    void id() {
      Set<String> ties = new HashSet<>(table.id());
      ties.add(TableShape.BUCKET);
      if (shape.uniques().stream().noneMatch(ties::containsAll)) {
        mistakes.add(
            place
                + ".id is "
                + table.id()
                + ", and no primary key or unique constraint says that these columns, with"
                + " bucket_id, tell rows apart (there are "
                + shape.uniques()
                + "); name the columns of one, or pages would lose rows");
      }
      for (String name : table.id()) {
        TableShape.Column column = shape.columns().get(name);
        boolean usable =
            column == null
                || (!column.nullable() && column.type().isComparable() && column.ordered());
        if (!usable) {
          mistakes.add(
              place
                  + ".id names "
                  + name
                  + ", whose values cannot be put in order, or may be NULL; name NOT NULL columns of"
                  + " numbers, times, or texts of collation C");
        }
      }
    }
  }
}
