package io.shardwright.advisor.logs;

import java.util.ArrayList;
import java.util.List;

/**
 * Puts RFC 4180 records together from lines; a value in quotes may hold line ends. Holds one record
 * of at most {@value #RECORD_CHARS_MAX} characters. Not thread-safe.
 */
final class CsvRecords {
  private static final int RECORD_CHARS_MAX = 8 << 20;

  private final char delimiter;
  private final StringBuilder value = new StringBuilder();
  private List<String> values = new ArrayList<>();
  private boolean quoted;
  private long firstLine;
  private int lines;

  CsvRecords(char delimiter) {
    this.delimiter = delimiter;
  }

  /** True while a quote is open. */
  boolean isOpen() {
    return quoted;
  }

  long firstLine() {
    return firstLine;
  }

  /** Of the last record, or of the open one. */
  int lines() {
    return lines;
  }

  /**
   * @return the record that ends with this line; null when it goes on
   */
  List<String> line(String line, long number) {
    if (quoted) {
      value.append('\n');
      lines++;
    } else {
      firstLine = number;
      lines = 1;
      values = new ArrayList<>();
    }
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted) {
        i = inQuotes(line, i);
      } else if (c == delimiter) {
        endOfValue();
      } else if (c == '"' && value.length() == 0) {
        quoted = true;
      } else {
        value.append(c);
      }
    }
    if (quoted && value.length() < RECORD_CHARS_MAX) {
      return null;
    }
    quoted = false;
    endOfValue();
    return values;
  }

  /**
   * @return the place of the last character that was taken
   */
  private int inQuotes(String line, int at) {
    int quote = line.indexOf('"', at);
    if (quote < 0) {
      value.append(line, at, line.length());
      return line.length();
    }
    value.append(line, at, quote);
    if (quote + 1 < line.length() && line.charAt(quote + 1) == '"') {
      value.append('"');
      return quote + 1;
    }
    quoted = false;
    return quote;
  }

  private void endOfValue() {
    values.add(value.toString());
    value.setLength(0);
  }

  /** Gives up the open record. */
  void reset() {
    quoted = false;
    value.setLength(0);
    values = new ArrayList<>();
  }
}
