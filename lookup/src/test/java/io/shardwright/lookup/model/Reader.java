package io.shardwright.lookup.model;

/** A look-up of X, and what was true since it began. */
final class Reader {
  static final int BYTES = 6 + World.ROWS;

  static final byte NONE = -1;

  /** 0 not begun, 1 reads rows, 2 reads the candidates again, 3 has answered. */
  byte at;

  byte[] tokens = new byte[World.ROWS];
  int shardsLeft;
  String wrong;

  /** Rows, as bits, that had X at some moment since it began, and that had it all the time. */
  int had;

  int hadAlways;
  boolean noneHad;

  Reader copy() {
    Reader copy = new Reader();
    copy.at = at;
    copy.tokens = tokens.clone();
    copy.shardsLeft = shardsLeft;
    copy.wrong = wrong;
    copy.had = had;
    copy.hadAlways = hadAlways;
    copy.noneHad = noneHad;
    return copy;
  }

  void encode(byte[] to, int from) {
    int i = from;
    to[i++] = at;
    to[i++] = (byte) shardsLeft;
    to[i++] = (byte) (wrong == null ? 0 : 1);
    to[i++] = (byte) had;
    to[i++] = (byte) hadAlways;
    to[i++] = (byte) (noneHad ? 1 : 0);
    System.arraycopy(tokens, 0, to, i, World.ROWS);
  }

  void begin(byte[] rows) {
    had = withX(rows);
    hadAlways = had;
    noneHad = had == 0;
  }

  void committed(byte[] rows) {
    if (at == 1 || at == 2) {
      int now = withX(rows);
      had |= now;
      hadAlways &= now;
      noneHad |= now == 0;
    }
  }

  private static int withX(byte[] rows) {
    int bits = 0;
    for (int row = 0; row < World.ROWS; row++) {
      bits |= rows[row] == World.X ? 1 << row : 0;
    }
    return bits;
  }

  void answer(int row) {
    wrong = violation(row);
    at = 3;
    tokens = new byte[World.ROWS];
    shardsLeft = 0;
    had = 0;
    hadAlways = 0;
    noneHad = false;
  }

  private String violation(int result) {
    if (result == NONE) {
      return noneHad ? null : "the look-up answers none, and at each moment a row had X";
    }
    if ((had & 1 << result) == 0) {
      return "the look-up returns " + World.rowName(result) + ", which never had X";
    }
    return (hadAlways & ~(1 << result)) == 0
        ? null
        : "the look-up returns " + World.rowName(result) + ", and another row had X all the time";
  }
}
