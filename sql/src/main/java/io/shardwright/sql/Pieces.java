package io.shardwright.sql;

import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ScatterPolicy;
import io.shardwright.routing.ScatterRule;
import io.shardwright.sql.Merge.Part;
import io.shardwright.sql.Merge.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A statement taken apart by {@link Gather}. */
record Pieces(List<Unit> units, List<Segment> text) {
  /** A part: its plan, and for each of its {@code ?} the number of the statement's. */
  record Unit(Plan plan, List<Integer> parameters, List<String> collations) {
    Part route(List<?> values, Function<String, BucketMap> maps, RouteContext context) {
      List<Object> own = new ArrayList<>(parameters.size());
      parameters.forEach(index -> own.add(values.get(index)));
      Route route = plan.route(own, maps, new OwnParameters(context, parameters));
      return new Part(plan, route, parameters, collations);
    }
  }

  /** For the parts of a statement that the policy lets pass. */
  record Admitted(RouteContext whole) implements InnerContext {
    @Override
    public ScatterRule reads(String group) {
      return new ScatterRule(ScatterPolicy.ALLOW, "the whole statement");
    }
  }

  /** For a part with parameters of its own: what it asks for has those of the whole. */
  private record OwnParameters(RouteContext whole, List<Integer> numbers) implements InnerContext {
    @Override
    public Optional<ListAccess> open(ListIndex index, List<List<Object>> values, boolean complete) {
      return whole.open(index, values, complete).map(access -> new Access(access, numbers));
    }

    private record Access(ListAccess whole, List<Integer> numbers)
        implements InnerContext.InnerAccess {
      /** The rows of a part are not counted before they are used. */
      @Override
      public int pageFactor() {
        return 0;
      }

      @Override
      public List<ListIndex.Row> rows(Part keys) {
        return whole.rows(
            new Part(
                keys.plan(),
                keys.route(),
                keys.parameters().stream().map(numbers::get).toList(),
                keys.collations()));
      }
    }
  }

  /** Whether the statement may go to several shards has been decided for the whole. */
  Route route(
      List<?> values, Function<String, BucketMap> maps, RouteContext context, String reason) {
    RouteContext admitted = new Admitted(context);
    List<Part> parts = units.stream().map(unit -> unit.route(values, maps, admitted)).toList();
    return Route.gathered(new Merge.Gathered(parts, text, Optional.empty()), reason);
  }
}
