package io.shardwright.advisor.advice;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.TableFacts;
import io.shardwright.advisor.schema.TableFacts.ForeignKey;
import io.shardwright.advisor.schema.TableStatistics;
import io.shardwright.advisor.templates.ColumnUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which tables belong together: those that one statement reads or one transaction writes, and those
 * that a foreign key ties. A foreign key alone is the weaker tie: where the key of the group is not
 * in a table, only tables that are used together stay.
 */
final class TableGroups {
  private static final long REFERENCE_BYTES_MAX = 1L << 30;
  private static final long REFERENCE_ROWS_MAX = 1_000_000;

  private final Map<String, String> strong = new HashMap<>();
  private final Map<String, String> all = new HashMap<>();
  private final Set<String> tables = new TreeSet<>();
  private final Set<String> references = new TreeSet<>();
  private final Workload workload;
  private final SchemaFacts schema;

  /**
   * @param writtenTogether tables of transactions
   */
  TableGroups(Workload workload, SchemaFacts schema, Collection<Set<String>> writtenTogether) {
    this.workload = workload;
    this.schema = schema;
    workload.templates().forEach(template -> tables.addAll(template.tables()));
    findReferences();
    workload.templates().forEach(template -> join(strong, template.tables()));
    workload.templates().forEach(template -> join(all, template.tables()));
    writtenTogether.forEach(set -> join(strong, set));
    writtenTogether.forEach(set -> join(all, set));
    for (TableFacts table : schema.tables().values()) {
      for (ForeignKey key : table.foreignKeys()) {
        join(all, List.of(table.name(), key.table()));
      }
    }
  }

  /** Never written in a log that has writes, and read beside other tables only. */
  private void findReferences() {
    Set<String> written = new TreeSet<>();
    Set<String> alone = new TreeSet<>();
    for (WorkloadTemplate template : workload.templates()) {
      written.addAll(template.template().use().writes());
      if (template.tables().size() == 1) {
        alone.addAll(template.tables());
      }
    }
    if (!written.isEmpty()) {
      references.addAll(tables);
      references.removeAll(written);
      references.removeAll(alone);
      references.removeIf(this::isLarge);
      // What refers to rows that are sharded is sharded, too.
      boolean fewer = true;
      while (fewer) {
        fewer = references.removeIf(this::refersToOthers);
      }
    }
  }

  private boolean isLarge(String table) {
    TableStatistics figures = schema.statistics().get(table);
    return figures != null
        && (figures.bytes() > REFERENCE_BYTES_MAX || figures.rows().orElse(0) > REFERENCE_ROWS_MAX);
  }

  private boolean refersToOthers(String table) {
    TableFacts facts = schema.tables().get(table);
    return facts != null
        && facts.foreignKeys().stream()
            .anyMatch(key -> tables.contains(key.table()) && !references.contains(key.table()));
  }

  private void join(Map<String, String> parents, Collection<String> together) {
    String first = null;
    for (String table : together) {
      if (tables.contains(table) && !references.contains(table)) {
        if (first != null) {
          parents.put(root(parents, table), root(parents, first));
        }
        first = table;
      }
    }
  }

  private static String root(Map<String, String> parents, String node) {
    String at = node;
    while (parents.containsKey(at) && !parents.get(at).equals(at)) {
      at = parents.get(at);
    }
    return at;
  }

  Set<String> references() {
    return references;
  }

  /** The largest number of executions first. */
  List<Set<String>> groups() {
    Map<String, Set<String>> byRoot = new TreeMap<>();
    for (String table : tables) {
      if (!references.contains(table)) {
        byRoot.computeIfAbsent(root(all, table), r -> new TreeSet<>()).add(table);
      }
    }
    List<Set<String>> groups = new ArrayList<>(byRoot.values());
    groups.sort((a, b) -> Double.compare(share(b), share(a)));
    return groups;
  }

  private double share(Set<String> group) {
    return of(group).stream().mapToDouble(WorkloadTemplate::share).sum();
  }

  /** The templates that touch a table of the group. */
  List<WorkloadTemplate> of(Set<String> group) {
    return workload.templates().stream()
        .filter(template -> template.tables().stream().anyMatch(group::contains))
        .toList();
  }

  /** Tables of the group that are used together with one that has the key; those with it too. */
  Set<String> kept(Set<String> group, Candidate key) {
    Set<String> roots = new TreeSet<>();
    group.stream().filter(key::isIn).forEach(table -> roots.add(root(strong, table)));
    Set<String> kept = new TreeSet<>();
    group.stream().filter(table -> roots.contains(root(strong, table))).forEach(kept::add);
    return kept;
  }

  /**
   * The columns of a group: one for all tables that have it by the same name or by a foreign key;
   * {@code id} is each table's own.
   */
  List<KeyColumn> columns(Set<String> group) {
    Map<String, String> parents = new HashMap<>();
    Set<String> nodes = nodes(group);
    Map<String, String> firstByName = new HashMap<>();
    for (String node : nodes) {
      String column = column(node);
      String other = firstByName.putIfAbsent(column, node);
      if (other != null && !column.equals("id")) {
        parents.put(root(parents, node), root(parents, other));
      }
    }
    for (String table : group) {
      TableFacts facts = schema.tables().get(table);
      if (facts != null) {
        facts.foreignKeys().forEach(key -> join(parents, nodes, table, key));
      }
    }
    Map<String, Map<String, String>> byRoot = new LinkedHashMap<>();
    for (String node : nodes) {
      byRoot
          .computeIfAbsent(root(parents, node), r -> new TreeMap<>())
          .putIfAbsent(table(node), column(node));
    }
    List<KeyColumn> columns = new ArrayList<>();
    byRoot.values().forEach(map -> columns.add(new KeyColumn(mostCommon(map.values()), map)));
    return columns;
  }

  private static void join(
      Map<String, String> parents, Set<String> nodes, String table, ForeignKey key) {
    for (int i = 0; i < Math.min(key.columns().size(), key.referenced().size()); i++) {
      String from = node(table, key.columns().get(i));
      String to = node(key.table(), key.referenced().get(i));
      if (nodes.contains(from)
          && nodes.contains(to)
          && !root(parents, from).equals(root(parents, to))) {
        parents.put(root(parents, from), root(parents, to));
      }
    }
  }

  private Set<String> nodes(Set<String> group) {
    Set<String> nodes = new TreeSet<>();
    for (WorkloadTemplate template : of(group)) {
      for (ColumnUse use : template.template().use().columns()) {
        Set<String> owners = new LinkedHashSet<>();
        if (use.table().isPresent()) {
          owners.add(use.table().get());
        }
        owners.retainAll(group);
        owners.forEach(table -> nodes.add(node(table, use.column())));
      }
    }
    for (String table : group) {
      TableFacts facts = schema.tables().get(table);
      if (facts != null) {
        facts.types().keySet().forEach(column -> nodes.add(node(table, column)));
      }
    }
    return nodes;
  }

  private static String node(String table, String column) {
    return table + "\n" + column;
  }

  private static String table(String node) {
    return node.substring(0, node.indexOf('\n'));
  }

  private static String column(String node) {
    return node.substring(node.indexOf('\n') + 1);
  }

  private static String mostCommon(Collection<String> names) {
    Map<String, Integer> counts = new TreeMap<>();
    names.forEach(name -> counts.merge(name, 1, Integer::sum));
    String best = "";
    for (Map.Entry<String, Integer> entry : counts.entrySet()) {
      boolean more = best.isEmpty() || entry.getValue() > counts.get(best);
      boolean telling =
          !best.isEmpty() && best.equals("id") && entry.getValue() >= counts.get(best);
      best = more || telling ? entry.getKey() : best;
    }
    return best;
  }
}
