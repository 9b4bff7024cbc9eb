package io.shardwright.driver;

import io.shardwright.config.DatabaseProduct;
import io.shardwright.schema.ShardSchema;
import io.shardwright.schema.ShardSchema.ServerSettings;
import io.shardwright.sql.Schema.ValueOrder;
import java.util.Set;
import java.util.regex.Pattern;

/** How the planner is to take the values of the shards' columns. */
record ColumnOrders(DatabaseProduct product, ServerSettings settings) {
  /** Whose clock never goes back. */
  private static final Pattern FIXED_ZONE =
      Pattern.compile("[+-]\\d\\d:\\d\\d|(SYSTEM \\()?(Etc/)?UTC\\)?");

  private static final Set<String> MARIADB_OPAQUE =
      Set.of(
          "enum",
          "set",
          "bit",
          "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection");

  ValueOrder of(ShardSchema.Column column) {
    if (product == DatabaseProduct.MARIADB) {
      if (MARIADB_OPAQUE.contains(column.typeName())) {
        return ValueOrder.OPAQUE;
      }
      if (column.typeName().equals("timestamp") && !hasFixedZone()) {
        return ValueOrder.LOCAL_TIME;
      }
    }
    return ValueOrder.valueOf(column.ordering().name());
  }

  private boolean hasFixedZone() {
    return FIXED_ZONE.matcher(settings.others().get("time_zone")).matches();
  }
}
