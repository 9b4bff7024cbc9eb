package io.shardwright.advisor.logs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Lines of a stream as UTF-8; bytes that are none become U+FFFD. A line beyond {@value
 * #LINE_BYTES_MAX} bytes is cut there. Memory: two such lines at most, usually 128 KiB.
 */
final class LineReader implements Closeable {
  static final int LINE_BYTES_MAX = 8 << 20;
  private static final int BLOCK_BYTES = 1 << 16;

  private final InputStream in;
  private final Deque<String> peeked = new ArrayDeque<>();
  private byte[] block = new byte[BLOCK_BYTES];
  private int from;
  private int to;
  private boolean end;
  private long cutLines;

  LineReader(InputStream in) {
    this.in = in;
  }

  /** Reads ahead at most so many lines and characters. */
  List<String> peek(int lines, int chars) throws IOException {
    List<String> ahead = new ArrayList<>();
    int length = 0;
    while (ahead.size() < lines && length < chars) {
      String line = read();
      if (line == null) {
        break;
      }
      ahead.add(line);
      length += line.length();
    }
    peeked.addAll(ahead);
    return ahead;
  }

  /** The next line without its end; null behind the last. */
  String next() throws IOException {
    String line = peeked.poll();
    return line != null ? line : read();
  }

  long cutLines() {
    return cutLines;
  }

  private String read() throws IOException {
    int scanned = from;
    while (true) {
      for (int i = scanned; i < to; i++) {
        if (block[i] == '\n') {
          String line = text(from, i);
          from = i + 1;
          return line;
        }
      }
      if (end) {
        String rest = from < to ? text(from, to) : null;
        from = to;
        return rest;
      }
      if (to - from >= LINE_BYTES_MAX) {
        cutLines++;
        String line = text(from, to);
        skipLine();
        return line;
      }
      scanned = fill();
    }
  }

  private int fill() throws IOException {
    int held = to - from;
    if (held > block.length / 2) {
      block = Arrays.copyOfRange(block, from, from + block.length * 2);
    } else {
      System.arraycopy(block, from, block, 0, held);
    }
    from = 0;
    to = held;
    int got = in.read(block, to, block.length - to);
    end = got < 0;
    to += Math.max(0, got);
    return held;
  }

  private void skipLine() throws IOException {
    from = to;
    while (true) {
      for (int i = from; i < to; i++) {
        if (block[i] == '\n') {
          from = i + 1;
          return;
        }
      }
      from = 0;
      to = Math.max(0, in.read(block, 0, block.length));
      if (to == 0) {
        end = true;
        return;
      }
    }
  }

  private String text(int start, int lineEnd) {
    int last = lineEnd > start && block[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    return new String(block, start, last - start, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
