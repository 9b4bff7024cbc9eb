package io.shardwright.cli;

import io.shardwright.sql.Merge;
import java.util.ArrayList;
import java.util.List;

/** How the answers of the shards become one, for people. */
final class MergeWords {
  private MergeWords() {}

  static String of(Merge merge, int statements) {
    if (merge instanceof Merge.Gathered gathered && gathered.inserting().isPresent()) {
      return "the rows of the query are read, then inserted as VALUES, each where its key belongs";
    }
    if (merge instanceof Merge.Gathered gathered) {
      return "the rows of "
          + gathered.parts().size()
          + (gathered.parts().size() == 1 ? " part" : " parts")
          + " come together, and one shard runs the last step over them: "
          + text(gathered);
    }
    if (statements < 2 || merge instanceof Merge.PassThrough) {
      return "none: the answer is passed on as it is";
    }
    if (merge instanceof Merge.SumCounts) {
      return "update counts are added, rows of RETURNING follow each other in shard order";
    }
    if (merge instanceof Merge.InsertedRows) {
      return "update counts are added, rows of RETURNING come in the order of the VALUES rows";
    }
    if (merge instanceof Merge.Concatenate rows) {
      return "rows of all shards in any order"
          + hidden(rows.hiddenColumns())
          + window(rows.window());
    }
    if (merge instanceof Merge.Ordered rows) {
      return "every shard sorts, the sorted rows are merged by "
          + keys(rows.keys())
          + hidden(rows.hiddenColumns())
          + window(rows.window());
    }
    if (merge instanceof Merge.Staged staged) {
      return "rows of all shards become arrays, and one shard runs the last step over them: "
          + text(staged);
    }
    return aggregate((Merge.Aggregate) merge);
  }

  private static String text(Merge.Staged staged) {
    StringBuilder text = new StringBuilder();
    for (Merge.Piece piece : staged.text()) {
      text.append(piece instanceof Merge.Piece.Text fixed ? fixed.text() : "(its type)");
    }
    return text.toString();
  }

  private static String text(Merge.Gathered gathered) {
    StringBuilder text = new StringBuilder();
    for (Merge.Segment segment : gathered.text()) {
      text.append(segment.text());
      segment.part().ifPresent(part -> text.append("rows of part ").append(part + 1));
    }
    return text.toString();
  }

  private static String aggregate(Merge.Aggregate merge) {
    List<String> outputs = new ArrayList<>();
    for (Merge.Output output : merge.outputs().subList(0, merge.visibleOutputs())) {
      outputs.add(words(output));
    }
    String groups =
        merge.groupColumns().isEmpty()
            ? "partial results of all shards are combined into one row"
            : "partial groups of all shards are combined";
    return groups
        + ": "
        + String.join(", ", outputs)
        + (merge.order().isEmpty() ? "" : "; then sorted by " + keys(merge.order()))
        + window(merge.window());
  }

  private static String words(Merge.Output output) {
    if (output instanceof Merge.Output.Group) {
      return "group";
    }
    if (output instanceof Merge.Output.Count) {
      return "counts are added";
    }
    if (output instanceof Merge.Output.Sum) {
      return "sums are added";
    }
    if (output instanceof Merge.Output.Min) {
      return "least minimum";
    }
    if (output instanceof Merge.Output.Max) {
      return "greatest maximum";
    }
    return "average of the added sums and counts";
  }

  private static String keys(List<Merge.SortKey> keys) {
    List<String> words = new ArrayList<>();
    for (Merge.SortKey key : keys) {
      words.add(
          // Hidden columns are counted from the end.
          (key.column() < 0 ? "added column " : "column ")
              + Math.abs(key.column())
              + (key.descending() ? " descending" : " ascending")
              + (key.nullsFirst() ? ", NULL first" : ", NULL last"));
    }
    return String.join("; ", words);
  }

  private static String hidden(int columns) {
    return columns == 0
        ? ""
        : "; " + ParameterOption.count(columns, "added column", "added columns") + " removed";
  }

  private static String window(Merge.Window window) {
    String offset = window.offset() == 0 ? "" : "; the first " + window.offset() + " skipped";
    return window.limit().isPresent()
        ? offset + "; at most " + window.limit().getAsLong() + " rows returned"
        : offset;
  }
}
