package io.shardwright.cli;

import io.shardwright.catalog.CatalogMoves.StageTimes;
import io.shardwright.catalog.Move;
import io.shardwright.catalog.Move.Counters;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.catalog.MoveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Moves in words, tables and JSON. */
final class MoveWords {
  private static final int NOTE_MAX_CHARS = 60;
  private static final List<String> COLUMNS =
      List.of(
          "move", "state", "group", "buckets", "from", "to", "rows", "pause ms", "worker", "note");

  private MoveWords() {}

  static String state(MoveState state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** With what the operator wants, where it is not just to go on. */
  static String state(Move move) {
    String wish =
        switch (move.wish()) {
          case RUN -> "";
          case PAUSE -> ", paused";
          case CANCEL -> ", to be cancelled";
          case ROLL_BACK -> ", to be rolled back";
          case CLEAN_UP -> ", to be cleaned up";
        };
    boolean done = move.state().hasEnded() || isOnItsWay(move);
    return state(move.state()) + (done ? "" : wish);
  }

  /** The state says it already. */
  private static boolean isOnItsWay(Move move) {
    return switch (move.state()) {
      case CANCELLING, ABANDONED -> move.wish() == Wish.CANCEL;
      case ROLLING_BACK, CLEANING_BACK -> move.wish() == Wish.ROLL_BACK;
      case CLEANING -> move.wish() == Wish.CLEAN_UP;
      default -> false;
    };
  }

  static void print(Console console, List<Move> moves) {
    List<List<String>> rows = new ArrayList<>();
    for (Move move : moves) {
      String note = move.note();
      rows.add(
          List.of(
              Long.toString(move.id()),
              state(move),
              move.group(),
              shortened(move.buckets().toString(), 24),
              move.source().name(),
              move.target().name(),
              rows(move.counters()),
              pauses(move.pauses()),
              move.worker().orElse("-"),
              note.isEmpty()
                  ? "-"
                  : Printable.text(shortened(note, NOTE_MAX_CHARS), console.charset())));
    }
    TextTable.print(console, COLUMNS, rows);
  }

  /** Everything of one, a line each. */
  static void printAll(Console console, Move move) {
    line(console, "state", state(move));
    line(console, "buckets", move.buckets().size() + ": " + move.buckets());
    line(console, "group", move.group());
    line(console, "from", move.source() + " to " + move.target());
    Counters counters = move.counters();
    line(console, "rows", rows(counters) + " copied, " + counters.applied() + " changes applied");
    line(console, "behind", counters.pending() + " changes at the last look");
    line(
        console,
        "cutovers",
        counters.attempts()
            + " tried, "
            + move.pauses().size()
            + " done, pauses (ms) "
            + pauses(move.pauses()));
    line(console, "way back", wayBack(move));
    line(console, "worker", move.worker().orElse("none"));
    line(console, "changed", move.changedAt().toString());
    if (!move.note().isEmpty()) {
      line(console, "note", Printable.text(move.note(), console.charset()));
    }
  }

  private static String wayBack(Move move) {
    if (!move.options().rollback()) {
      return "none: started with --no-rollback";
    }
    return move.options()
        .window()
        .map(window -> "for " + text(window) + " after the cutover")
        .orElse("until it is cleaned up");
  }

  static void line(Console console, String name, String value) {
    console.println("%-12s%s".formatted(name, value));
  }

  /** What a person watches. */
  static String progress(Move move, long rowsPerSecond) {
    StringBuilder text = new StringBuilder("move " + move.id() + " " + state(move) + ": ");
    Counters counters = move.counters();
    if (move.state() == MoveState.COPYING && counters.total() > 0) {
      text.append(rows(counters)).append(" rows");
      if (rowsPerSecond > 0) {
        long left = Math.max(0, counters.total() - counters.copied()) / rowsPerSecond;
        text.append(", ").append(rowsPerSecond).append("/s, ");
        text.append(text(Duration.ofSeconds(left))).append(" left");
      }
    } else {
      text.append(counters.copied()).append(" rows copied");
    }
    text.append(", ").append(counters.applied()).append(" changes");
    if (counters.pending() > 0) {
      text.append(", some ").append(counters.pending()).append(" behind");
    }
    if (!move.pauses().isEmpty()) {
      text.append(", ").append(ParameterOption.count(move.pauses().size(), "batch", "batches"));
      text.append(" switched, longest pause ").append(millis(longest(move.pauses())));
      text.append(" ms");
    }
    if (!move.note().isEmpty()) {
      text.append("; ").append(shortened(move.note(), 120));
    }
    return text.toString();
  }

  private static String rows(Counters counters) {
    return counters.total() > 0
        ? counters.copied() + " of " + counters.total()
        : Long.toString(counters.copied());
  }

  private static String shortened(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max - 3) + "...";
  }

  /** {@code p50/p99/max}. */
  private static String pauses(List<Duration> pauses) {
    return pauses.isEmpty()
        ? "-"
        : millis(quantile(pauses, 50))
            + "/"
            + millis(quantile(pauses, 99))
            + "/"
            + millis(longest(pauses));
  }

  static Duration longest(List<Duration> pauses) {
    return quantile(pauses, 100);
  }

  private static Duration quantile(List<Duration> pauses, int percent) {
    List<Duration> sorted = pauses.stream().sorted().toList();
    return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1));
  }

  static String millis(Duration pause) {
    return String.format(Locale.ROOT, "%.1f", pause.toNanos() / 1e6);
  }

  static String text(Duration time) {
    long seconds = time.toSeconds();
    if (seconds < 60) {
      return time.toMillis() > 0 && seconds == 0 ? time.toMillis() + " ms" : seconds + " s";
    }
    return seconds < 3600
        ? seconds / 60 + " min " + seconds % 60 + " s"
        : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
  }

  /** How long, how often, and how fast rows went. */
  static void printStages(Console console, List<StageTimes> stages) {
    for (StageTimes stage : stages) {
      String text = "%s ms in %d times, %s at most";
      if (stage.rows() > 0 && !stage.total().isZero()) {
        text += ", %d rows, %d a second";
      }
      line(
          console,
          stage.stage().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          text.formatted(
              millis(stage.total()),
              stage.times(),
              millis(stage.most()),
              stage.rows(),
              rowsPerSecond(stage)));
    }
  }

  private static long rowsPerSecond(StageTimes stage) {
    return stage.total().isZero() ? 0 : Math.round(stage.rows() * 1e9 / stage.total().toNanos());
  }

  static Map<String, Object> json(StageTimes stage) {
    return Json.object(
        "stage", stage.stage().name().toLowerCase(Locale.ROOT),
        "times", stage.times(),
        "rows", stage.rows(),
        "rowsPerSecond", rowsPerSecond(stage),
        "totalMicros", stage.total().toNanos() / 1_000,
        "mostMicros", stage.most().toNanos() / 1_000);
  }

  static Map<String, Object> json(Move move) {
    Optional<Map<String, Object>> pauses =
        move.pauses().isEmpty()
            ? Optional.empty()
            : Optional.of(
                Json.object(
                    "count", move.pauses().size(),
                    "p50Micros", quantile(move.pauses(), 50).toNanos() / 1_000,
                    "p99Micros", quantile(move.pauses(), 99).toNanos() / 1_000,
                    "maxMicros", longest(move.pauses()).toNanos() / 1_000));
    Counters counters = move.counters();
    return Json.object(
        "id", move.id(),
        "group", move.group(),
        "buckets", move.buckets(),
        "bucketCount", move.buckets().size(),
        "source", move.source(),
        "target", move.target(),
        "state", move.state().name().toLowerCase(Locale.ROOT),
        "wish", move.wish().name().toLowerCase(Locale.ROOT),
        "ended", move.state().hasEnded(),
        "rowsTotal", counters.total(),
        "rowsCopied", counters.copied(),
        "changesApplied", counters.applied(),
        "changesBehind", counters.pending(),
        "cutoverAttempts", counters.attempts(),
        "pauses", pauses,
        "rollback", move.options().rollback(),
        "windowMillis", move.options().window().map(Duration::toMillis),
        "rowsPerSecond", move.options().rowsPerSecond(),
        "worker", move.worker(),
        "note", move.note(),
        "createdAt", move.createdAt(),
        "changedAt", move.changedAt());
  }
}
