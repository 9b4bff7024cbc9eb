package io.shardwright.query;

import io.shardwright.query.PagePlan.Shown;
import io.shardwright.query.Settlement.Content;
import io.shardwright.routing.ShardId;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes the file of a number's rows, with its counts, sums and hashes. The file has its name only
 * when all of it is on the disk. Not thread-safe.
 */
final class SettlementWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path file;
  private final Path unfinished;
  private final FileChannel channel;
  private final OutputStream out;
  private final List<Shown> columns;
  private final Tally all;
  private final Map<ShardId, Tally> shards = new TreeMap<>();
  private boolean byShard;
  private String sha256 = "";

  /** Of some rows. */
  private final class Tally {
    private final MessageDigest digest = Sha256.digest();
    private final BigDecimal[] sums = new BigDecimal[columns.size()];
    private long rows;

    void add(byte[] line, List<Object> values) {
      digest.update(line);
      rows++;
      for (int i = 0; i < sums.length; i++) {
        if (isSummed(columns.get(i)) && values.get(i) != null) {
          BigDecimal value = new BigDecimal(values.get(i).toString());
          sums[i] = sums[i] == null ? value : sums[i].add(value);
        }
      }
    }

    Map<String, String> sums() {
      Map<String, String> named = new LinkedHashMap<>();
      for (int i = 0; i < sums.length; i++) {
        if (isSummed(columns.get(i))) {
          named.put(columns.get(i).name(), sums[i] == null ? "0" : sums[i].toPlainString());
        }
      }
      return named;
    }
  }

  SettlementWriter(Path file, List<Shown> columns) throws IOException {
    this.file = file;
    this.unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    this.columns = columns;
    this.all = new Tally();
    this.channel =
        FileChannel.open(
            unfinished,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
  }

  private static boolean isSummed(Shown column) {
    return column.type() == ColumnType.INTEGER || column.type() == ColumnType.DECIMAL;
  }

  Path file() {
    return file;
  }

  /** Before the first row: whether it is known which shard each row was read from. */
  void byShard(boolean known) {
    byShard = known;
  }

  /**
   * @param values as answers show them, then the bucket
   * @param shard null: not known
   */
  void add(List<Object> values, ShardId shard) throws IOException {
    byte[] line = SettlementRows.line(values);
    out.write(line);
    all.add(line, values);
    if (shard == null) {
      byShard = false;
    } else {
      shards.computeIfAbsent(shard, unused -> new Tally()).add(line, values);
    }
  }

  /** All rows have been added. */
  void finish() throws IOException {
    out.flush();
    channel.force(true);
    channel.close();
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    GatewayDirectory.force(file.getParent());
    sha256 = Sha256.hex(all.digest.digest());
  }

  long rows() {
    return all.rows;
  }

  Map<String, String> sums() {
    return all.sums();
  }

  /** After {@link #finish}. */
  String sha256() {
    return sha256;
  }

  /** Of one shard, once; empty: not known. */
  Optional<Content> content(ShardId shard) {
    if (!byShard) {
      return Optional.empty();
    }
    Tally tally = shards.getOrDefault(shard, new Tally());
    return Optional.of(new Content(tally.rows, tally.sums(), Sha256.hex(tally.digest.digest())));
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(unfinished);
  }
}
