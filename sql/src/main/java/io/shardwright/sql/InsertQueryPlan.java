package io.shardwright.sql;

import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.sql.Facts.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * INSERT ... SELECT into a sharded table: the rows are read first, wherever they are, and then
 * inserted as an INSERT of values, each where its key belongs.
 */
final class InsertQueryPlan implements TextPlan {
  private final Traits traits;
  private final Schema.Table table;
  private final Plan query;
  private final List<Integer> queryParameters;
  private final Merge.Inserting inserting;

  private InsertQueryPlan(
      SqlTokens tokens, InsertStatement statement, Schema.Table table, Plan query) {
    this.traits =
        new Traits(
            tokens,
            Kind.INSERT,
            statement.returning(),
            true,
            Optional.of(table.sharding().orElseThrow().group()),
            table.indexes());
    this.table = table;
    this.query = query;
    Place place = statement.query().orElseThrow().place(tokens);
    this.queryParameters = numbers(0, tokens.parametersBefore(place.to()));
    List<String> columns =
        statement.namesColumns()
            ? statement.columns()
            : table.columns().stream().map(Schema.Column::name).toList();
    // Refuses before the rows are read; the INSERT of the rows puts the ids in.
    Optional<IssuedIds> unused = IssuedIds.of(tokens.dialect(), statement, table, columns);
    this.inserting =
        new Merge.Inserting(
            tokens.text(0, place.from()),
            columns.contains("bucket_id")
                ? OptionalInt.empty()
                : OptionalInt.of(tokens.get(statement.columnsOpen()).end()),
            tokens.text(place.to(), tokens.sql().length()),
            numbers(tokens.parametersBefore(place.to()), tokens.parameters().size()),
            routing(columns));
  }

  static Plan of(Schema schema, SqlTokens tokens, InsertStatement statement, Schema.Table table) {
    Place place = statement.query().orElseThrow().place(tokens);
    if (tokens.parametersBefore(place.from()) > 0) {
      throw BlockReader.unsupported("a parameter in front of the query of an INSERT");
    }
    Plan query = new PlanBuilder(schema, tokens.text(place.from(), place.to())).build();
    return new InsertQueryPlan(tokens, statement, table, query);
  }

  private static List<Integer> numbers(int from, int to) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = from; i < to; i++) {
      numbers.add(i);
    }
    return List.copyOf(numbers);
  }

  /** Numbers (0-based) of the columns that decide where a row goes. */
  private Set<Integer> routing(List<String> columns) {
    Schema.Sharding sharding = table.sharding().orElseThrow();
    Set<String> names = new HashSet<>(sharding.key());
    names.add("bucket_id");
    sharding.id().ifPresent(id -> names.add(id.column()));
    Set<Integer> routing = new HashSet<>();
    for (int i = 0; i < columns.size(); i++) {
      if (names.contains(columns.get(i))) {
        routing.add(i);
      }
    }
    return Set.copyOf(routing);
  }

  @Override
  public Optional<ScatterReason> scatterReason() {
    return query.scatterReason();
  }

  @Override
  public Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    boolean allowed = hints().scatter().filter(p -> p == ScatterPolicy.ALLOW).isPresent();
    RouteContext reading = allowed ? new Pieces.Admitted(context) : context;
    Merge.Part part =
        new Pieces.Unit(query, queryParameters, List.of())
            .route(parameters, maps, new Complete(reading));
    return new Route(
        Route.Target.GATHERED,
        List.of(),
        Route.ShardStatementText.NONE,
        new Merge.Gathered(List.of(part), List.of(), Optional.of(inserting)),
        Optional.empty(),
        reason());
  }

  /** What is inserted must not lack rows. */
  private record Complete(RouteContext whole) implements InnerContext {
    @Override
    public Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
      return whole.open(index, values, true);
    }
  }

  @Override
  public Traits traits() {
    return traits;
  }

  @Override
  public String reason() {
    return "rows of a query (" + query.reason() + "), each to the shard of its key";
  }
}
