package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.BucketText;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the planner knows about the logical database: the tables that Shardwright governs.
 *
 * <p>Names of columns are kept as the dialect compares them: {@link #of} folds them.
 *
 * @param dialect of the shards' database
 * @param tables by name as the database stores it
 */
public record Schema(Dialect dialect, Map<String, Table> tables) {

  public Schema {
    tables = Map.copyOf(tables);
  }

  public Optional<Table> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * One table.
   *
   * @param sharding empty for reference and single tables
   * @param home the shard that has all rows of a single table
   * @param columns in declared order
   * @param uniques columns of each primary key and unique constraint
   * @param indexes that know where the row of a value is
   * @param lists that know all rows of a value, and may lag behind
   */
  public record Table(
      String name,
      Optional<Sharding> sharding,
      Optional<ShardId> home,
      List<Column> columns,
      List<List<String>> uniques,
      List<LookupIndex> indexes,
      List<ListIndex> lists) {
    public Table {
      columns = List.copyOf(columns);
      uniques = List.copyOf(uniques);
      indexes = List.copyOf(indexes);
      lists = List.copyOf(lists);
    }

    /** A table without unique constraints. */
    public Table(
        String name, Optional<Sharding> sharding, Optional<ShardId> home, List<Column> columns) {
      this(name, sharding, home, columns, List.of(), List.of(), List.of());
    }

    /** The same with other unique indexes. */
    public Table with(List<LookupIndex> others) {
      return new Table(name, sharding, home, columns, uniques, others, lists);
    }

    /** The same with other indexes that are not unique. */
    public Table withLists(List<ListIndex> others) {
      return new Table(name, sharding, home, columns, uniques, indexes, others);
    }

    /** A sharded or a reference table. */
    public Table(String name, Optional<Sharding> sharding, List<Column> columns) {
      this(name, sharding, Optional.empty(), columns);
    }

    public Optional<Column> column(String column) {
      return columns.stream().filter(c -> c.name().equals(column)).findFirst();
    }

    private Table folded(Dialect dialect) {
      return new Table(
          name,
          sharding.map(s -> s.folded(dialect)),
          home,
          columns.stream().map(column -> column.folded(dialect)).toList(),
          uniques.stream().map(u -> u.stream().map(dialect::foldStored).toList()).toList(),
          indexes.stream().map(index -> index.folded(dialect)).toList(),
          lists.stream().map(list -> list.folded(dialect)).toList());
    }

    public boolean isReference() {
      return sharding.isEmpty() && home.isEmpty();
    }
  }

  /**
   * A column.
   *
   * @param name as the database stores it
   * @param order how the shards order its values, as far as the merge can reproduce it
   * @param keyType how its values are hashed; empty when equal values can have different bytes
   * @param collation of the column when it is not the database's, as it is named there
   * @param maxLength characters of a varchar(n): the database would cut spaces beyond it silently
   * @param integers what an integer column can hold, where that is known
   */
  public record Column(
      String name,
      ValueOrder order,
      OptionalInt maxLength,
      Optional<String> collation,
      Optional<KeyType> keyType,
      Optional<Integers> integers) {
    public Column(
        String name,
        ValueOrder order,
        OptionalInt maxLength,
        Optional<String> collation,
        Optional<KeyType> keyType) {
      this(name, order, maxLength, collation, keyType, Optional.empty());
    }

    private Column folded(Dialect dialect) {
      return new Column(dialect.foldStored(name), order, maxLength, collation, keyType, integers);
    }
  }

  /** The integers from {@code min} to {@code max}. */
  public record Integers(long min, long max) {
    boolean contains(long value) {
      return min <= value && value <= max;
    }
  }

  /** Whether values that come back from several shards can be compared here as a shard would. */
  public enum ValueOrder {
    /** Numbers, timestamps, dates, times, booleans, uuid, bytea. */
    NATURAL,
    /** Text whose collation is the order of code points (C, POSIX, C.UTF-8). */
    CODE_POINT,
    /**
     * Text with another deterministic collation: equal values are equal here, the order is not
     * known.
     */
    EQUALITY_ONLY,
    /** Text with a non-deterministic collation, json, arrays, ranges, user types. */
    UNKNOWN,
    /**
     * ENUM, SET, BIT, geometry: only the shard's own column knows order and equality of its values.
     */
    OPAQUE,
    /**
     * MariaDB's TIMESTAMP in a session whose clock goes back once a year: two moments look alike,
     * outside the shard.
     */
    LOCAL_TIME;

    /** True when its values are compared right in the shard's own table only. */
    boolean isOfItsTable() {
      return this == OPAQUE || this == LOCAL_TIME;
    }

    /**
     * Why values cannot be compared outside the shard.
     *
     * @param usual of most types
     */
    String reason(String usual) {
      return this == LOCAL_TIME
          ? "in the session's time zone two moments look alike when the clock goes back; give the"
              + " shards' urls a time_zone that is an offset"
          : usual;
    }
  }

  /** True when a table has a column of {@link ValueOrder#LOCAL_TIME}. */
  public boolean hasLocalTimes() {
    return tables.values().stream()
        .flatMap(table -> table.columns().stream())
        .anyMatch(column -> column.order() == ValueOrder.LOCAL_TIME);
  }

  /**
   * How a table is sharded.
   *
   * @param group tables of one group with equal keys are on one shard
   * @param key this table's route key columns, in key order
   * @param function key to bucket
   * @param id the column whose gene ids route
   * @param numbers columns of texts that carry the key or the bucket
   * @param entries of the view of a list index: which buckets the rows of a key are in
   */
  public record Sharding(
      String group,
      List<String> key,
      BucketFunction function,
      Optional<GeneIdColumn> id,
      List<NumberColumn> numbers,
      Optional<ListIndex.EntryBuckets> entries) {
    public Sharding {
      key = List.copyOf(key);
      numbers = List.copyOf(numbers);
    }

    /** Without such texts. */
    public Sharding(
        String group, List<String> key, BucketFunction function, Optional<GeneIdColumn> id) {
      this(group, key, function, id, List.of(), Optional.empty());
    }

    /** True when rows of one key may be in several buckets. */
    boolean isSpread() {
      return entries.filter(ListIndex.EntryBuckets::isSpread).isPresent();
    }

    Sharding folded(Dialect dialect) {
      return new Sharding(
          group,
          key.stream().map(dialect::foldStored).toList(),
          function,
          id.map(
              column ->
                  new GeneIdColumn(
                      dialect.foldStored(column.column()), column.layout(), column.own())),
          numbers.stream().map(number -> number.folded(dialect)).toList(),
          entries);
    }

    Optional<NumberColumn> number(String column) {
      return numbers.stream().filter(number -> number.column().equals(column)).findFirst();
    }

    /** True for a column that decides where a row lives; it is never NULL. */
    boolean routes(String column) {
      return column.equals(KeyCondition.BUCKET_COLUMN)
          || key.contains(column)
          || id.filter(i -> i.column().equals(column)).isPresent();
    }

    /**
     * The bucket of a route key that is given from outside a statement.
     *
     * @param values in key order
     * @return empty when no row can have this key
     * @throws ShardwrightException SW302 when they are too few, too many or not of the columns'
     *     types
     */
    public Optional<BucketId> bucketOf(List<?> values) {
      if (values.size() != key.size()) {
        throw new ShardwrightException(
            ErrorCode.ROUTE_KEY_VALUE_INVALID,
            "the route key of group "
                + group
                + " is "
                + key
                + ", and "
                + values.size()
                + " values were given; give one for each column, in this order");
      }
      try {
        return function.bucket(values);
      } catch (ShardwrightException e) {
        throw unusable(values, e);
      }
    }

    /** The error for key values of which at least one is not of its column's type. */
    ShardwrightException unusable(List<?> values, ShardwrightException cause) {
      for (int i = 0; i < key.size(); i++) {
        Optional<String> problem = problem(function.types().get(i), values.get(i));
        if (problem.isPresent()) {
          return invalid(
              entries.isPresent()
                  ? "column " + key.get(i) + " of lookup index " + group
                  : "route key column " + key.get(i) + " of group " + group,
              problem.get(),
              cause);
        }
      }
      return cause;
    }
  }

  /**
   * A lookup index of a table.
   *
   * @param name {@code group.index}
   * @param columns that are indexed, in index order
   * @param types how their values are compared, at the positions of {@code columns}
   * @param primaryKey columns that tell an entry's row from others: a change of them is one of the
   *     entry
   */
  public record LookupIndex(
      String name, List<String> columns, List<KeyType> types, List<String> primaryKey) {
    public LookupIndex {
      columns = List.copyOf(columns);
      types = List.copyOf(types);
      primaryKey = List.copyOf(primaryKey);
    }

    private LookupIndex folded(Dialect dialect) {
      return new LookupIndex(
          name,
          columns.stream().map(dialect::foldStored).toList(),
          types,
          primaryKey.stream().map(dialect::foldStored).toList());
    }

    /** The error for values of which at least one is not of its column's type. */
    ShardwrightException unusable(List<List<Object>> values, ShardwrightException cause) {
      for (List<Object> tuple : values) {
        for (int i = 0; i < columns.size(); i++) {
          Optional<String> problem = problem(types.get(i), tuple.get(i));
          if (problem.isPresent()) {
            return invalid(
                "column " + columns.get(i) + " of lookup index " + name, problem.get(), cause);
          }
        }
      }
      return cause;
    }

    /** Whether an UPDATE that assigns a column can change an entry. */
    boolean dependsOn(String column) {
      return columns.contains(column) || primaryKey.contains(column);
    }
  }

  /**
   * A column of gene ids; a CHECK on every shard ties its gene to bucket_id.
   *
   * @param own true where it identifies the table's own rows, so that an INSERT may leave it out;
   *     elsewhere it refers to rows of another table
   */
  public record GeneIdColumn(String column, GeneIdLayout layout, boolean own) {
    public BucketId bucket(long id) {
      return layout.gene(id);
    }
  }

  /**
   * A column of texts that carry the route key or the bucket.
   *
   * @param index of this column alone, which finds texts of other formats; empty: there are none
   */
  public record NumberColumn(String column, BucketText texts, Optional<LookupIndex> index) {
    private NumberColumn folded(Dialect dialect) {
      return new NumberColumn(dialect.foldStored(column), texts, index.map(i -> i.folded(dialect)));
    }

    NumberColumn withoutIndex() {
      return index.isEmpty() ? this : new NumberColumn(column, texts, Optional.empty());
    }
  }

  /** What keeps a value from being one of the type. */
  private static Optional<String> problem(KeyType type, Object value) {
    try {
      Optional<Object> unused = type.canonical(value);
      return Optional.empty();
    } catch (ShardwrightException e) {
      return Optional.of(e.detail());
    }
  }

  private static ShardwrightException invalid(
      String column, String problem, ShardwrightException cause) {
    return new ShardwrightException(
        ErrorCode.ROUTE_KEY_VALUE_INVALID, "the value for " + column + ": " + problem, cause);
  }

  /** The same with one more table. */
  Schema with(Table table) {
    Map<String, Table> more = new HashMap<>(tables);
    more.put(table.name(), table);
    return new Schema(dialect, more);
  }

  /** Tables of PostgreSQL. */
  public static Schema of(List<Table> tables) {
    return of(Dialect.postgreSql(), tables);
  }

  public static Schema of(Dialect dialect, List<Table> tables) {
    return new Schema(
        dialect,
        tables.stream()
            .map(table -> table.folded(dialect))
            .collect(Collectors.toMap(Table::name, Function.identity())));
  }
}
