package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.KeyColumn.Carry;
import io.shardwright.advisor.schema.ColumnType;
import io.shardwright.advisor.schema.LiveDatabase.Outcome;
import io.shardwright.advisor.schema.SchemaFacts;
import io.shardwright.advisor.schema.TableFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Counts the rows of the candidates' keys on the live database: of single columns, each in the
 * largest table that has it. Memory does not grow with the keys. One thread.
 */
final class LiveSamples {
  /** Different keys of one column that are taken from the database. */
  private static final long KEYS_MAX = 5_000_000;

  /** Of a group, where nobody named columns: the most asked by. */
  private static final int COLUMNS_MAX = 10;

  private final KeySamples samples;
  private final SchemaFacts schema;
  private final AdviceSettings settings;
  private final List<String> warnings = new ArrayList<>();

  LiveSamples(KeySamples samples, SchemaFacts schema, AdviceSettings settings) {
    this.samples = samples;
    this.schema = schema;
    this.settings = settings;
  }

  /** What was not counted, or not to its end. */
  List<String> warnings() {
    return warnings;
  }

  /** By name of the candidate. */
  Map<String, Evenness> of(List<WorkloadTemplate> templates, List<KeyMeasure> measures) {
    Map<String, Evenness> counted = new HashMap<>();
    if (samples.live().isEmpty()) {
      return counted;
    }
    KeySamples.Live live = samples.live().get();
    Set<String> twice = namesOfSeveral(measures);
    int columns = 0;
    for (KeyMeasure measure : measures) {
      Candidate candidate = measure.candidate();
      String name = candidate.name();
      Optional<String> table = table(candidate);
      if (candidate.columns().size() > 1 || samples.files().containsKey(name)) {
        continue;
      }
      boolean wanted =
          live.columns().isEmpty()
              ? columns < COLUMNS_MAX && isWorthIt(candidate, table, templates)
              : live.columns().contains(name);
      if (wanted && table.isEmpty()) {
        warnings.add(name + " was not counted: no table that has it is in the database's schema");
      } else if (wanted && twice.contains(name)) {
        warnings.add(name + " was not counted: several columns of one group have this name");
      } else if (wanted) {
        columns++;
        count(live, table.get(), candidate).ifPresent(e -> counted.put(name, e));
      }
    }
    return counted;
  }

  private static Set<String> namesOfSeveral(List<KeyMeasure> measures) {
    Set<String> seen = new HashSet<>();
    Set<String> twice = new HashSet<>();
    measures.forEach(
        measure -> {
          if (!seen.add(measure.candidate().name())) {
            twice.add(measure.candidate().name());
          }
        });
    return twice;
  }

  /** The largest of those that the database told of. */
  private Optional<String> table(Candidate candidate) {
    return candidate.columns().get(0).columns().keySet().stream()
        .filter(schema.statistics()::containsKey)
        .max(
            Comparator.comparingLong(
                    (String name) -> schema.statistics().get(name).rows().orElse(0))
                .thenComparing(Comparator.reverseOrder()));
  }

  /** Each value of a unique column has one row, and a time is no key however it spreads. */
  private boolean isWorthIt(
      Candidate candidate, Optional<String> table, List<WorkloadTemplate> templates) {
    if (table.isEmpty()) {
      return false;
    }
    TableFacts facts = schema.tables().get(table.get());
    String column = candidate.columns().get(0).columns().get(table.get());
    String type = ColumnType.firstWord(facts.types().getOrDefault(column, ""));
    return !facts.isUnique(column)
        && !type.matches("date|datetime|time.*|float.*|double|real|json.*")
        && templates.stream()
            .anyMatch(t -> !t.isInsert() && candidate.carriedBy(t, schema) != Carry.NONE);
  }

  private Optional<Evenness> count(KeySamples.Live live, String table, Candidate candidate) {
    TableFacts facts = schema.tables().get(table);
    String column = candidate.columns().get(0).columns().get(table);
    String name = table + "." + column;
    live.progress().accept("counting " + name);
    boolean whole =
        ColumnType.firstWord(facts.types().getOrDefault(column, ""))
            .matches("(small|medium|big|tiny)?int.*|integer");
    CountedSpread spread = new CountedSpread(whole, settings);
    Outcome outcome = live.database().count(table, column, KEYS_MAX, live.timeout(), spread::add);
    return switch (outcome) {
      case COMPLETE -> spread.evenness("rows of " + name, settings.showKeys());
      case BOUNDED -> {
        warnings.add(
            String.format(Locale.ROOT, "%s has more keys than the %,d counted", name, KEYS_MAX));
        yield spread.evenness("rows of " + name, settings.showKeys());
      }
      case TIMED_OUT -> {
        warnings.add(
            name
                + " was not counted: its count was cancelled after "
                + live.timeout().toSeconds()
                + " seconds; give --sample-timeout more, or --keys with a file");
        yield Optional.empty();
      }
    };
  }
}
