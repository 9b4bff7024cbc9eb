package io.shardwright.lookup.model;

import java.util.List;

/**
 * One step of a writer's script in the model.
 *
 * @param rows the rows that it changes
 * @param value that the row gets; 0 for none
 */
record Op(Kind kind, List<Integer> rows, int value) {
  enum Kind {
    INSERT,
    UPDATE,
    DELETE,
    SWAP,
    SAVEPOINT,
    ROLLBACK_TO_SAVEPOINT,
    COMMIT,
    ROLLBACK
  }

  static Op insert(int row, int value) {
    return new Op(Kind.INSERT, List.of(row), value);
  }

  static Op update(int row, int value) {
    return new Op(Kind.UPDATE, List.of(row), value);
  }

  static Op delete(int row) {
    return new Op(Kind.DELETE, List.of(row), 0);
  }

  /** One statement that exchanges the values of two rows. */
  static Op swap(int one, int other) {
    return new Op(Kind.SWAP, List.of(one, other), 0);
  }

  static final Op SAVEPOINT = new Op(Kind.SAVEPOINT, List.of(), 0);
  static final Op ROLLBACK_TO_SAVEPOINT = new Op(Kind.ROLLBACK_TO_SAVEPOINT, List.of(), 0);
  static final Op COMMIT = new Op(Kind.COMMIT, List.of(), 0);
  static final Op ROLLBACK = new Op(Kind.ROLLBACK, List.of(), 0);

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(kind.name().replace('_', ' '));
    rows.forEach(row -> text.append(' ').append(World.rowName(row)));
    if (kind == Kind.INSERT || kind == Kind.UPDATE) {
      text.append('=').append(World.valueName(value));
    }
    return text.toString();
  }
}
