package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.advice.Literals.Place;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.templates.Autocommit;
import io.shardwright.advisor.templates.ShapeCache;
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
import java.util.stream.IntStream;

/**
 * The second reading: values of the candidates, and whether transactions keep to one of them. Not
 * thread-safe.
 */
final class KeyValues {
  /** Of a transaction's bounds the first words. */
  private static final List<String> BOUNDS = List.of("BEGIN", "START", "COMMIT", "ROLLBACK", "END");

  /** What one statement of a transaction says of each candidate: one key, or none. */
  private record Step(
      boolean isWrite, Set<KeyMeasure> touched, Map<KeyMeasure, List<String>> keys) {}

  private record Watched(
      WorkloadTemplate template, List<KeyMeasure> carried, Set<KeyMeasure> touched) {}

  /**
   * Where the statements of one shape have the values of one candidate.
   *
   * @param groups of an INSERT the places of each row, else those of each column: twice the number
   *     of the shape's literal, and 1 more for a minus before it; or -1 - the number of one of the
   *     plan's other places
   */
  private record Finding(KeyMeasure measure, String table, List<int[]> groups) {}

  /**
   * What to look for in statements of one shape; without a watched template in none.
   *
   * @param others places of parameters, and of literals that are the same in all of them
   */
  private record Plan(Optional<Watched> known, List<Place> others, List<Finding> findings) {
    static final Plan NOTHING = new Plan(Optional.empty(), List.of(), List.of());
  }

  private final Map<String, Watched> watched = new HashMap<>();
  private final ShapeCache<Plan> shapes = new ShapeCache<>();
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
      if (isBound(record.sql())) {
        transactions.boundary(record).ifPresent(KeyValues::judge);
        return;
      }
      Plan plan = shapes.find(record.sql(), family);
      if (plan == null) {
        plan = plan(record.sql(), family);
        shapes.keep(plan);
      }
      if (plan.known().isPresent()) {
        statement(record, plan.known().get(), plan);
      }
    } catch (ShardwrightException e) {
      // Counted as unread by the first reading.
      return;
    }
  }

  private static boolean isBound(String sql) {
    int start = 0;
    while (start < sql.length() && sql.charAt(start) <= ' ') {
      start++;
    }
    for (String word : BOUNDS) {
      int end = start + word.length();
      if (sql.regionMatches(true, start, word, 0, word.length())) {
        return end == sql.length()
            || !(Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_');
      }
    }
    return Autocommit.set(sql).isPresent();
  }

  private Plan plan(String sql, Family family) {
    TokenText tokens = Templates.tokens(sql, family);
    Watched known = watched.get(Templates.text(tokens, sql, family));
    if (known == null) {
      return Plan.NOTHING;
    }
    List<Place> places = Literals.of(tokens);
    List<Place> others = new ArrayList<>();
    int[] codes = new int[places.size()];
    for (int i = 0; i < codes.length; i++) {
      Place place = places.get(i);
      boolean varies = shapes.hasShape() && place.parameter() < 0;
      int literal = varies ? shapes.literalWithin(place.start(), place.end()) : -1;
      codes[i] = 2 * literal + (place.negative() ? 1 : 0);
      if (literal < 0) {
        others.add(place);
        codes[i] = -others.size();
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (KeyMeasure measure : known.carried()) {
      Candidate candidate = measure.candidate();
      List<int[]> groups =
          known.template().isInsert()
              ? rows(candidate, known.template(), places, codes)
              : conditions(candidate, known.template(), places, codes);
      findings.add(new Finding(measure, tableOf(known.template(), candidate), groups));
    }
    return new Plan(Optional.of(known), others, findings);
  }

  private static String tableOf(WorkloadTemplate template, Candidate candidate) {
    return template.tables().stream()
        .filter(candidate::isIn)
        .findFirst()
        .orElse(template.tables().iterator().next());
  }

  private static List<int[]> rows(
      Candidate candidate, WorkloadTemplate template, List<Place> places, int[] codes) {
    Map<Integer, List<Integer>> byRow = new TreeMap<>();
    for (KeyColumn column : candidate.columns()) {
      Set<String> names = names(column, template);
      for (int i = 0; i < codes.length; i++) {
        Place place = places.get(i);
        if (place.row() >= 0 && names.contains(place.column())) {
          byRow.computeIfAbsent(place.row(), r -> new ArrayList<>()).add(codes[i]);
        }
      }
    }
    return byRow.values().stream()
        .map(row -> row.stream().mapToInt(Integer::intValue).toArray())
        .toList();
  }

  private static List<int[]> conditions(
      Candidate candidate, WorkloadTemplate template, List<Place> places, int[] codes) {
    List<int[]> byColumn = new ArrayList<>();
    for (KeyColumn column : candidate.columns()) {
      Set<String> names = names(column, template);
      byColumn.add(
          IntStream.range(0, codes.length)
              .filter(i -> places.get(i).row() < 0 && names.contains(places.get(i).column()))
              .map(i -> codes[i])
              .toArray());
    }
    return byColumn;
  }

  private static Set<String> names(KeyColumn column, WorkloadTemplate template) {
    Set<String> names = new HashSet<>();
    for (String table : template.tables()) {
      Optional.ofNullable(column.columns().get(table)).ifPresent(names::add);
    }
    return names;
  }

  private void statement(LogRecord record, Watched known, Plan plan) {
    boolean insert = known.template().isInsert();
    boolean open = transactions.isOpen(record);
    Map<KeyMeasure, List<String>> keys = open ? new HashMap<>() : Map.of();
    for (Finding finding : plan.findings()) {
      KeyMeasure measure = finding.measure();
      List<List<String>> found =
          insert ? inserted(finding, plan, record) : asked(finding, plan, record);
      for (List<String> key : found) {
        if (insert) {
          measure.inserted(finding.table(), key, record.count());
        } else {
          measure.asked(finding.table(), key, record.count());
        }
      }
      if (open && new HashSet<>(found).size() == 1) {
        keys.put(measure, found.get(0));
      }
    }
    if (open) {
      transactions.add(record, new Step(known.template().isWrite(), known.touched(), keys));
    }
  }

  private List<List<String>> inserted(Finding finding, Plan plan, LogRecord record) {
    int width = finding.measure().candidate().columns().size();
    List<List<String>> keys = new ArrayList<>(finding.groups().size());
    for (int[] row : finding.groups()) {
      List<String> key = values(row, plan, record);
      if (key.size() == width) {
        keys.add(key);
      }
    }
    return keys;
  }

  private List<List<String>> asked(Finding finding, Plan plan, LogRecord record) {
    if (finding.groups().size() == 1) {
      List<String> values = values(finding.groups().get(0), plan, record);
      return values.size() == 1
          ? List.of(values)
          : values.stream().distinct().map(List::of).toList();
    }
    // Lists of several columns: only one value of each makes a key.
    List<String> key = new ArrayList<>(finding.groups().size());
    for (int[] column : finding.groups()) {
      List<String> values = values(column, plan, record);
      boolean one = values.size() == 1 || new HashSet<>(values).size() == 1;
      if (!one) {
        return List.of();
      }
      key.add(values.get(0));
    }
    return List.of(key);
  }

  private List<String> values(int[] codes, Plan plan, LogRecord record) {
    List<String> values = new ArrayList<>(codes.length);
    for (int code : codes) {
      (code < 0
              ? plan.others().get(-1 - code).value(record.parameters())
              : Literals.value(shapes.literal(code / 2), code % 2 == 1))
          .ifPresent(values::add);
    }
    return values;
  }

  private static void judge(List<Step> steps) {
    Set<KeyMeasure> touched = new HashSet<>();
    steps.forEach(step -> touched.addAll(step.touched()));
    for (KeyMeasure measure : touched) {
      int own = 0;
      boolean writes = false;
      boolean local = true;
      List<String> first = null;
      for (Step step : steps) {
        if (step.touched().contains(measure)) {
          List<String> key = step.keys().get(measure);
          first = own == 0 ? key : first;
          local &= key != null && key.equals(first);
          writes |= step.isWrite();
          own++;
        }
      }
      if (own >= 2 && writes) {
        measure.transaction(local);
      }
    }
  }
}
