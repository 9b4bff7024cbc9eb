package io.shardwright.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The file of a number's rows: one line of JSON for each, a list of its values as answers show them
 * and of its bucket, in the order of time, id and bucket.
 *
 * <p>It is read as a whole once, which proves its SHA-256, and finds where each {@link #STEP}th row
 * begins; later reads begin there. Thread-safe.
 */
final class SettlementRows {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final ObjectWriter WRITER = MAPPER.writer();
  private static final int BUFFER_BYTES = 1 << 16;

  /** 8 bytes of memory for so many rows. */
  private static final int STEP = 256;

  private final Path file;
  private final long size;
  private final FileTime changed;
  private final long rows;
  private final String sha256;
  private final long[] offsets;

  private SettlementRows(
      Path file, FileTime changed, long size, long rows, String sha256, long[] offsets) {
    this.file = file;
    this.changed = changed;
    this.size = size;
    this.rows = rows;
    this.sha256 = sha256;
    this.offsets = offsets;
  }

  /** A line, with its end. */
  static byte[] line(List<Object> values) {
    try {
      byte[] json = WRITER.writeValueAsBytes(values);
      byte[] line = Arrays.copyOf(json, json.length + 1);
      line[json.length] = '\n';
      return line;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("values of a row are no JSON", e);
    }
  }

  static List<Object> values(byte[] line) throws IOException {
    List<Object> values = new ArrayList<>(Arrays.asList(MAPPER.readValue(line, Object[].class)));
    values.replaceAll(value -> value instanceof Integer number ? number.longValue() : value);
    return values;
  }

  static SettlementRows open(Path file) throws IOException {
    FileTime changed = Files.getLastModifiedTime(file);
    MessageDigest digest = Sha256.digest();
    long[] offsets = new long[16];
    long rows = 0;
    long size = 0;
    boolean atStart = true;
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
        for (int i = 0; i < read; i++) {
          if (atStart && rows % STEP == 0) {
            int step = Math.toIntExact(rows / STEP);
            offsets = step < offsets.length ? offsets : Arrays.copyOf(offsets, 2 * step);
            offsets[step] = size + i;
          }
          atStart = buffer[i] == '\n';
          rows += atStart ? 1 : 0;
        }
        size += read;
      }
    }
    return new SettlementRows(file, changed, size, rows, Sha256.hex(digest.digest()), offsets);
  }

  long rows() {
    return rows;
  }

  /** Of the file as it was opened. */
  String sha256() {
    return sha256;
  }

  /** Whether the file has the length and the time that it had. */
  boolean isSame() throws IOException {
    return Files.size(file) == size && Files.getLastModifiedTime(file).equals(changed);
  }

  /**
   * @param position of the first row, from 0
   * @param count no more than there are from there on
   */
  List<List<Object>> read(long position, int count) throws IOException {
    List<List<Object>> some = new ArrayList<>();
    if (count > 0) {
      try (Reading reading = from(position)) {
        while (some.size() < count) {
          some.add(values(reading.next()));
        }
      }
    }
    return some;
  }

  /** Lines from a position on. */
  Reading from(long position) throws IOException {
    RandomAccessFile in = new RandomAccessFile(file.toFile(), "r");
    boolean begun = false;
    try {
      in.seek(rows == 0 ? 0 : offsets[Math.toIntExact(position / STEP)]);
      Reading reading = new Reading(in);
      for (long skip = position % STEP; skip > 0; skip--) {
        reading.next();
      }
      begun = true;
      return reading;
    } finally {
      if (!begun) {
        in.close();
      }
    }
  }

  /** Not thread-safe. */
  static final class Reading implements AutoCloseable {
    private final RandomAccessFile file;
    private final InputStream in;
    private byte[] line = new byte[BUFFER_BYTES];

    private Reading(RandomAccessFile file) {
      this.file = file;
      this.in = new BufferedInputStream(Channels.newInputStream(file.getChannel()), BUFFER_BYTES);
    }

    /** Without its end; null when there is none. */
    byte[] next() throws IOException {
      int length = 0;
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n') {
          return Arrays.copyOf(line, length);
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = (byte) next;
      }
      return null;
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
