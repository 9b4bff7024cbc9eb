package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.KeyType;
import io.shardwright.routing.ShardId;
import io.shardwright.sql.Facts.Place;
import io.shardwright.sql.Rendering.Share;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * An INSERT of one or more rows: each row goes to the shard of its key, with its bucket filled in.
 */
final class InsertPlan implements TextPlan {
  private static final String BUCKET = "bucket_id";

  private final Traits traits;
  private final SqlTokens tokens;
  private final InsertStatement statement;
  private final Schema.Table table;
  private final Schema.Sharding sharding;
  private final List<Row> rows;
  private final List<Edit> edits;
  private final String reason;
  private final Optional<BucketId> hinted;

  /** The text for the one row of a single-row INSERT, rendered once. */
  private volatile Optional<ShardStatementText> single = Optional.empty();

  /** What routes one row. */
  private record Row(
      List<Slot> key, Optional<Slot> bucket, Optional<Slot> id, CarriedKeys numbers) {}

  private InsertPlan(
      SqlTokens tokens, InsertStatement statement, Schema.Table table, Schema.Sharding sharding) {
    this.traits =
        new Traits(
            tokens,
            Kind.INSERT,
            statement.returning(),
            true,
            Optional.of(sharding.group()),
            table.indexes());
    this.tokens = tokens;
    this.statement = statement;
    this.table = table;
    this.sharding = sharding;
    this.hinted = MeantBucket.hinted(tokens.hints(), sharding);
    List<String> columns =
        !statement.namesColumns()
            ? table.columns().stream().map(Schema.Column::name).toList()
            : statement.columns();
    this.rows = rows(columns);
    boolean addBucket = !columns.contains(BUCKET);
    if (addBucket && !statement.namesColumns()) {
      throw new ShardwrightException(
          ErrorCode.SCHEMA_INVALID,
          "table " + table.name() + " has no column bucket_id; run: shardwright apply");
    }
    this.edits = edits(addBucket, IssuedIds.of(tokens.dialect(), statement, table, columns));
    this.reason = "route key " + sharding.key() + " of the inserted rows of " + table.name();
  }

  static Plan of(Schema schema, SqlTokens tokens) {
    InsertStatement statement = InsertStatement.of(tokens);
    Schema.Table table =
        schema
            .table(statement.table())
            .orElseThrow(() -> FromReader.unknownTable(statement.table()));
    if (statement.query().isPresent() && table.sharding().isEmpty()) {
      throw BlockReader.unsupported(
          "INSERT ... SELECT into " + table.name() + ", which is not sharded,");
    }
    if (table.home().isPresent()) {
      return FixedPlan.onHome(Kind.INSERT, tokens, table.home().get(), statement.returning(), true);
    }
    if (table.isReference()) {
      ReferenceWrite.requireDeterministic(tokens, table.name());
      return FixedPlan.onEveryShard(
          Kind.INSERT, tokens, statement.returning(), "reference table " + table.name());
    }
    for (String column : statement.updatedOnConflict()) {
      PlanBuilder.requireMutable(table, column);
      CarriedKeys.requireNone(table, column);
    }
    if (statement.query().isPresent()) {
      return InsertQueryPlan.of(schema, tokens, statement, table);
    }
    return new InsertPlan(tokens, statement, table, table.sharding().orElseThrow());
  }

  private List<Edit> edits(boolean addBucket, Optional<IssuedIds> ids) {
    List<Edit> changes = new ArrayList<>();
    int assignments = statement.assignments();
    if (assignments >= 0) {
      if (addBucket) {
        changes.add(new Edit.BucketAssignment(assignments));
      }
      ids.map(
              issued ->
                  issued.added() ? new Place(assignments, assignments) : issued.defaults().get(0))
          .ifPresent(
              place -> changes.add(new Edit.IdAssignment(place.from(), place.to(), ids.get())));
      return List.copyOf(changes);
    }
    String added =
        (addBucket ? BUCKET + ", " : "")
            + ids.filter(IssuedIds::added).map(issued -> issued.name() + ", ").orElse("");
    if (!added.isEmpty()) {
      int place = tokens.get(statement.columnsOpen()).end();
      changes.add(new Edit.Replace(place, place, added));
    }
    changes.add(new Edit.KeepRows(statement.rows(), addBucket, ids));
    return List.copyOf(changes);
  }

  private List<Row> rows(List<String> columns) {
    List<Integer> key = new ArrayList<>();
    for (String column : sharding.key()) {
      int index = columns.indexOf(column);
      if (index < 0) {
        throw new ShardwrightException(
            ErrorCode.ROUTE_KEY_MISSING,
            "the INSERT into "
                + table.name()
                + " does not name the route key column "
                + column
                + "; it decides the shard, so give it a value");
      }
      key.add(index);
    }
    int bucket = columns.indexOf(BUCKET);
    int id = sharding.id().map(column -> columns.indexOf(column.column())).orElse(-1);
    List<Row> result = new ArrayList<>();
    for (int i = 0; i < statement.values().size(); i++) {
      List<Optional<Slot>> values = statement.values().get(i);
      if (values.size() != columns.size()) {
        throw new ShardwrightException(
            ErrorCode.STATEMENT_UNPARSABLE,
            "row "
                + (i + 1)
                + " of the INSERT into "
                + table.name()
                + " has "
                + values.size()
                + " values for "
                + columns.size()
                + " columns");
      }
      List<Slot> slots = new ArrayList<>();
      for (int column : key) {
        slots.add(values.get(column).orElseThrow(() -> notPlain(columns.get(column))));
      }
      Optional<Slot> suppliedBucket =
          bucket < 0
              ? Optional.empty()
              : Optional.of(values.get(bucket).orElseThrow(() -> notPlain(BUCKET)));
      result.add(
          new Row(
              slots,
              suppliedBucket,
              id < 0 ? Optional.empty() : values.get(id),
              CarriedKeys.ofRow(table, columns, values)));
    }
    return result;
  }

  private ShardwrightException notPlain(String column) {
    return new ShardwrightException(
        ErrorCode.ROUTE_KEY_MISSING,
        "the value of "
            + column
            + " in the INSERT into "
            + table.name()
            + " is an expression; it decides the shard, so give a parameter or a literal");
  }

  @Override
  public boolean insertsPlainRows() {
    long expressions = 0;
    for (List<Optional<Slot>> row : statement.values()) {
      expressions += row.stream().filter(Optional::isEmpty).count();
    }
    List<Place> places = statement.rows();
    return tokens.isAt(0, "INSERT")
        && !statement.ignores()
        && expressions == statement.defaults().size()
        && !places.isEmpty()
        && places.get(places.size() - 1).to() == tokens.sql().stripTrailing().length();
  }

  private BucketId bucketOf(Row row, List<?> parameters) {
    List<Object> values = new ArrayList<>(row.key().size());
    for (int i = 0; i < row.key().size(); i++) {
      String column = sharding.key().get(i);
      Object value =
          row.key()
              .get(i)
              .storedValue(sharding.function().types().get(i), parameters)
              .orElseThrow(
                  () ->
                      new ShardwrightException(
                          ErrorCode.ROUTE_KEY_NULL,
                          "route key column "
                              + column
                              + " of "
                              + table.name()
                              + " is NULL in the INSERT; every row needs the whole key"));
      checkLength(column, value);
      checkFit(column, sharding.function().types().get(i), value);
      values.add(value);
    }
    BucketId bucket = bucketOf(values);
    check(row, bucket, parameters);
    return bucket;
  }

  private BucketId bucketOf(List<Object> values) {
    Optional<BucketId> bucket;
    try {
      bucket = sharding.function().bucket(values);
    } catch (ShardwrightException e) {
      throw sharding.unusable(values, e);
    }
    return bucket.orElseThrow(
        () ->
            new ShardwrightException(
                ErrorCode.ROUTE_KEY_VALUE_INVALID,
                "a route key value for "
                    + table.name()
                    + " "
                    + sharding.key()
                    + " is a fraction or beyond int64; the column would store another value"));
  }

  /** The database would cut trailing spaces beyond varchar(n), after the bucket was computed. */
  private void checkLength(String column, Object value) {
    OptionalInt max =
        table.column(column).map(Schema.Column::maxLength).orElse(OptionalInt.empty());
    if (max.isPresent()
        && value instanceof String text
        && text.codePointCount(0, text.length()) > max.getAsInt()) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "the value for route key column "
              + column
              + " of "
              + table.name()
              + " is longer than its "
              + max.getAsInt()
              + " characters; the column would store another value");
    }
  }

  /** With IGNORE the database would store the nearest value that fits, on the wrong shard. */
  private void checkFit(String column, KeyType type, Object value) {
    if (!statement.ignores() || type == KeyType.TEXT || type == KeyType.UUID) {
      return;
    }
    boolean fits =
        type == KeyType.INTEGER
            && type.canonical(value)
                .map(Long.class::cast)
                .filter(number -> integers(column).filter(i -> i.contains(number)).isPresent())
                .isPresent();
    if (!fits) {
      throw new ShardwrightException(
          ErrorCode.ROUTE_KEY_VALUE_INVALID,
          "INSERT IGNORE into "
              + table.name()
              + " could store another value in route key column "
              + column
              + " than the one that chose the shard; leave IGNORE out");
    }
  }

  private Optional<Schema.Integers> integers(String column) {
    return table.column(column).flatMap(Schema.Column::integers);
  }

  private void check(Row row, BucketId bucket, List<?> parameters) {
    if (row.bucket().isPresent()) {
      Optional<Object> supplied = KeyType.INTEGER.canonical(row.bucket().get().value(parameters));
      if (!supplied.equals(Optional.of((long) bucket.value()))) {
        throw new ShardwrightException(
            ErrorCode.BUCKET_ID_MISMATCH,
            "bucket_id "
                + supplied.map(Object::toString).orElse("NULL")
                + " was given for a row of "
                + table.name()
                + " whose key belongs to bucket "
                + bucket
                + "; leave bucket_id out, it is filled in");
      }
    }
    if (row.id().isPresent() && row.id().get().value(parameters) != null) {
      Optional<BucketId> gene = new KeyAlternative.Gene(row.id().get()).named(sharding, parameters);
      if (gene.isPresent() && !gene.get().equals(bucket)) {
        throw new ShardwrightException(
            ErrorCode.ID_GENE_MISMATCH,
            "the id in column "
                + sharding.id().orElseThrow().column()
                + " of "
                + table.name()
                + " carries bucket "
                + gene.get()
                + ", the row's key belongs to bucket "
                + bucket
                + "; issue the id for the row's own key");
      }
    }
    row.numbers().check(bucket, parameters);
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    BucketMap map = maps.apply(sharding.group());
    Optional<MeantBucket> meant = MeantBucket.of(hinted, sharding.group(), context);
    if (rows.size() == 1) {
      BucketId bucket = bucketOf(rows.get(0), parameters);
      meant.ifPresent(m -> m.check(bucket, table.name()));
      if (single.isEmpty()) {
        single = Optional.of(render(List.of(0), List.of(bucket)));
      }
      return route(
          List.of(
              new ShardStatement(
                  map.shardOf(bucket), List.of(bucket), single.get().withBucket(bucket))),
          new Merge.PassThrough(),
          map);
    }
    Map<ShardId, Part> parts = new TreeMap<>();
    for (int i = 0; i < rows.size(); i++) {
      BucketId bucket = bucketOf(rows.get(i), parameters);
      meant.ifPresent(m -> m.check(bucket, table.name()));
      Part part = parts.computeIfAbsent(map.shardOf(bucket), shard -> new Part());
      part.rows.add(i);
      part.buckets.add(bucket);
    }
    List<ShardStatement> statements = new ArrayList<>();
    List<List<Integer>> rowsByStatement = new ArrayList<>();
    parts.forEach(
        (shard, part) -> {
          NavigableSet<BucketId> distinct = new TreeSet<>(part.buckets);
          statements.add(
              new ShardStatement(shard, List.copyOf(distinct), render(part.rows, part.buckets)));
          rowsByStatement.add(part.rows);
        });
    Merge merge =
        statements.size() == 1 ? new Merge.PassThrough() : new Merge.InsertedRows(rowsByStatement);
    return route(statements, merge, map);
  }

  /** The rows of one shard, while they are gathered. */
  private static final class Part {
    private final List<Integer> rows = new ArrayList<>();
    private final List<BucketId> buckets = new ArrayList<>();
  }

  private ShardStatementText render(List<Integer> rowNumbers, List<BucketId> buckets) {
    return Rendering.render(
        tokens, edits, new Share(List.of(), rowNumbers, buckets, OptionalLong.empty()));
  }

  private Route route(List<ShardStatement> statements, Merge merge, BucketMap map) {
    return new Route(
        Route.Target.SHARDS, statements, ShardStatementText.NONE, merge, map.routed(), reason);
  }
}
