package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.LandingPath.Way;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A shardwright.yaml for what is recommended, with places of databases to be filled in. Names are
 * written without schema, as the file wants them.
 */
final class ConfigurationText {
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_$]{0,62}";

  private final StringBuilder text = new StringBuilder(2_048);
  private final Advice advice;

  private ConfigurationText(Advice advice) {
    this.advice = advice;
  }

  /** Empty when nothing is to be sharded. */
  static Optional<String> of(Advice advice) {
    List<Group> groups = advice.groups().stream().filter(Group::isSharded).toList();
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(new ConfigurationText(advice).text(groups));
  }

  private String text(List<Group> groups) {
    boolean mysql = advice.workload().mysql();
    String url = mysql ? "jdbc:mariadb://%s:3306/app" : "jdbc:postgresql://%s:5432/app";
    line("# Written by shardwright advise. Replace hosts, users and passwords; then:");
    line("#   shardwright apply -c FILE --dry-run");
    line("version: 1");
    line("catalog: " + place(String.format(Locale.ROOT, url, "catalog"), "CATALOG_PASSWORD"));
    line("shards:");
    for (int i = 0; i < advice.settings().judgedShards(); i++) {
      String shard = "shard" + i;
      line("  " + shard + ": " + place(String.format(Locale.ROOT, url, shard), "SHARD_PASSWORD"));
    }
    line("groups:");
    Set<String> names = new TreeSet<>();
    Set<String> done = new TreeSet<>();
    for (Group group : groups) {
      group(group, names, done);
    }
    List<String> references =
        advice.references().stream().map(ConfigurationText::plain).distinct().toList();
    if (!references.isEmpty() && references.stream().allMatch(name -> name.matches(NAME))) {
      line("reference: " + references);
    }
    return text.toString();
  }

  private static String place(String url, String variable) {
    return "{url: \"" + url + "\", user: app, password: \"${" + variable + "}\"}";
  }

  private void group(Group group, Set<String> names, Set<String> done) {
    KeyScore best = group.best().orElseThrow();
    List<String> tables = new ArrayList<>();
    for (String table : group.tables()) {
      String plain = plain(table);
      if (!plain.matches(NAME) || !done.add(plain)) {
        line("  # " + printable(table) + " is left out: give it a name of its own");
      } else {
        tables.add(table);
      }
    }
    if (tables.isEmpty()) {
      return;
    }
    line("  " + name(plain(mainTable(tables, best)), names) + ":");
    if (group.isProvisional()) {
      line("    # Provisional: how the key spreads is not known.");
    }
    List<String> key = best.candidate().columns().stream().map(KeyColumn::name).toList();
    line("    key: " + key);
    line("    buckets: " + advice.settings().buckets());
    Set<Way> genes = ways(best, Landing.GENE);
    if (genes.size() == 1 && Set.of(1024, 4096, 16384).contains(advice.settings().buckets())) {
      line("    id: {column: " + genes.iterator().next().column() + ", type: gene}");
    }
    line("    tables:");
    for (String table : tables) {
      List<String> own =
          best.candidate().columns().stream()
              .map(column -> column.columns().getOrDefault(table, column.name()))
              .toList();
      line("      " + plain(table) + ": " + (own.equals(key) ? "{}" : "{key: " + own + "}"));
    }
    indexes(best, tables);
  }

  private void indexes(KeyScore best, List<String> tables) {
    Map<Way, Boolean> unique = new LinkedHashMap<>();
    ways(best, Landing.LOOKUP_INDEX).forEach(way -> unique.put(way, way.proven()));
    ways(best, Landing.COVERING_INDEX).forEach(way -> unique.putIfAbsent(way, false));
    unique.keySet().removeIf(way -> !tables.contains(way.table()) || !way.column().matches(NAME));
    if (unique.isEmpty()) {
      return;
    }
    line("    indexes:");
    Set<String> names = new TreeSet<>();
    unique.forEach(
        (way, is) ->
            line(
                "      "
                    + name("by_" + way.column(), names)
                    + ": {table: "
                    + plain(way.table())
                    + ", columns: ["
                    + way.column()
                    + "], unique: "
                    + is
                    + "}"));
  }

  /** Columns that lead to shards by one way. */
  private static Set<Way> ways(KeyScore best, Landing landing) {
    Set<Way> ways = new LinkedHashSet<>();
    for (LandingPath path : best.paths()) {
      if (path.landing() == landing) {
        path.way().ifPresent(ways::add);
      }
    }
    return ways;
  }

  private static String mainTable(List<String> tables, KeyScore best) {
    return best.paths().stream()
        .flatMap(path -> path.template().tables().stream())
        .filter(tables::contains)
        .findFirst()
        .orElse(tables.get(0));
  }

  private static String name(String table, Set<String> names) {
    String name = table.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    name = name.matches("[a-z].*") ? name : "g" + name;
    name = name.substring(0, Math.min(30, name.length()));
    return names.add(name) ? name : name(name + "x", names);
  }

  private static String plain(String table) {
    return table.substring(table.lastIndexOf('.') + 1);
  }

  private static String printable(String name) {
    return name.replaceAll("[^A-Za-z0-9_.$-]", "?");
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
