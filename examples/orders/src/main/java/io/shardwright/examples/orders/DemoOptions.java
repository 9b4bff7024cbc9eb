package io.shardwright.examples.orders;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the demo does.
 *
 * @param shards servers to start, 1 to 16
 * @param rows invoices to load, the first ones, 1 to 25,900
 * @param move true: with the second act, in which two shards are added under traffic
 * @param keep true: servers and data go on after the demo
 * @param data the directory of the three data files
 * @param json where to write the report, if anywhere
 */
public record DemoOptions(
    int shards, int rows, boolean move, boolean keep, Path data, Optional<Path> json) {
  public static final int SHARDS_MAX = 16;

  public DemoOptions {
    if (shards < 1 || shards > SHARDS_MAX) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, "shards must be 1 to " + SHARDS_MAX + ", not " + shards);
    }
    if (rows < 1 || rows > RetailData.INVOICES) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "rows is the number of invoices to load, 1 to " + RetailData.INVOICES + ", not " + rows);
    }
  }

  /** Four shards, all invoices, then two shards more, nothing kept, no file. */
  public static DemoOptions of(Path data) {
    return new DemoOptions(4, RetailData.INVOICES, true, false, data, Optional.empty());
  }
}
