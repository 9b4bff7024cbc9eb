package io.shardwright.advisor.advice;

import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.templates.ColumnUse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Names of a workload file that neither a statement nor a table of the schema has. Such a line says
 * nothing: a slip in a name would take back what forbids a key.
 */
final class UnknownNames {
  private static final int SHOWN_MAX = 20;
  private static final String COLUMN = "column.";
  private static final String TABLE = "table.";

  private final Set<String> tables = new HashSet<>();
  private final Set<String> columns = new HashSet<>();
  private final Set<String> fingerprints = new HashSet<>();
  private final List<String> warnings = new ArrayList<>();

  private UnknownNames(Workload workload, SchemaFacts schema) {
    for (WorkloadTemplate template : workload.templates()) {
      tables.addAll(template.tables());
      fingerprints.add(template.template().fingerprint());
      template.template().use().columns().stream().map(ColumnUse::column).forEach(columns::add);
    }
    tables.addAll(schema.tables().keySet());
    schema.tables().values().forEach(table -> columns.addAll(table.types().keySet()));
  }

  /** A warning for each kind of line that has such names. */
  static List<String> warnings(Workload workload, SchemaFacts schema, AdviceSettings settings) {
    UnknownNames unknown = new UnknownNames(workload, schema);
    unknown.classes(settings.classes().keySet());
    Declarations declared = settings.declared();
    unknown.among("mutable", "column", declared.mutable(), unknown.columns);
    unknown.among("immutable", "column", declared.immutable(), unknown.columns);
    unknown.among("unique", "column", declared.unique(), unknown.columns);
    unknown.among("gene", "column", declared.genes(), unknown.columns);
    new TreeSet<>(declared.entries().keySet())
        .forEach(
            entry ->
                unknown.among(
                    "entry." + entry, "column", declared.entries().get(entry), unknown.columns));
    unknown.among("retention", "table", declared.retention().keySet(), unknown.tables);
    return unknown.warnings;
  }

  private void classes(Set<String> names) {
    Set<String> ofColumns = new HashSet<>();
    Set<String> ofTables = new HashSet<>();
    Set<String> others = new HashSet<>();
    for (String name : names) {
      if (name.startsWith(COLUMN)) {
        ofColumns.add(name.substring(COLUMN.length()));
      } else if (name.startsWith(TABLE)) {
        ofTables.add(name.substring(TABLE.length()));
      } else {
        others.add(name);
      }
    }
    among("class.column", "column", ofColumns, columns);
    among("class.table", "table", ofTables, tables);
    among("class", "fingerprint, and not column.NAME or table.NAME", others, fingerprints);
  }

  private void among(String line, String what, Collection<String> names, Set<String> known) {
    Set<String> unknown = new TreeSet<>(names);
    unknown.removeAll(known);
    if (unknown.isEmpty()) {
      return;
    }
    String more =
        unknown.size() > SHOWN_MAX ? " and " + (unknown.size() - SHOWN_MAX) + " more" : "";
    warnings.add(
        "workload file, "
            + line
            + ": no statement or table has the "
            + what
            + " "
            + unknown.stream().limit(SHOWN_MAX).collect(Collectors.joining(", "))
            + more
            + meant(unknown, known)
            + "; the line says nothing until the name is as the report has it");
  }

  /** The same in other letters: statements tell them apart. */
  private static String meant(Set<String> unknown, Set<String> known) {
    Set<String> similar = new LinkedHashSet<>();
    for (String name : unknown.stream().limit(SHOWN_MAX).toList()) {
      known.stream().filter(name::equalsIgnoreCase).sorted().forEach(similar::add);
    }
    return similar.isEmpty() ? "" : " (there is " + String.join(", ", similar) + ")";
  }
}
