package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The plan of one text by the plan of its shape ({@link LiftedText}). Only a statement on one shard
 * is answered so; one on several shards, or one that is refused, is planned from its own text.
 */
public final class LiftedPlan implements Plan {
  private final Plan shape;
  private final Splitter splitter;
  private final LiftedText text;
  private final Supplier<Plan> whole;

  /**
   * @param splitter one for all plans of the shape
   * @param whole plans the text itself
   */
  public LiftedPlan(Plan shape, Splitter splitter, LiftedText text, Supplier<Plan> whole) {
    this.shape = shape;
    this.splitter = splitter;
    this.text = text;
    this.whole = whole;
  }

  /**
   * Where the {@code ?} of a shape's physical text are; kept, since that text is mostly the same.
   * Thread-safe.
   */
  public static final class Splitter {
    private final Dialect dialect;
    private volatile Split last;

    public Splitter(Dialect dialect) {
      this.dialect = dialect;
    }

    /** Written once: safe to read without a lock. */
    private static final class Split {
      private final String sql;
      private final int[] places;

      Split(String sql, int[] places) {
        this.sql = sql;
        this.places = places;
      }
    }

    private int[] places(String sql) {
      Split known = last;
      if (known == null || !known.sql.equals(sql)) {
        int[] places =
            SqlTokens.of(dialect, sql).parameters().stream()
                .mapToInt(SqlTokens.Token::start)
                .toArray();
        known = new Split(sql, places);
        last = known;
      }
      return known.places;
    }
  }

  @Override
  public Route route(List<?> parameters, Function<String, BucketMap> maps, RouteContext context) {
    Route route;
    try {
      route = shape.route(text.values(), maps, new WithoutKeys(context));
    } catch (ShardwrightException e) {
      return whole.get().route(parameters, maps, context);
    }
    boolean passes =
        route.merge() instanceof Merge.PassThrough || route.merge() instanceof Merge.InsertedRows;
    if (route.target() != Route.Target.SHARDS || route.statements().size() != 1 || !passes) {
      return whole.get().route(parameters, maps, context);
    }
    ShardStatement only = route.statements().get(0);
    return new Route(
        Route.Target.SHARDS,
        List.of(new ShardStatement(only.shard(), only.buckets(), written(only.text()))),
        ShardStatementText.NONE,
        route.merge(),
        route.map(),
        route.reason(),
        route.list());
  }

  /**
   * Keys of rows are asked for with the statement's own values, which a shape has none of: then the
   * text is planned itself.
   */
  private record WithoutKeys(RouteContext whole) implements InnerContext {
    @Override
    public Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
      return whole.open(index, values, complete).map(Access::new);
    }

    private record Access(ListAccess whole) implements InnerContext.InnerAccess {
      @Override
      public List<ListIndex.Row> rows(Merge.Part keys) {
        throw new ShardwrightException(
            ErrorCode.STATEMENT_UNSUPPORTED, "keys of rows by the shape of a statement");
      }
    }
  }

  /**
   * The shard's text with the literals back in their places, and our numbers written out; ids are
   * not known yet.
   */
  private ShardStatementText written(ShardStatementText lifted) {
    int[] places = splitter.places(lifted.sql());
    if (places.length != lifted.arguments().size()) {
      throw new ShardwrightException(
          ErrorCode.INVARIANT_BROKEN, "a text for a shard has not as many ? as arguments");
    }
    StringBuilder out = new StringBuilder(text.sql().length() + 48);
    List<Argument> ids = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < places.length; i++) {
      out.append(lifted.sql(), at, places[i]);
      Argument argument = lifted.arguments().get(i);
      if (argument instanceof Argument.Int64 number) {
        out.append(number.value());
      } else if (argument instanceof Argument.Parameter literal) {
        text.appendLiteral(out, literal.index());
      } else if (argument instanceof Argument.IssuedId id) {
        out.append('?');
        ids.add(id);
      } else {
        throw new ShardwrightException(
            ErrorCode.INVARIANT_BROKEN, "no literal for the argument " + argument);
      }
      at = places[i] + 1;
    }
    out.append(lifted.sql(), at, lifted.sql().length());
    return new ShardStatementText(out.toString(), ids);
  }

  @Override
  public String sql() {
    return text.sql();
  }

  @Override
  public Kind kind() {
    return shape.kind();
  }

  @Override
  public boolean returnsRows() {
    return shape.returnsRows();
  }

  @Override
  public Hints hints() {
    return shape.hints();
  }

  @Override
  public int parameterCount() {
    return 0;
  }

  @Override
  public Optional<String> group() {
    return shape.group();
  }

  @Override
  public boolean locksOrWrites() {
    return shape.locksOrWrites();
  }

  @Override
  public boolean showsRows() {
    return shape.showsRows();
  }

  @Override
  public boolean insertsPlainRows() {
    return shape.insertsPlainRows();
  }

  @Override
  public List<Schema.LookupIndex> maintained() {
    return shape.maintained();
  }

  @Override
  public String reason() {
    return shape.reason();
  }

  @Override
  public Optional<ScatterReason> scatterReason() {
    return shape.scatterReason();
  }
}
