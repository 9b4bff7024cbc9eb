package io.shardwright.sql;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How the answers of several shards become the answer of one database. Columns of the shards' rows
 * are numbered from 1; a negative number counts from the end, -1 is the last. Hidden columns, at
 * the end of a shard's row, serve the merge only and are never shown to the caller.
 */
public sealed interface Merge {

  /** Only one shard is asked, or its rows are passed through as they are. */
  record PassThrough() implements Merge {}

  /** Writes: the update counts are added; rows of RETURNING are concatenated in shard order. */
  record SumCounts() implements Merge {}

  /**
   * Multi-row INSERT: like {@link SumCounts}, and rows of RETURNING and generated keys come back in
   * the order of the VALUES rows.
   *
   * @param rowsByStatement for each of the route's statements, the VALUES row numbers (0-based)
   *     that it inserts, ascending
   */
  record InsertedRows(List<List<Integer>> rowsByStatement) implements Merge {}

  /** Rows in any order. */
  record Concatenate(int hiddenColumns, Window window) implements Merge {}

  /** Every shard's rows are ordered by {@code keys}; the merge keeps that order. */
  record Ordered(List<SortKey> keys, int hiddenColumns, Window window) implements Merge {}

  /**
   * Partial groups of each shard are combined.
   *
   * @param groupColumns of the shards' rows: rows with equal values are one group; empty: one
   *     group, which exists even when no shard returned a row
   * @param outputs first the visible columns, then hidden ones that only {@code order} needs
   * @param order over the outputs (numbered from 1), empty: any order
   * @param visibleOutputs how many of the outputs the caller sees
   */
  record Aggregate(
      List<Integer> groupColumns,
      List<Output> outputs,
      List<SortKey> order,
      int visibleOutputs,
      Window window)
      implements Merge {}

  /**
   * The rows of all shards are gathered, and one shard runs a last statement over them: what only
   * the database itself does exactly.
   *
   * @param text of the last statement; {@link Piece.TypeOf} stands for a type as a cast takes it
   * @param arguments what fills each of its {@code ?}, in order
   */
  record Staged(List<Piece> text, List<Route.Argument> arguments) implements Merge {}

  /**
   * Parts of the statement are read first, each by a plan of its own; their rows stand in the text
   * of a last statement in their places, and one shard runs it.
   *
   * <p>Where the database has no arrays, the rows of a part are {@code SELECT shardwright_1 AS
   * label, ... FROM} what {@link JsonRows#fromItem} writes for them.
   *
   * @param text the last statement; all its segments but the last end where rows of a part stand
   * @param inserting INSERT ... SELECT: instead of a last statement, the rows of the only part are
   *     inserted
   */
  record Gathered(List<Part> parts, List<Segment> text, Optional<Inserting> inserting)
      implements Merge {}

  /**
   * How an INSERT ... SELECT becomes an INSERT of values.
   *
   * @param before its text up to the query
   * @param columns place in {@code before} behind the parenthesis that opens the list of columns,
   *     when bucket_id is not among them
   * @param after its text behind the query
   * @param parameters numbers (0-based) of the caller's parameters in {@code after}
   * @param routing numbers (0-based) of the columns that decide where a row goes: their values must
   *     be plain parameters
   */
  record Inserting(
      String before,
      OptionalInt columns,
      String after,
      List<Integer> parameters,
      Set<Integer> routing) {}

  /**
   * A statement whose rows are gathered, and where it goes.
   *
   * @param parameters for each of its {@code ?} the number (0-based) of the caller's parameter
   * @param collations of its columns where they are not the database's, "" for those; empty when
   *     none has its own
   */
  record Part(Plan plan, Route route, List<Integer> parameters, List<String> collations) {}

  /**
   * A piece of a last statement's text and what fills its {@code ?}.
   *
   * @param part whose rows follow, as a SELECT without parentheses
   */
  record Segment(String text, List<Route.Argument> arguments, OptionalInt part) {}

  /** A piece of a last statement's text. */
  sealed interface Piece {
    record Text(String text) implements Piece {}

    /** The type of a column (1-based) of the shards' rows. */
    record TypeOf(int column) implements Piece {}

    /**
     * The rows of the shards as a FROM item, where the database has no arrays: what {@link
     * JsonRows#fromItem} writes, with one {@code ?} that {@link Route.Argument.CollectedRows}
     * fills.
     *
     * @param alias of the item; its columns are {@code alias_1}, {@code alias_2} and so on
     * @param collations of the columns, empty for those that have none or the database's
     */
    record Rows(String alias, List<Optional<String>> collations) implements Piece {}

    /** The type in which a sum of that column is divided for an average. */
    record DivisorOf(int column) implements Piece {}
  }

  /**
   * OFFSET and LIMIT that remain to be applied after the merge.
   *
   * @param offset rows to skip
   * @param limit rows to return, empty: all
   */
  record Window(long offset, OptionalLong limit) {
    public static final Window ALL = new Window(0, OptionalLong.empty());
  }

  /** One ORDER BY item on a column of the shards' rows (for Aggregate: on an output). */
  record SortKey(int column, boolean descending, boolean nullsFirst, Schema.ValueOrder order) {}

  /** One output column of an Aggregate, made from columns of the shards' rows. */
  sealed interface Output {
    /** The value of a grouping column, from any row of the group. */
    record Group(int column) implements Output {}

    /** COUNT: the sum of int8 counts; 0 when there are no rows. */
    record Count(int column) implements Output {}

    /** SUM: NULL when every shard's value is NULL. */
    record Sum(int column) implements Output {}

    record Min(int column) implements Output {}

    record Max(int column) implements Output {}

    /** AVG from a hidden SUM and COUNT; {@code column} is the shard's own AVG, for its type. */
    record Average(int column, int sumColumn, int countColumn) implements Output {}
  }
}
