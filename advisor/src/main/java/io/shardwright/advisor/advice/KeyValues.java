package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.advice.Literals.Literal;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.templates.Templates;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.TokenText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The second reading: values of the candidates, and whether transactions keep to one of them. Not
 * thread-safe.
 */
final class KeyValues {
  private static final String TRANSACTION_WORDS = "(?is)\\s*(BEGIN|START|COMMIT|ROLLBACK|END)\\b.*";

  /** What one statement of a transaction says of each candidate: one key, or none. */
  private record Step(
      boolean isWrite, Set<KeyMeasure> touched, Map<KeyMeasure, List<String>> keys) {}

  private record Watched(
      WorkloadTemplate template, List<KeyMeasure> carried, Set<KeyMeasure> touched) {}

  private final Map<String, Watched> watched = new HashMap<>();
  private final OpenTransactions<Step> transactions = new OpenTransactions<>();

  /** Before the reading: the templates of a group and the candidates of it. */
  void watch(List<WorkloadTemplate> templates, List<KeyMeasure> measures, SchemaFacts schema) {
    for (WorkloadTemplate template : templates) {
      List<KeyMeasure> carried = new ArrayList<>();
      for (KeyMeasure measure : measures) {
        if (measure.candidate().carriedBy(template, schema) != Carry.NONE) {
          carried.add(measure);
        }
      }
      watched.put(
          template.template().text(), new Watched(template, carried, new HashSet<>(measures)));
    }
  }

  void add(LogRecord record, Family family) {
    try {
      if (record.sql().matches(TRANSACTION_WORDS)) {
        transactions.boundary(record).ifPresent(KeyValues::judge);
        return;
      }
      TokenText tokens = Templates.tokens(record.sql(), family);
      Watched known = watched.get(Templates.text(tokens, record.sql(), family));
      if (known != null) {
        statement(record, known, Literals.of(tokens, record.parameters()));
      }
    } catch (ShardwrightException e) {
      // Counted as unread by the first reading.
      return;
    }
  }

  private void statement(LogRecord record, Watched known, List<Literal> literals) {
    Map<KeyMeasure, List<String>> keys = new HashMap<>();
    for (KeyMeasure measure : known.carried()) {
      Set<List<String>> found = new HashSet<>();
      String table = tableOf(known.template(), measure.candidate());
      if (known.template().isInsert()) {
        for (List<String> key : rows(measure.candidate(), known.template(), literals)) {
          measure.inserted(table, key, record.count());
          found.add(key);
        }
      } else {
        for (List<String> key : conditions(measure.candidate(), known.template(), literals)) {
          measure.asked(table, key, record.count());
          found.add(key);
        }
      }
      if (found.size() == 1) {
        keys.put(measure, found.iterator().next());
      }
    }
    transactions.add(record, new Step(known.template().isWrite(), known.touched(), keys));
  }

  private static String tableOf(WorkloadTemplate template, Candidate candidate) {
    return template.tables().stream()
        .filter(candidate::isIn)
        .findFirst()
        .orElse(template.tables().iterator().next());
  }

  private static List<List<String>> rows(
      Candidate candidate, WorkloadTemplate template, List<Literal> literals) {
    Map<Integer, List<String>> byRow = new TreeMap<>();
    for (KeyColumn column : candidate.columns()) {
      Set<String> names = names(column, template);
      for (Literal literal : literals) {
        if (literal.row() >= 0 && names.contains(literal.column())) {
          byRow.computeIfAbsent(literal.row(), r -> new ArrayList<>()).add(literal.value());
        }
      }
    }
    return byRow.values().stream().filter(k -> k.size() == candidate.columns().size()).toList();
  }

  private static List<List<String>> conditions(
      Candidate candidate, WorkloadTemplate template, List<Literal> literals) {
    List<List<String>> byColumn = new ArrayList<>();
    for (KeyColumn column : candidate.columns()) {
      Set<String> names = names(column, template);
      byColumn.add(
          literals.stream()
              .filter(literal -> literal.row() < 0 && names.contains(literal.column()))
              .map(Literal::value)
              .distinct()
              .toList());
    }
    if (byColumn.size() == 1) {
      return byColumn.get(0).stream().map(List::of).toList();
    }
    // Lists of several columns: only one value of each makes a key.
    return byColumn.stream().allMatch(values -> values.size() == 1)
        ? List.of(byColumn.stream().map(values -> values.get(0)).toList())
        : List.of();
  }

  private static Set<String> names(KeyColumn column, WorkloadTemplate template) {
    Set<String> names = new HashSet<>();
    for (String table : template.tables()) {
      Optional.ofNullable(column.columns().get(table)).ifPresent(names::add);
    }
    return names;
  }

  private static void judge(List<Step> steps) {
    Set<KeyMeasure> touched = new HashSet<>();
    steps.forEach(step -> touched.addAll(step.touched()));
    for (KeyMeasure measure : touched) {
      List<Step> own = steps.stream().filter(step -> step.touched().contains(measure)).toList();
      if (own.size() < 2 || own.stream().noneMatch(Step::isWrite)) {
        continue;
      }
      List<String> first = own.get(0).keys().get(measure);
      boolean local =
          first != null && own.stream().allMatch(s -> first.equals(s.keys().get(measure)));
      measure.transaction(local);
    }
  }
}
