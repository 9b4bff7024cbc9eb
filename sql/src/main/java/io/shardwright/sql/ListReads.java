package io.shardwright.sql;

import io.shardwright.sql.BlockReader.Blocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ways of a statement without a route key over list indexes.
 *
 * <p>Problem: a value of an index has many rows on many shards, so knowing its buckets saves
 * little. Idea: entries hold more than keys. What they hold all of is read from them instead of the
 * table. Of a page only its keys are read from them, by the statement's own condition, order and
 * limit; of anything else the keys of all rows of the value, if these are few. The statement then
 * goes to those rows, with its own condition, so that a row which is no longer as its entry says
 * does what the statement says.
 */
final class ListReads {
  /** Rows that one statement asks for by their keys; a value with more is a scan. */
  static final int ROWS_MAX = 1_000;

  private final SqlTokens tokens;
  private final List<Block> blocks;
  private final List<ListRead> reads;

  private ListReads(SqlTokens tokens, List<Block> blocks, List<ListRead> reads) {
    this.tokens = tokens;
    this.blocks = blocks;
    this.reads = reads;
  }

  /**
   * What an execution gets.
   *
   * @param route by a list index
   * @param rows that the statement goes to, as the index names them
   * @param why no index is used; empty when none could be
   */
  record Answer(Optional<Route> route, Optional<ListedRows> rows, String why) {
    static final Answer NONE = new Answer(Optional.empty(), Optional.empty(), "");

    static Answer of(Route route) {
      return new Answer(Optional.of(route), Optional.empty(), "");
    }

    static Answer of(ListedRows rows) {
      return new Answer(Optional.empty(), Optional.of(rows), "");
    }

    static Answer without(String why) {
      return new Answer(Optional.empty(), Optional.empty(), why);
    }

    boolean isUsed() {
      return route.isPresent() || rows.isPresent();
    }
  }

  /** Those of a statement that conditions pin nowhere. */
  static ListReads of(
      Schema schema, SqlTokens tokens, Blocks blocks, Placement placement, Plan.Kind kind) {
    List<ListRead> reads = new ArrayList<>();
    if (placement.root().isPresent()) {
      Source root = placement.root().get();
      for (ListIndex index : root.table.orElseThrow().lists()) {
        ListRead.of(new ListRead.Subject(schema, tokens, blocks, root, kind), index)
            .ifPresent(reads::add);
      }
    }
    return new ListReads(tokens, blocks.all(), reads);
  }

  /** By the first index that can be used. */
  Answer answer(ListRead.Execution execution) {
    Answer last = Answer.NONE;
    for (ListRead read : reads) {
      Answer answer = read.answer(execution);
      if (answer.isUsed()) {
        return answer;
      }
      last = answer.why().isEmpty() ? last : answer;
    }
    return last;
  }

  /** The conditions that leave only these rows, and the buckets of what hangs on them. */
  List<Edit> edits(Placement placed, ListedRows rows) {
    BucketEdits.RowEdits meant =
        new BucketEdits.RowEdits(
            placed.root().orElseThrow(),
            rows.index().primaryKey().stream().map(tokens.dialect()::quote).toList(),
            List.copyOf(rows.found()));
    return KeptLabels.with(BucketEdits.ofRows(tokens, blocks, placed, meant), tokens, blocks);
  }
}
