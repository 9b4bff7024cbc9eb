package io.shardwright.schema;

import io.shardwright.routing.ShardId;
import io.shardwright.schema.PlacementReport.Kind;
import io.shardwright.schema.PlacementReport.TableRows;
import io.shardwright.schema.PlacementReport.Violation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts, in bounded memory. Not thread-safe: one for each shard, added up at the end. */
final class PlacementTally {
  private final int violationsMax;
  private final List<TableRows> checked = new ArrayList<>();
  private final Map<Violation, Long> listed = new LinkedHashMap<>();
  private final Map<Place, Integer> listedAt = new HashMap<>();
  private final Map<Kind, Long> rowsByKind = new EnumMap<>(Kind.class);

  private record Place(Kind kind, ShardId shard, String table) {}

  PlacementTally(int violationsMax) {
    this.violationsMax = violationsMax;
  }

  void checked(ShardId shard, String table, long rows) {
    checked.add(new TableRows(shard, table, rows));
  }

  /** Violations that differ in their number of rows only are added up. */
  void violated(Violation violation) {
    rowsByKind.merge(violation.kind(), violation.rows(), Long::sum);
    Violation key = withRows(violation, 0);
    Place place = new Place(violation.kind(), violation.shard(), violation.table());
    if (listed.containsKey(key)) {
      listed.merge(key, violation.rows(), Long::sum);
    } else if (listedAt.getOrDefault(place, 0) < violationsMax) {
      listed.put(key, violation.rows());
      listedAt.merge(place, 1, Integer::sum);
    }
  }

  void add(PlacementTally shard) {
    checked.addAll(shard.checked);
    listed.putAll(shard.listed);
    shard.rowsByKind.forEach((kind, rows) -> rowsByKind.merge(kind, rows, Long::sum));
  }

  PlacementReport report(List<Finding> problems) {
    List<Violation> violations = new ArrayList<>();
    listed.forEach((violation, rows) -> violations.add(withRows(violation, rows)));
    return new PlacementReport(checked, violations, rowsByKind, problems);
  }

  private static Violation withRows(Violation violation, long rows) {
    return new Violation(
        violation.kind(),
        violation.shard(),
        violation.table(),
        violation.bucket(),
        violation.expectedBucket(),
        violation.owner(),
        rows);
  }
}
