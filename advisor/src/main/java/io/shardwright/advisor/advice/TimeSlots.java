package io.shardwright.advisor.advice;

import io.shardwright.advisor.templates.StatementKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Why time may be the key of a group after all: its rows are only added, dropped by age, and asked
 * for by time. Slots of time are spread by a hash slot each, since the slot of now takes all
 * inserts.
 *
 * @param column the time
 * @param asked weighted share of the reads that give it
 */
public record TimeSlots(String column, double asked) {
  private static final double ASKED_MIN = 0.8;

  /** Hash slots of each slot of time. */
  static final int HASH_SLOTS = 16;

  /** Empty when the group is no such stream. */
  static Optional<TimeSlots> of(
      List<WorkloadTemplate> templates, Collection<KeyScore> scores, Optional<KeyColumn> time) {
    if (time.isEmpty()) {
      return Optional.empty();
    }
    double reads = 0;
    double asked = 0;
    long inserts = 0;
    for (WorkloadTemplate template : templates) {
      boolean byTime = Schemes.isAskedBy(template, time.get());
      StatementKind kind = template.template().use().kind();
      if (template.isInsert()) {
        inserts += template.template().executions();
      } else if (kind == StatementKind.UPDATE || (template.isWrite() && !byTime)) {
        return Optional.empty();
      } else if (!template.isWrite()) {
        reads += template.weight();
        asked += byTime ? template.weight() : 0;
      }
    }
    long transactions = scores.stream().mapToLong(KeyScore::transactions).max().orElse(0);
    boolean stream = inserts > 0 && reads > 0 && asked >= ASKED_MIN * reads;
    return stream && 2 * transactions < inserts
        ? Optional.of(new TimeSlots(time.get().name(), asked / reads))
        : Optional.empty();
  }

  /** What to do. */
  public List<String> next() {
    return List.of(
        "add a column with the slot of "
            + column
            + " (an hour or a day as a number) and one with a hash of the row's own number modulo "
            + HASH_SLOTS
            + ", and make both the key: the slot of now is then written on "
            + HASH_SLOTS
            + " buckets at a time",
        "have each read give its slots of time as a list; drop old rows by slot, not row by row");
  }
}
