package io.shardwright.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows in aligned columns. The widths are those of the first {@value #MEASURED_ROWS} rows, which
 * are held back until then; later rows are printed as they come, so a result of any size needs the
 * memory of these rows only. A later, wider cell pushes its own row out of line.
 */
final class TextTable {
  private static final int MEASURED_ROWS = 500;

  /** Beyond this a wide column would only push the others off the screen. */
  private static final int WIDTH_MAX = 60;

  private final Console console;
  private final List<String> names;
  private final List<Boolean> right;
  private final List<List<String>> held = new ArrayList<>();
  private int[] widths;

  /**
   * @param right which columns are aligned to the right
   */
  TextTable(Console console, List<String> names, List<Boolean> right) {
    this.console = console;
    this.names = names.stream().map(name -> Printable.cell(name, console.charset())).toList();
    this.right = List.copyOf(right);
  }

  /** All at once, everything aligned to the left but columns that hold digits only. */
  static void print(Console console, List<String> names, List<List<String>> rows) {
    List<Boolean> right = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      int column = i;
      right.add(
          !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column).matches("[-0-9.,]+")));
    }
    TextTable table = new TextTable(console, names, right);
    rows.forEach(table::row);
    table.end();
  }

  void row(List<String> cells) {
    if (widths != null) {
      printRow(cells);
      return;
    }
    held.add(cells);
    if (held.size() == MEASURED_ROWS) {
      start();
    }
  }

  /** After the last row. */
  void end() {
    if (widths == null) {
      start();
    }
  }

  private void start() {
    widths = new int[names.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Printable.width(names.get(i));
      for (List<String> row : held) {
        widths[i] = Math.max(widths[i], Math.min(WIDTH_MAX, Printable.width(row.get(i))));
      }
    }
    printRow(names);
    StringBuilder rule = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      rule.append(i == 0 ? "" : "-+-").append("-".repeat(widths[i]));
    }
    console.println(rule.toString());
    held.forEach(this::printRow);
    held.clear();
  }

  private void printRow(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(Math.max(0, widths[i] - Printable.width(cell)));
      boolean last = i == widths.length - 1;
      line.append(i == 0 ? "" : " | ");
      if (right.get(i)) {
        line.append(padding).append(cell);
      } else {
        line.append(cell).append(last ? "" : padding);
      }
    }
    console.println(line.toString());
  }
}
