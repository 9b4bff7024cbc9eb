package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Advice.Group;
import io.shardwright.advisor.advice.LandingPath.Way;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A shardwright.yaml for what is recommended, with places of databases to be filled in. Names are
 * written without schema, as the file wants them.
 */
final class ConfigurationText {
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_$]{0,62}";

  private static final String LEFT_OUT =
      " is left out: the file takes names of up to 63 letters, digits, _ and $ only";

  private static final String TWICE =
      " is left out: another schema has a table of this name; give it a name of its own";

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
    boolean any = false;
    for (Group group : groups) {
      any |= group(group, names, done);
    }
    if (!any) {
      line("  # No group is left: rename what is odd, or write the groups by hand.");
    }
    for (Group group : advice.groups()) {
      if (!group.isSharded()) {
        String verdict = group.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        line("# Not in this file: " + printable(group.tables()) + ": " + verdict);
      }
    }
    List<String> references = new ArrayList<>();
    for (String reference : advice.references()) {
      String plain = plain(reference);
      if (!plain.matches(NAME)) {
        line("# Reference table " + printable(reference) + LEFT_OUT);
      } else if (!done.add(plain)) {
        line("# Reference table " + printable(reference) + TWICE);
      } else {
        references.add(plain);
      }
    }
    if (!references.isEmpty()) {
      line("reference: " + references);
    }
    return text.toString();
  }

  private static String place(String url, String variable) {
    return "{url: \"" + url + "\", user: app, password: \"${" + variable + "}\"}";
  }

  /** False when nothing of it can be written. */
  private boolean group(Group group, Set<String> names, Set<String> done) {
    KeyScore best = group.best().orElseThrow();
    List<String> oddKey =
        best.candidate().columns().stream()
            .flatMap(column -> Stream.concat(Stream.of(column.name()), own(column, group)))
            .filter(column -> !column.matches(NAME))
            .distinct()
            .toList();
    if (!oddKey.isEmpty()) {
      line(
          "  # The group of "
              + printable(group.tables())
              + ", by the key "
              + printable(oddKey)
              + ","
              + LEFT_OUT);
      return false;
    }
    List<String> tables = new ArrayList<>();
    for (String table : group.tables()) {
      String plain = plain(table);
      if (!plain.matches(NAME)) {
        line("  # Table " + printable(table) + LEFT_OUT);
      } else if (!done.add(plain)) {
        line("  # Table " + printable(table) + TWICE);
      } else {
        tables.add(table);
      }
    }
    if (tables.isEmpty()) {
      return false;
    }
    line("  " + name(plain(mainTable(tables, best)), names) + ":");
    if (group.isProvisional()) {
      line("    # Provisional: how the key spreads is not known.");
    }
    List<String> key = best.candidate().columns().stream().map(KeyColumn::name).toList();
    line("    key: " + key);
    line("    buckets: " + advice.settings().buckets());
    Set<Way> genes = ways(best, Landing.GENE);
    String gene = genes.isEmpty() ? "" : genes.iterator().next().column();
    if (genes.size() == 1 && !gene.matches(NAME)) {
      line("    # Id column " + printable(gene) + LEFT_OUT);
    } else if (genes.size() == 1
        && Set.of(1024, 4096, 16384).contains(advice.settings().buckets())) {
      line("    id: {column: " + gene + ", type: gene}");
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
    return true;
  }

  private static Stream<String> own(KeyColumn column, Group group) {
    return group.tables().stream()
        .map(table -> column.columns().getOrDefault(table, column.name()));
  }

  private void indexes(KeyScore best, List<String> tables) {
    Map<Way, Boolean> unique = new LinkedHashMap<>();
    ways(best, Landing.LOOKUP_INDEX).forEach(way -> unique.put(way, way.proven()));
    ways(best, Landing.COVERING_INDEX).forEach(way -> unique.putIfAbsent(way, false));
    for (Way way : List.copyOf(unique.keySet())) {
      if (!way.column().matches(NAME)) {
        line("    # Index on " + printable(way.table() + "." + way.column()) + LEFT_OUT);
        unique.remove(way);
      } else if (!tables.contains(way.table())) {
        line(
            "    # Index on "
                + printable(way.table() + "." + way.column())
                + " is left out: its table is");
        unique.remove(way);
      }
    }
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

  private static String printable(Collection<String> names) {
    return names.stream().map(ConfigurationText::printable).collect(Collectors.joining(", "));
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
