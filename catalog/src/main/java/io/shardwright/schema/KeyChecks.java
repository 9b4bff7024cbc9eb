package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.routing.KeyType;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.Index;
import io.shardwright.schema.ShardSchema.Source;
import io.shardwright.schema.ShardSchema.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
          warn(group, declared, table.get());
        }
      }
      checkTypesAgree(group);
      checkIdExists(group);
    }
    for (String reference : configuration.reference()) {
      if (view.schema().table(reference).isEmpty()) {
        missing(reference);
      }
    }
  }

  /** The key's types by the group's first table that has usable ones. */
  static Optional<List<KeyType>> types(Group group, ShardSchema schema) {
    return group.tables().values().stream()
        .flatMap(table -> types(table, schema).stream())
        .findFirst();
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

  static boolean isGeneType(Column column) {
    return column.typeName().equals("int8");
  }

  static boolean isBucketType(Column column) {
    return Set.of("int2", "int4", "int8").contains(column.typeName());
  }

  private void missing(String table) {
    findings.problem(place(table), "table " + table + " does not exist", CREATE);
  }

  private void checkBucketColumn(Group group, Table table) {
    Optional<Column> bucket = table.column(ShardSchema.BUCKET_COLUMN);
    String type = group.buckets() > SMALLINT_BUCKETS ? "integer" : "smallint or integer";
    if (bucket.isEmpty()) {
      findings.problem(
          place(table.name()),
          "table " + table.name() + " has no column bucket_id",
          "add bucket_id " + type + " NOT NULL, first in the primary key");
      return;
    }
    boolean fits =
        isBucketType(bucket.get())
            && !(bucket.get().typeName().equals("int2") && group.buckets() > SMALLINT_BUCKETS);
    if (!fits) {
      findings.problem(
          place(table.name()),
          named(table, bucket.get()) + " is " + bucket.get().type(),
          "make it " + type + ": it holds 0 to " + (group.buckets() - 1));
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
            PostgresTypes.whyNoKey(column.get()));
      }
    }
  }

  private void checkId(Group group, Table table) {
    group
        .id()
        .flatMap(id -> table.column(id.column()))
        .filter(column -> !isGeneType(column))
        .ifPresent(
            column ->
                findings.problem(
                    place(table.name()),
                    "id column " + named(table, column) + " is " + column.type(),
                    "make it bigint: a gene id has 63 bits"));
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

  private void checkIdExists(Group group) {
    List<Table> tables =
        group.tables().keySet().stream().flatMap(t -> view.schema().table(t).stream()).toList();
    if (group.id().isPresent()
        && tables.size() == group.tables().size()
        && tables.stream().noneMatch(t -> t.column(group.id().get().column()).isPresent())) {
      findings.problem(
          new Place(Optional.of(view.shard()), Optional.empty()),
          "no table of group " + group.name() + " has its id column " + group.id().get().column(),
          "correct groups." + group.name() + ".id.column or add the column");
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
    warnUnserved(table, declared.key(), "route key");
    group
        .id()
        .filter(id -> table.column(id.column()).isPresent())
        .ifPresent(id -> warnUnserved(table, List.of(id.column()), "id"));
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
}
