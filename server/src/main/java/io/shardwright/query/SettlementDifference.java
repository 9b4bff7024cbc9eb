package io.shardwright.query;

import io.shardwright.query.Settlement.Change;
import io.shardwright.query.Settlement.Difference;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What differs between two numbers of a settlement, by the columns that identify rows and by
 * bucket.
 *
 * <p>Problem: rows may have any place in either file, since their times change, too, and neither
 * file may be held in memory. Idea: both are cut into parts by a hash of what identifies a row, so
 * that a row is in the same part of both, and each part is compared by itself. Invariant: a part
 * holds about {@link #PART_ROWS} rows of each file. Each file is read once.
 *
 * <p>The result is a file of records of 17 bytes: the change (0 added, 1 removed, 2 changed), the
 * row's place in the number before and in this one, from 0, or -1.
 */
final class SettlementDifference {
  static final int RECORD_BYTES = 17;

  /** By their numbers in the file. */
  private static final List<Change> KINDS = List.of(Change.ADDED, Change.REMOVED, Change.CHANGED);

  private static final int PART_ROWS = 50_000;
  private static final int PARTS_MAX = 256;

  private final Path scratch;
  private final int parts;

  /** Which values of a row are which. */
  private record Columns(List<Integer> identity, List<Integer> compared) {
    static Columns of(List<String> all, List<String> id, List<String> common) {
      List<Integer> identity = new ArrayList<>();
      id.forEach(name -> identity.add(all.indexOf(name)));
      // The bucket stands behind the columns.
      identity.add(all.size());
      return new Columns(identity, common.stream().map(all::indexOf).toList());
    }
  }

  /** The first bytes of SHA-256. */
  private record Hash(long high, long low) {
    static Hash of(List<Object> values, List<Integer> places) {
      List<Object> some = new ArrayList<>();
      places.forEach(place -> some.add(values.get(place)));
      ByteBuffer hash = ByteBuffer.wrap(Sha256.digest().digest(SettlementRows.line(some)));
      return new Hash(hash.getLong(), hash.getLong());
    }
  }

  private record Row(Hash identity, Hash values, long place) {
    void write(DataOutputStream out) throws IOException {
      out.writeLong(identity.high);
      out.writeLong(identity.low);
      out.writeLong(values.high);
      out.writeLong(values.low);
      out.writeLong(place);
    }

    static Row read(DataInputStream in) throws IOException {
      long high;
      try {
        high = in.readLong();
      } catch (EOFException e) {
        return null;
      }
      return new Row(
          new Hash(high, in.readLong()), new Hash(in.readLong(), in.readLong()), in.readLong());
    }
  }

  /**
   * @param before -1: it was not there
   * @param after -1: it is not there any more
   */
  record Found(Change change, long before, long after) {}

  private SettlementDifference(SettlementRows before, SettlementRows after, Path scratch) {
    this.scratch = scratch;
    long needed = Math.max(before.rows(), after.rows()) / PART_ROWS + 1;
    this.parts = (int) Math.min(PARTS_MAX, needed);
  }

  /**
   * Writes the file, which is on the disk on return.
   *
   * @param old number before; its rows are {@code before}
   * @param columns of {@code after}
   * @param id columns that identify rows, with the bucket; both have them
   * @param target the file
   */
  static Difference write(
      Settlement old,
      SettlementRows before,
      List<String> columns,
      SettlementRows after,
      List<String> id,
      Path target)
      throws IOException {
    Path scratch = target.resolveSibling("scratch");
    GatewayDirectory.delete(scratch);
    Files.createDirectories(scratch);
    try {
      List<String> common = columns.stream().filter(old.columns()::contains).toList();
      SettlementDifference difference = new SettlementDifference(before, after, scratch);
      difference.cut("before", before, Columns.of(old.columns(), id, common));
      difference.cut("after", after, Columns.of(columns, id, common));
      return difference.compare(old.number(), target);
    } finally {
      GatewayDirectory.delete(scratch);
    }
  }

  private void cut(String name, SettlementRows rows, Columns columns) throws IOException {
    List<DataOutputStream> out = new ArrayList<>();
    try (SettlementRows.Reading reading = rows.from(0)) {
      for (int part = 0; part < parts; part++) {
        out.add(
            new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(scratch.resolve(name + part)))));
      }
      long place = 0;
      for (byte[] line = reading.next(); line != null; line = reading.next()) {
        List<Object> values = SettlementRows.values(line);
        Hash identity = Hash.of(values, columns.identity());
        int part = (int) Long.remainderUnsigned(identity.high(), parts);
        new Row(identity, Hash.of(values, columns.compared()), place).write(out.get(part));
        place++;
      }
    } finally {
      for (DataOutputStream one : out) {
        one.close();
      }
    }
  }

  private Difference compare(long against, Path target) throws IOException {
    MessageDigest digest = Sha256.digest();
    long[] counts = new long[KINDS.size()];
    Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
    try (FileChannel channel =
            FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        OutputStream stream =
            new DigestOutputStream(
                new BufferedOutputStream(Channels.newOutputStream(channel)), digest);
        DataOutputStream out = new DataOutputStream(stream)) {
      for (int part = 0; part < parts; part++) {
        for (Found found : compare(part)) {
          counts[KINDS.indexOf(found.change())]++;
          out.writeByte(KINDS.indexOf(found.change()));
          out.writeLong(found.before());
          out.writeLong(found.after());
        }
      }
      out.flush();
      channel.force(true);
    }
    Files.move(
        unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return new Difference(
        against,
        counts[KINDS.indexOf(Change.ADDED)],
        counts[KINDS.indexOf(Change.REMOVED)],
        counts[KINDS.indexOf(Change.CHANGED)],
        Sha256.hex(digest.digest()));
  }

  private List<Found> compare(int part) throws IOException {
    Map<Hash, Row> old = new HashMap<>();
    try (DataInputStream in = in("before" + part)) {
      for (Row row = Row.read(in); row != null; row = Row.read(in)) {
        old.put(row.identity(), row);
      }
    }
    List<Found> records = new ArrayList<>();
    try (DataInputStream in = in("after" + part)) {
      for (Row row = Row.read(in); row != null; row = Row.read(in)) {
        Row was = old.remove(row.identity());
        if (was == null) {
          records.add(new Found(Change.ADDED, -1, row.place()));
        } else if (!was.values().equals(row.values())) {
          records.add(new Found(Change.CHANGED, was.place(), row.place()));
        }
      }
    }
    old.values().forEach(row -> records.add(new Found(Change.REMOVED, row.place(), -1)));
    records.sort(
        Comparator.comparing(Found::change)
            .thenComparing(Found::after)
            .thenComparing(Found::before));
    return records;
  }

  private DataInputStream in(String name) throws IOException {
    return new DataInputStream(
        new BufferedInputStream(Files.newInputStream(scratch.resolve(name))));
  }

  /** Some records of a file, fewer where it ends. */
  static List<Found> read(Path file, long from, int count) throws IOException {
    List<Found> records = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        DataInputStream in =
            new DataInputStream(
                new BufferedInputStream(
                    Channels.newInputStream(channel.position(from * RECORD_BYTES))))) {
      long left = Math.min(count, channel.size() / RECORD_BYTES - from);
      for (; left > 0; left--) {
        Change change = KINDS.get(in.readByte());
        records.add(new Found(change, in.readLong(), in.readLong()));
      }
    }
    return records;
  }
}
