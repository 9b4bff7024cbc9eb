package io.shardwright.cli;

import io.shardwright.migration.Comparison;
import io.shardwright.migration.Comparison.Difference;
import io.shardwright.migration.Verified;
import java.util.Locale;
import java.util.Map;

/** What came of comparing the two sides of a move, in words and JSON. */
final class ComparisonWords {
  private ComparisonWords() {}

  static void print(Console console, long id, Comparison found) {
    Verified verified = found.verified();
    String in = " in " + ParameterOption.count(verified.buckets(), "bucket", "buckets");
    for (Difference difference : found.differences()) {
      console.println("differs    " + Printable.text(difference.toString(), console.charset()));
    }
    found
        .broken()
        .forEach(text -> console.println("broken     " + Printable.text(text, console.charset())));
    console.println(
        found.isGood()
            ? "ok: both sides of move " + id + " have the same rows" + in + without(verified)
            : "not ok: "
                + ParameterOption.count(verified.differences(), "row differs", "rows differ")
                + in
                + of(found)
                + without(verified)
                + (found.broken().isEmpty()
                    ? ""
                    : "; invariants broken: " + found.broken().size()));
  }

  private static String of(Comparison found) {
    long more = found.verified().differences() - found.differences().size();
    return more > 0 ? ", " + more + " of them not listed" : "";
  }

  private static String without(Verified verified) {
    return verified.without().isEmpty()
        ? ""
        : ", compared without " + String.join(", ", verified.without());
  }

  static Map<String, Object> json(long id, Comparison found) {
    return Json.object(
        "move", id,
        "ok", found.isGood(),
        "verification", json(found.verified()),
        "differences", found.differences().stream().map(ComparisonWords::json).toList(),
        "broken", found.broken());
  }

  private static Map<String, Object> json(Difference difference) {
    return Json.object(
        "table", difference.table(),
        "bucket", difference.bucket().value(),
        "key", difference.key(),
        "kind", difference.kind().name().toLowerCase(Locale.ROOT),
        "columns", difference.columns());
  }

  static Map<String, Object> json(Verified verified) {
    return Json.object(
        "at", verified.at(),
        "mapVersion", verified.mapVersion(),
        "state", verified.state().name().toLowerCase(Locale.ROOT),
        "sourcePosition", verified.from(),
        "sourcePositionAtEnd", verified.to(),
        "buckets", verified.buckets(),
        "rows", verified.rows(),
        "differences", verified.differences(),
        "brokenInvariants", verified.brokenInvariants(),
        "without", verified.without());
  }

  /** In one line. */
  static String line(Verified verified) {
    return (verified.differences() == 0
            ? "equal"
            : ParameterOption.count(verified.differences(), "row differs", "rows differ"))
        + (verified.brokenInvariants() == 0
            ? ""
            : ", invariants broken: " + verified.brokenInvariants() + ",")
        + " in "
        + ParameterOption.count(verified.buckets(), "bucket", "buckets")
        + ", "
        + ParameterOption.count(verified.rows(), "row", "rows")
        + ", at "
        + verified.at()
        + " by map version "
        + verified.mapVersion()
        + ", when "
        + MoveWords.state(verified.state())
        + without(verified);
  }
}
