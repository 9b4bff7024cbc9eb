package io.shardwright.bench.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * How much is measured.
 *
 * @param rows orders on the eight shards; row i belongs to buyer {@code 1 + i % buyers}
 * @param rowsOfOtherSets the same on four and sixteen shards
 * @param numbered rows with a unique index
 * @param deepRow where the deep page begins
 * @param rounds in which each side has one turn
 * @param warmUpMillis before the first turn, at most
 * @param turnMillis of a turn
 * @param processes fresh ones that are started for the cold start
 */
public record Scale(
    int rows,
    int rowsOfOtherSets,
    int buyers,
    int numbered,
    int deepRow,
    int rounds,
    int warmUpMillis,
    int turnMillis,
    int processes) {
  public static final Scale FULL =
      new Scale(1_000_000, 64_000, 50_000, 2_000, 50_000, 5, 3_000, 250, 5);
  public static final Scale QUICK =
      new Scale(100_000, 16_000, 5_000, 400, 10_000, 3, 1_500, 100, 3);

  /** Each benchmark runs; the figures mean nothing. */
  static final Scale TINY = new Scale(2_000, 800, 600, 20, 500, 1, 0, 1, 1);

  /** What takes long and gives nothing but good figures is left out. */
  boolean isTiny() {
    return equals(TINY);
  }

  /** With turns that give enough samples. */
  Scale profiled() {
    return new Scale(
        rows,
        rowsOfOtherSets,
        buyers,
        numbered,
        deepRow,
        rounds,
        warmUpMillis,
        5 * turnMillis,
        processes);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(rows);
    out.writeInt(rowsOfOtherSets);
    out.writeInt(buyers);
    out.writeInt(numbered);
    out.writeInt(deepRow);
    out.writeInt(rounds);
    out.writeInt(warmUpMillis);
    out.writeInt(turnMillis);
    out.writeInt(processes);
  }

  static Scale read(DataInputStream in) throws IOException {
    return new Scale(
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt());
  }
}
