package io.shardwright.schema;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.errors.ErrorCode;
import io.shardwright.schema.Findings.Place;
import io.shardwright.schema.ShardSchema.Column;
import io.shardwright.schema.ShardSchema.ServerSettings;
import io.shardwright.schema.ShardSchema.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All shards: each is compared with the first one. */
record DriftChecks(Configuration configuration, List<ShardView> views, Findings findings) {
  private static final String ALTER =
      "make both equal, with DDL through jdbc:shardwright: from now on";

  void check() {
    if (views.size() < 2) {
      return;
    }
    ShardView first = views.get(0);
    for (ShardView other : views.subList(1, views.size())) {
      checkSettings(first, other);
      for (String table : tables()) {
        Optional<Table> one = first.schema().table(table);
        Optional<Table> two = other.schema().table(table);
        if (one.isPresent() && two.isPresent()) {
          new Pair(first, one.get(), other, two.get(), findings).check();
        }
      }
      checkReference(first, other);
    }
  }

  private List<String> tables() {
    List<String> tables = new ArrayList<>(configuration.reference());
    for (Group group : configuration.groups().values()) {
      tables.addAll(group.tables().keySet());
    }
    return tables;
  }

  private void checkSettings(ShardView first, ShardView other) {
    setting(first, other, "server encoding", ServerSettings::encoding);
    setting(first, other, "database collation", ServerSettings::collation);
    setting(first, other, "collation version", s -> s.collationVersion().orElse("none"));
    setting(first, other, "TimeZone", s -> s.timeZone().orElse("the server's"));
    setting(first, other, "major version", ServerSettings::release);
    for (String name : new TreeSet<>(first.schema().settings().others().keySet())) {
      setting(first, other, name, s -> s.others().getOrDefault(name, "unknown"));
    }
    String one = first.schema().settings().version();
    String two = other.schema().settings().version();
    if (!one.equals(two)) {
      findings.warning(
          Place.of(other.shard()),
          "the version is " + one + " on shard " + first.shard() + " and " + two + " here",
          "run the same minor version everywhere once an upgrade is through");
    }
  }

  private void setting(
      ShardView first, ShardView other, String what, Function<ServerSettings, String> value) {
    String one = value.apply(first.schema().settings());
    String two = value.apply(other.schema().settings());
    if (!one.equals(two)) {
      findings.problem(
          ErrorCode.SCHEMA_DRIFT,
          Place.of(other.shard()),
          what + " is " + one + " on shard " + first.shard() + " and " + two + " here",
          "set up the shards alike; rows of both could not be compared and merged");
    }
  }

  private void checkReference(ShardView first, ShardView other) {
    for (Map.Entry<String, ReferenceDigest> entry :
        new TreeMap<>(first.referenceDigests()).entrySet()) {
      ReferenceDigest one = entry.getValue();
      ReferenceDigest two = other.referenceDigests().get(entry.getKey());
      if (two != null && !two.equals(one)) {
        String difference =
            one.rows() == two.rows()
                ? "has other rows here than on shard " + first.shard() + ", " + one.rows() + " each"
                : "has "
                    + one.rows()
                    + " rows on shard "
                    + first.shard()
                    + " and "
                    + two.rows()
                    + " here";
        findings.problem(
            ErrorCode.REFERENCE_DRIFT,
            Place.of(other.shard(), entry.getKey()),
            "reference table " + entry.getKey() + " " + difference,
            "copy it from the right shard to the others; write it through jdbc:shardwright: only");
      }
    }
  }

  /** One table on two shards. */
  private record Pair(ShardView first, Table one, ShardView other, Table two, Findings findings) {

    void check() {
      List<String> oneNames = one.columns().stream().map(Column::name).toList();
      List<String> twoNames = two.columns().stream().map(Column::name).toList();
      for (Column column : one.columns()) {
        compare(
            "column " + one.name() + "." + column.name(),
            describe(column, first),
            two.column(column.name()).map(c -> describe(c, other)).orElse("absent"));
      }
      for (Column column : two.columns()) {
        if (one.column(column.name()).isEmpty()) {
          compare("column " + one.name() + "." + column.name(), "absent", describe(column, other));
        }
      }
      if (!oneNames.equals(twoNames) && new TreeSet<>(oneNames).equals(new TreeSet<>(twoNames))) {
        compare("the order of the columns of " + one.name(), oneNames, twoNames);
      }
      compareByName("unique", uniques(one), uniques(two));
      compareByName("foreign key", foreignKeys(one), foreignKeys(two));
      compareByName("check", checks(one), checks(two));
      warnIndexes();
    }

    private void compareByName(String what, Map<String, String> ones, Map<String, String> twos) {
      TreeSet<String> names = new TreeSet<>(ones.keySet());
      names.addAll(twos.keySet());
      for (String name : names) {
        compare(
            what + " " + name + " of table " + one.name(),
            ones.getOrDefault(name, "absent"),
            twos.getOrDefault(name, "absent"));
      }
    }

    private void compare(String what, Object here, Object there) {
      if (!here.equals(there)) {
        findings.problem(
            ErrorCode.SCHEMA_DRIFT,
            Place.of(other.shard(), one.name()),
            what + " is " + here + " on shard " + first.shard() + " and " + there + " here",
            ALTER);
      }
    }

    private void warnIndexes() {
      Map<String, String> ones = indexes(one);
      Map<String, String> twos = indexes(two);
      if (!ones.equals(twos)) {
        findings.warning(
            Place.of(other.shard(), one.name()),
            "the indexes of table "
                + one.name()
                + " are "
                + ones
                + " on shard "
                + first.shard()
                + " and "
                + twos
                + " here",
            "create the missing ones");
      }
    }

    /** The collation of the database is left out: it is compared by itself, once. */
    private static String describe(Column column, ShardView view) {
      String database = view.schema().settings().collation();
      return column.type()
          + (column.nullable() ? "" : " NOT NULL")
          + column
              .collation()
              .filter(c -> !c.name().equals(database))
              .map(c -> " COLLATE " + c.name() + version(c))
              .orElse("")
          + switch (column.source()) {
            case NOTHING -> "";
            case DEFAULT, VOLATILE -> " DEFAULT " + column.defaultExpression().orElse("");
            case SEQUENCE -> " DEFAULT from a sequence";
            case IDENTITY -> " IDENTITY";
            case GENERATED -> " GENERATED AS " + column.defaultExpression().orElse("");
          };
    }

    private static String version(ShardSchema.Collation collation) {
      return collation.version().map(v -> " version " + v).orElse("");
    }

    private static Map<String, String> uniques(Table table) {
      return table.uniques().stream()
          .collect(Collectors.toMap(ShardSchema.Unique::name, u -> u.kind() + " " + u.columns()));
    }

    private static Map<String, String> foreignKeys(Table table) {
      return table.foreignKeys().stream()
          .collect(Collectors.toMap(ShardSchema.ForeignKey::name, Pair::describe));
    }

    private static String describe(ShardSchema.ForeignKey key) {
      return key.columns()
          + " to "
          + key.target()
          + " "
          + key.targetColumns()
          + " on delete "
          + key.onDelete()
          + " on update "
          + key.onUpdate();
    }

    /** Without Shardwright's own, which a run may have had to leave undone on one shard. */
    private static Map<String, String> checks(Table table) {
      return table.checks().stream()
          .filter(check -> !check.name().startsWith("shardwright_"))
          .collect(Collectors.toMap(ShardSchema.Check::name, ShardSchema.Check::definition));
    }

    private static Map<String, String> indexes(Table table) {
      return table.indexes().stream()
          .filter(index -> !index.unique())
          .collect(
              Collectors.toMap(
                  ShardSchema.Index::name,
                  index -> index.columns() + (index.partial() ? " partial" : ""),
                  (a, b) -> a,
                  TreeMap::new));
    }
  }
}
