package io.shardwright.bench.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** REPORT.md. */
final class ReportText {
  private final List<Outcome> outcomes;
  private final StringBuilder text = new StringBuilder();

  private ReportText(List<Outcome> outcomes) {
    this.outcomes = outcomes;
  }

  static String of(List<Outcome> outcomes, Map<String, String> machine) {
    ReportText report = new ReportText(outcomes);
    report.head(machine);
    report.goals();
    for (Outcome outcome : outcomes) {
      report.results(outcome, "On " + outcome.database().label(), false);
      report.balance(outcome);
    }
    for (Outcome outcome : outcomes) {
      report.results(outcome, "On stubs, without a server", true);
      report.cold(outcome);
      report.heaps(outcome);
    }
    return report.text.toString();
  }

  private void head(Map<String, String> machine) {
    Scale scale = outcomes.get(0).scale();
    line("# Benchmarks side by side");
    line("");
    line(
        "Written by `./shardwright bench`. What is measured and how to read it: docs/performance.md.");
    line("");
    for (Side side : Side.values()) {
      line("- **" + side.label() + "**: " + side.meaning() + ".");
    }
    line("");
    line(
        "Each side has a process of its own. "
            + scale.rounds()
            + " rounds; in each of them each side has one turn of "
            + scale.turnMillis()
            + " ms, and each round begins with another side. Figures are medians of the turns, in"
            + " brackets the least and the most; percentiles are of all turns together. Bytes and"
            + " processor time are of all Java threads of the side's process. "
            + scale.rows()
            + " orders of "
            + scale.buyers()
            + " buyers.");
    line("");
    line("| machine | |");
    line("|---|---|");
    machine.forEach((name, value) -> line("| " + name + " | " + value + " |"));
    for (Outcome outcome : outcomes) {
      String server = outcome.database().label();
      outcome
          .server()
          .forEach((name, value) -> line("| " + server + ", " + name + " | " + value + " |"));
    }
    line("| connections of a pool, at most | " + Stand.POOL_MAX + " per shard |");
    line("");
  }

  private void goals() {
    List<Goal> goals = Goal.of(outcomes);
    if (goals.isEmpty()) {
      return;
    }
    line("## Targets");
    line("");
    line("| what | target | measured | |");
    line("|---|---|---|---|");
    for (Goal goal : goals) {
      line(
          "| "
              + goal.what()
              + " | "
              + goal.target()
              + " | "
              + goal.measured()
              + " | "
              + (goal.isMet() ? "met" : "**not met**")
              + " |");
    }
    line("");
  }

  private void results(Outcome outcome, String title, boolean stub) {
    List<Result> results =
        outcome.results().stream().filter(r -> r.workload().isOnStub() == stub).toList();
    if (results.isEmpty()) {
      return;
    }
    line("## " + title);
    line("");
    line(
        "Times are microseconds of an operation; `times` is against the first side of the workload,"
            + " turn by turn.");
    line("");
    for (Result result : results) {
      line("### " + result.workload().name() + ": " + result.workload().title());
      line("");
      line(
          "| side | us | times | operations a second | p50 | p99 | p99.9 | processor us | bytes |"
              + " statements | round trips | connections |");
      line("|---|---|---|---|---|---|---|---|---|---|---|---|");
      for (Score score : result.scores()) {
        line(row(result, score));
      }
      line("");
    }
  }

  private static String row(Result result, Score score) {
    if (score.isRefused()) {
      return "| "
          + score.side().label()
          + " | "
          + oneLine(score.refusal())
          + " |"
          + " |".repeat(10);
    }
    Score first = result.scores().get(0);
    String times = first.isRefused() ? "" : score.timesOf(first, Score::micros).toString();
    return "| "
        + String.join(
            " | ",
            score.side().label(),
            score.micros().toString(),
            times,
            Spread.number(score.perSecond().median()),
            Spread.number(score.latency(50)),
            Spread.number(score.latency(99)),
            Spread.number(score.latency(99.9)),
            score.cpuMicros().toString(),
            String.format(Locale.ROOT, "%,.0f", score.bytes().median()),
            counts(score))
        + " |";
  }

  private static String counts(Score score) {
    Score.Counts counts = score.counts();
    return counts == null
        ? " | | "
        : exact(counts.statements())
            + " | "
            + exact(counts.roundTrips())
            + " | "
            + exact(counts.connections());
  }

  static String exact(double count) {
    if (Double.isNaN(count)) {
      return "";
    }
    return count == Math.rint(count)
        ? String.format(Locale.ROOT, "%.0f", count)
        : String.format(Locale.ROOT, "%.2f", count);
  }

  private static String oneLine(String refusal) {
    return refusal.replaceAll("\\s+", " ").replace("|", "/");
  }

  private void cold(Outcome outcome) {
    outcome
        .cold()
        .ifPresent(
            cold -> {
              line("## Cold start: from opening to the first row, in fresh processes");
              line("");
              line("| side | ms |");
              line("|---|---|");
              for (Score score : cold.scores()) {
                line(
                    "| "
                        + score.side().label()
                        + " | "
                        + (score.isRefused()
                            ? oneLine(score.refusal())
                            : Spread.of(score.each(ColdStart::millis)))
                        + " |");
              }
              line("");
            });
  }

  private void heaps(Outcome outcome) {
    if (outcome.heaps().isEmpty()) {
      return;
    }
    line("## Heap in which all rows can be streamed in their order");
    line("");
    line("Of " + String.join(", ", LeastHeap.SIZES) + ", in a fresh process.");
    line("");
    line("| side | least -Xmx |");
    line("|---|---|");
    outcome.heaps().forEach((side, heap) -> line("| " + side.label() + " | " + heap + " |"));
    line("");
  }

  private void balance(Outcome outcome) {
    if (outcome.skewed().isEmpty()) {
      return;
    }
    Skew skew = Skew.ofOnlineRetail();
    line("### Balance of the skewed orders");
    line("");
    line(
        String.format(
            Locale.ROOT,
            "Buyers as often as the %,d customers of the Online Retail data (CC BY 4.0) in their"
                + " %,d invoices; the most frequent one has %s of all orders. Expected is what the"
                + " hash makes of them; the sides' own shares are counted.",
            skew.buyers(),
            skew.orders(),
            percent(skew.hottest())));
    line("");
    String shards =
        IntStream.range(0, Stand.SHARDS).mapToObj(i -> "s" + i).collect(Collectors.joining(" | "));
    line("| side | " + shards + " | most over mean |");
    line("|---".repeat(Stand.SHARDS + 2) + "|");
    balance("expected", skew.balance(Stand.SHARDS));
    outcome
        .skewed()
        .forEach(
            (side, orders) -> {
              double all = Math.max(1, orders.stream().mapToLong(count -> count).sum());
              balance(side.label(), orders.stream().mapToDouble(count -> count / all).toArray());
            });
    line("");
  }

  private void balance(String label, double[] shares) {
    double most = Arrays.stream(shares).max().orElseThrow() * shares.length;
    line(
        "| "
            + label
            + " | "
            + Arrays.stream(shares).mapToObj(ReportText::percent).collect(Collectors.joining(" | "))
            + " | "
            + Spread.number(most)
            + " |");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
