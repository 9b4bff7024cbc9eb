package io.shardwright.advisor.simulate;

import io.shardwright.advisor.logs.FileErrors;
import io.shardwright.advisor.logs.PlainOrGzip;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file of keys, plain or gzip: one key on a line, or {@code key,count} with the rows of the key.
 * A key in double quotes may hold commas and doubled quotes. Which of both, and whether the first
 * line names the columns, is told from the first {@value #SAMPLE_LINES} lines; what a later line
 * contradicts is refused with its number. Memory: two blocks and one line.
 */
public final class KeyFile {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int SAMPLE_LINES = 1_000;
  private static final int LINE_BYTES_MAX = 1 << 20;
  private static final int DIGITS_MAX = 18;
  private static final String COMMA =
      "has a comma, and not every line has a whole number of rows behind it; write key,count on"
          + " each line, or put keys with commas in double quotes";

  /** Takes keys. The array is used again after the call. */
  interface Sink {
    void key(byte[] bytes, int from, int to, long rows);
  }

  /**
   * What the lines were.
   *
   * @param counted true for {@code key,count}
   * @param header true when the first line named the columns
   * @param blank empty lines, which are no keys
   * @param nullRows rows without a key, which no shard can own: {@code ,count}
   */
  public record Lines(long all, boolean counted, boolean header, long blank, long nullRows) {}

  private final Path path;
  private final Sink sink;
  private boolean counted;
  private boolean header;
  private long line;
  private long blank;
  private long nullRows;

  private KeyFile(Path path, Sink sink) {
    this.path = path;
    this.sink = sink;
  }

  /**
   * Reads all of it.
   *
   * @throws ShardwrightException SW603 for a file that cannot be read, has no key, or has a line of
   *     another form than the first ones
   */
  static Lines read(Path path, Sink sink) {
    try (InputStream in = PlainOrGzip.open(path)) {
      return new KeyFile(path, sink).read(in);
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, path + " cannot be read: " + FileErrors.reason(e), e);
    }
  }

  /** The first keys, for telling their type. */
  static List<String> sample(Path path) {
    List<String> keys = new ArrayList<>();
    try (InputStream in = PlainOrGzip.open(path)) {
      new KeyFile(path, (bytes, from, to, rows) -> keys.add(text(bytes, from, to)))
          .read(new ByteArrayInputStream(wholeLines(in.readNBytes(BLOCK_BYTES))));
    } catch (IOException e) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID, path + " cannot be read: " + FileErrors.reason(e), e);
    }
    return keys;
  }

  static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] wholeLines(byte[] bytes) {
    int end = bytes.length;
    if (bytes.length == BLOCK_BYTES) {
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
    }
    return end == 0 ? bytes : Arrays.copyOf(bytes, end);
  }

  private Lines read(InputStream in) throws IOException {
    byte[] first = in.readNBytes(BLOCK_BYTES);
    detect(first);
    byte[] block = new byte[BLOCK_BYTES];
    int held = 0;
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(first), in);
    while (true) {
      if (held == block.length) {
        if (block.length >= 2 * LINE_BYTES_MAX) {
          throw wrong("is longer than " + LINE_BYTES_MAX + " bytes");
        }
        block = Arrays.copyOf(block, block.length * 2);
      }
      int got = all.read(block, held, block.length - held);
      if (got < 0) {
        break;
      }
      held = lines(block, held + got);
    }
    if (held > 0) {
      line(block, 0, held);
    }
    return new Lines(line, counted, header, blank, nullRows);
  }

  /**
   * @return the bytes of a line that is not whole, moved to the front
   */
  private int lines(byte[] block, int end) {
    int start = 0;
    for (int i = 0; i < end; i++) {
      if (block[i] == '\n') {
        line(block, start, i);
        start = i + 1;
      }
    }
    System.arraycopy(block, start, block, 0, end - start);
    return end - start;
  }

  private void line(byte[] block, int from, int lineEnd) {
    line++;
    int to = lineEnd > from && block[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    if (line == 1 && header) {
      return;
    }
    if (from == to) {
      blank++;
      return;
    }
    int comma = counted ? lastComma(block, from, to) : to;
    if (!counted && block[from] != '"' && lastComma(block, from, to) >= 0) {
      throw wrong(COMMA);
    }
    if (comma < 0) {
      throw wrong("has no count, as the lines before it have");
    }
    long rows = counted ? number(block, comma + 1, to) : 1;
    if (rows < 0) {
      throw wrong("has no whole number of rows behind its last comma");
    }
    if (from == comma) {
      nullRows += rows;
    } else if (block[from] == '"') {
      quoted(block, from, comma, rows);
    } else {
      sink.key(block, from, comma, rows);
    }
  }

  private void quoted(byte[] block, int from, int to, long rows) {
    if (to - from < 2 || block[to - 1] != '"') {
      throw wrong("has a quote that is not closed");
    }
    byte[] plain =
        text(block, from + 1, to - 1).replace("\"\"", "\"").getBytes(StandardCharsets.UTF_8);
    sink.key(plain, 0, plain.length, rows);
  }

  private void detect(byte[] first) {
    List<String> sample =
        new String(first, StandardCharsets.UTF_8)
            .lines()
            .limit(SAMPLE_LINES)
            .map(text -> text.strip())
            .filter(text -> !text.isEmpty())
            .toList();
    if (sample.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          path + " has no key; give one key, or key,count, on each line");
    }
    List<String> rest = sample.size() > 1 ? sample.subList(1, sample.size()) : sample;
    counted = rest.stream().allMatch(KeyFile::hasCount);
    checkCommas(first);
    boolean numbers = rest.stream().allMatch(text -> text.matches("-?\\d+(,\\s*\\d+)?"));
    String top = sample.get(0);
    header = sample.size() > 1 && (counted ? !hasCount(top) : numbers && !top.matches("-?\\d+"));
  }

  /** Where some lines have no count the data are told first, not the line with the names. */
  private void checkCommas(byte[] first) {
    List<String> lines =
        new String(first, StandardCharsets.UTF_8).lines().limit(SAMPLE_LINES).toList();
    long withCount = lines.stream().filter(KeyFile::hasCount).count();
    boolean mostHave = withCount * 2 > lines.size();
    for (int i = Math.min(1, lines.size() - 1); i < lines.size() && !counted; i++) {
      String text = lines.get(i);
      boolean comma = !text.startsWith("\"") && text.indexOf(',') >= 0;
      if (mostHave ? !text.isBlank() && !hasCount(text) : comma) {
        line = i + 1L;
        throw wrong(mostHave ? "has no whole number of rows, which most lines have" : COMMA);
      }
    }
  }

  private static boolean hasCount(String text) {
    return text.strip().matches(".*,\\s*\\d+");
  }

  private static int lastComma(byte[] block, int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (block[i] == ',') {
        return i;
      }
    }
    return -1;
  }

  /** -1 when it is none. */
  private static long number(byte[] block, int start, int to) {
    int from = start;
    while (from < to && block[from] == ' ') {
      from++;
    }
    if (from == to || to - from > DIGITS_MAX) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = block[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private ShardwrightException wrong(String what) {
    return new ShardwrightException(
        ErrorCode.COMMAND_INVALID, path + ", line " + line + " " + what + "; correct the file");
  }
}
