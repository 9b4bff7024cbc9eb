package io.shardwright.advisor.advice;

import io.shardwright.advisor.advice.Scheme.Kind;
import io.shardwright.advisor.templates.ColumnRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** Compares the common ways of sharding on one table group. */
final class Schemes {
  private final List<WorkloadTemplate> templates;
  private final double weight;
  private final int shards;

  Schemes(List<WorkloadTemplate> templates, int shards) {
    this.templates = templates;
    this.weight = templates.stream().mapToDouble(WorkloadTemplate::weight).sum();
    this.shards = shards;
  }

  /**
   * @param scores the best first
   * @param unique true of candidates whose values have one row each
   * @param time the time column that is asked by most
   */
  List<Scheme> compare(
      List<KeyScore> scores, Predicate<Candidate> unique, Optional<KeyColumn> time) {
    Optional<KeyScore> owner = first(scores, candidate -> !unique.test(candidate), time);
    Optional<KeyScore> id = first(scores, unique, time);
    List<Scheme> schemes = new ArrayList<>();
    schemes.add(owner.map(s -> hashed(Kind.BY_OWNER, s)).orElseGet(() -> none(Kind.BY_OWNER)));
    schemes.add(id.map(s -> hashed(Kind.BY_ID, s)).orElseGet(() -> none(Kind.BY_ID)));
    schemes.add(time.map(this::byTime).orElseGet(() -> none(Kind.BY_TIME)));
    schemes.add(owner.map(this::projected).orElseGet(() -> none(Kind.BY_OWNER_WITH_PROJECTION)));
    return schemes;
  }

  private static Optional<KeyScore> first(
      List<KeyScore> scores, Predicate<Candidate> which, Optional<KeyColumn> time) {
    return scores.stream()
        .filter(s -> s.candidate().columns().size() == 1)
        .filter(s -> !time.equals(Optional.of(s.candidate().columns().get(0))))
        .filter(s -> which.test(s.candidate()))
        .findFirst();
  }

  private static Scheme none(Kind kind) {
    return new Scheme(
        kind,
        Optional.empty(),
        0,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        "no statement asks by such a column");
  }

  private static Scheme hashed(Kind kind, KeyScore score) {
    String judgement =
        score
            .refused()
            .map(why -> "refused: " + why)
            .orElseGet(() -> percent(score.scattered()) + " by weight goes to all shards");
    return scheme(kind, score, score.load(), judgement);
  }

  private static Scheme scheme(Kind kind, KeyScore score, double load, String judgement) {
    return new Scheme(
        kind,
        Optional.of(score.candidate().name()),
        score.weighted(),
        score.cured(),
        load,
        score.rows().or(score::traffic).map(Evenness::maxToMean),
        Optional.of(score.locality()).filter(l -> !l.isNaN()),
        judgement);
  }

  /** Reads that would go to all shards are one statement on the projection, writes feed it. */
  private Scheme projected(KeyScore owner) {
    double load = 0;
    double moved = 0;
    for (LandingPath path : owner.paths()) {
      double share = path.template().weight() / weight;
      boolean stays = path.landing().isCovered() || path.landing().isCured();
      if (path.template().isWrite()) {
        load += share * (1 + (stays ? path.shardStatements() : path.fanOut()));
      } else {
        load += share * (stays ? path.shardStatements() : 1);
        moved += stays ? 0 : share;
      }
    }
    return scheme(
        Kind.BY_OWNER_WITH_PROJECTION,
        owner,
        load,
        owner
            .refused()
            .map(why -> "refused: " + why)
            .orElse(
                percent(moved)
                    + " by weight is read from a copy that is late, and has to be stored, fed and"
                    + " verified"));
  }

  /** Everything new is written to the shard of now, whatever the shards are. */
  private Scheme byTime(KeyColumn time) {
    double covered = 0;
    double load = 0;
    for (WorkloadTemplate template : templates) {
      double share = template.weight() / weight;
      boolean leads = template.isInsert() || isAskedBy(template, time);
      covered += leads ? share : 0;
      load += share * (leads ? 1 : shards);
    }
    return new Scheme(
        Kind.BY_TIME,
        Optional.of(time.name()),
        covered,
        0,
        load,
        Optional.of((double) shards),
        Optional.empty(),
        "the shard of now takes all inserts, "
            + shards
            + " times the mean; "
            + percent(1 - covered)
            + " by weight goes to all shards");
  }

  static boolean isAskedBy(WorkloadTemplate template, KeyColumn time) {
    return time.has(template, ColumnRole.RANGE)
        || time.has(template, ColumnRole.EQUALITY)
        || time.has(template, ColumnRole.IN);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f%%", share * 100);
  }
}
