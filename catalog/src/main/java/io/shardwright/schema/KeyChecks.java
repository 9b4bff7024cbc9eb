package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.Directory;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ReservedBuckets;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** One shard: the tables are there, with the columns that routing needs. */
record KeyChecks(Configuration configuration, ShardView view, Findings findings) {
  private static final String CREATE =
      "create it on all shards with CREATE TABLE through jdbc:shardwright:, then run apply again";

  /** The largest bucket number of a smallint. */
  private static final int SMALLINT_BUCKETS = Short.MAX_VALUE + 1;

  void check() {
    for (Group group : configuration.groups().values()) {
      for (Configuration.Table declared : group.tables().values()) {
        Optional<Table> table = view.schema().table(declared.name());
        if (table.isEmpty()) {
          missing(declared.name());
        } else {
          checkBucketColumn(group, table.get());
          checkKey(declared, table.get());
          checkId(group, table.get());
          checkNumbers(group, declared, table.get());
          warn(group, declared, table.get());
        }
      }
      checkTypesAgree(group);
      types(group, view.schema())
          .flatMap(types -> directoryProblem(group.directory(), types))
          .ifPresent(
              problem ->
                  findings.problem(
                      new Place(Optional.of(view.shard()), Optional.empty()),
                      "group " + group.name() + ": " + problem,
                      "correct groups." + group.name() + ".directory"));
      checkIdsExist(group);
    }
    for (String reference : configuration.reference()) {
      Optional<Table> table = view.schema().table(reference);
      if (table.isEmpty()) {
        missing(reference);
      } else {
        table.get().columns().forEach(column -> checkDefault(table.get(), column));
      }
    }
  }

  /** The key's types by the group's first table that has usable ones. */
  static Optional<List<KeyType>> types(Group group, ShardSchema schema) {
    return group.tables().values().stream()
        .flatMap(table -> types(table, schema).stream())
        .findFirst();
  }

  /** What keeps a directory from being one of keys of these types. */
  static Optional<String> directoryProblem(Directory directory, List<KeyType> types) {
    try {
      ReservedBuckets unused = ReservedBuckets.of(types, directory);
      return Optional.empty();
    } catch (ShardwrightException e) {
      return Optional.of(e.detail());
    }
  }

  /** Empty when the table or a column is missing, or a type cannot be a key. */
  static Optional<List<KeyType>> types(Configuration.Table table, ShardSchema schema) {
    List<KeyType> types =
        table.key().stream()
            .flatMap(column -> schema.table(table.name()).flatMap(t -> t.column(column)).stream())
            .flatMap(column -> column.keyType().stream())
            .toList();
    return types.size() == table.key().size() ? Optional.of(types) : Optional.empty();
  }

  private void missing(String table) {
    findings.problem(place(table), "table " + table + " does not exist", CREATE);
  }

  private void checkBucketColumn(Group group, Table table) {
    Optional<Column> bucket = table.column(ShardSchema.BUCKET_COLUMN);
    String type = group.allBuckets() > SMALLINT_BUCKETS ? "integer" : "smallint or integer";
    if (bucket.isEmpty()) {
      findings.problem(
          place(table.name()),
          "table " + table.name() + " has no column bucket_id",
          "add bucket_id " + type + " NOT NULL, first in the primary key");
      return;
    }
    boolean fits =
        database().isBucketType(bucket.get())
            && (database().isWide(bucket.get()) || group.allBuckets() <= SMALLINT_BUCKETS);
    if (!fits) {
      findings.problem(
          place(table.name()),
          named(table, bucket.get()) + " is " + bucket.get().type(),
          "make it " + type + ": it holds 0 to " + (group.allBuckets() - 1));
    }
    if (bucket.get().nullable()) {
      findings.problem(
          place(table.name()), named(table, bucket.get()) + " may be NULL", "make it NOT NULL");
    }
  }

  private void checkKey(Configuration.Table declared, Table table) {
    for (String name : declared.key()) {
      Optional<Column> column = table.column(name);
      if (column.isEmpty()) {
        findings.problem(
            place(table.name()),
            "table " + table.name() + " has no route key column " + name,
            "add it, or name the right columns under key: of the table");
        continue;
      }
      if (column.get().nullable()) {
        findings.problem(
            place(table.name()),
            "route key column " + named(table, column.get()) + " may be NULL",
            "make it NOT NULL: a row without key has no bucket");
      }
      if (column.get().keyType().isEmpty()) {
        findings.problem(
            place(table.name()),
            "route key column "
                + named(table, column.get())
                + " is "
                + column.get().type()
                + ", which cannot be a route key",
            database().whyNoKey(column.get()));
      }
    }
  }

  private void checkId(Group group, Table table) {
    Optional<Column> found = group.id().flatMap(id -> table.column(id.column()));
    if (found.isEmpty()) {
      return;
    }
    Column column = found.get();
    if (!database().isGeneType(column)) {
      findings.problem(
          place(table.name()),
          "id column " + named(table, column) + " is " + column.type(),
          "make it bigint: a gene id has 63 bits");
    }
    // The CHECK lets NULL pass, and rows with NULL ids are in any bucket.
    if (column.nullable()) {
      findings.problem(
          place(table.name()),
          "id column " + named(table, column) + " may be NULL",
          "make it NOT NULL, since a NULL id names no bucket: "
              + database().setNotNull(table, column));
    }
  }

  private void checkNumbers(Group group, Configuration.Table declared, Table table) {
    for (Configuration.NumberColumn id : KeyNumbers.of(group, table)) {
      KeyNumbers.problem(id, declared, table)
          .ifPresent(
              problem ->
                  findings.problem(
                      place(table.name()),
                      "texts of "
                          + table.name()
                          + "."
                          + id.column()
                          + " cannot route: column "
                          + named(table, problem.column())
                          + " is "
                          + problem.column().type(),
                      problem.action()));
      warnUnserved(table, List.of(id.column()), "number");
    }
  }

  /** An INSERT into a reference table runs on every shard and must store the same everywhere. */
  private void checkDefault(Table table, Column column) {
    boolean identity = column.source() == Source.IDENTITY;
    if (identity || column.source() == Source.SEQUENCE || column.source() == Source.VOLATILE) {
      findings.problem(
          place(table.name()),
          "column "
              + named(table, column)
              + " of a reference table "
              + (identity
                  ? "is an identity"
                  : "has the default " + column.defaultExpression().orElse(""))
              + ", which gives each shard another value when an INSERT omits the column",
          "give the value in the INSERT and drop the default: "
              + database().dropDefault(table, column));
    }
  }

  private void checkTypesAgree(Group group) {
    for (int position = 0; position < group.key().size(); position++) {
      String firstName = null;
      KeyType firstType = null;
      for (Configuration.Table declared : group.tables().values()) {
        String name = declared.key().get(position);
        Optional<KeyType> type =
            view.schema()
                .table(declared.name())
                .flatMap(table -> table.column(name))
                .flatMap(Column::keyType);
        if (type.isPresent() && firstType == null) {
          firstType = type.get();
          firstName = declared.name() + "." + name;
        } else if (type.isPresent() && type.get() != firstType) {
          findings.problem(
              place(declared.name()),
              "route key columns "
                  + firstName
                  + " ("
                  + firstType
                  + ") and "
                  + declared.name()
                  + "."
                  + name
                  + " ("
                  + type.get()
                  + ") stand at one position of the key of group "
                  + group.name()
                  + " and hash equal values differently",
              "give both columns types of one kind");
        }
      }
    }
  }

  private void checkIdsExist(Group group) {
    List<Table> tables =
        group.tables().keySet().stream().flatMap(t -> view.schema().table(t).stream()).toList();
    if (tables.size() < group.tables().size()) {
      return;
    }
    for (Configuration.IdColumn id : group.ids()) {
      if (tables.stream().noneMatch(table -> table.column(id.column()).isPresent())) {
        findings.problem(
            new Place(Optional.of(view.shard()), Optional.empty()),
            "no table of group " + group.name() + " has its id column " + id.column(),
            "correct groups." + group.name() + ".id.column or add the column");
      }
    }
  }

  private void warn(Group group, Configuration.Table declared, Table table) {
    for (Column column : table.columns()) {
      if (column.source() == Source.SEQUENCE || column.source() == Source.IDENTITY) {
        findings.warning(
            place(table.name()),
            "column "
                + named(table, column)
                + " draws from a sequence of each shard, so shards issue the same values",
            "issue ids in the application, e.g. gene ids or UUIDs");
      }
    }
    Optional<String> id =
        group.id().map(Configuration.GeneIdColumn::column).filter(c -> table.column(c).isPresent());
    id.ifPresent(column -> warnUnserved(table, List.of(column), "id"));
    if (id.filter(column -> isPartOfParent(group, table, column)).isEmpty()) {
      warnUnserved(table, declared.key(), "route key");
    }
  }

  /**
   * Rows such as an order's items belong to a row of another table of the group and are reached
   * through its id, so an index for the route key would cost every write and serve no read.
   */
  private static boolean isPartOfParent(Group group, Table table, String id) {
    return table.foreignKeys().stream()
        .anyMatch(
            key ->
                key.columns().contains(id)
                    && !key.target().equals(table.name())
                    && group.tables().containsKey(key.target()));
  }

  private void warnUnserved(Table table, List<String> key, String what) {
    if (table.indexes().stream().noneMatch(index -> serves(index, key))) {
      findings.warning(
          place(table.name()),
          "no index of table " + table.name() + " serves its " + what + " " + key,
          "add one on (" + ShardSchema.BUCKET_COLUMN + ", " + String.join(", ", key) + ")");
    }
  }

  /** Its first columns, apart from bucket_id, are the key's in any order. */
  private static boolean serves(Index index, List<String> key) {
    List<String> columns = new ArrayList<>(index.columns());
    columns.remove(ShardSchema.BUCKET_COLUMN);
    return !index.partial()
        && columns.size() >= key.size()
        && new HashSet<>(columns.subList(0, key.size())).equals(new HashSet<>(key));
  }

  private Place place(String table) {
    return Place.of(view.shard(), table);
  }

  private static String named(Table table, Column column) {
    return table.name() + "." + column.name();
  }

  private ShardDatabase database() {
    return ShardDatabase.of(configuration.product());
  }
}
