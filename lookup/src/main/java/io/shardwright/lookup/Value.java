package io.shardwright.lookup;

import io.shardwright.routing.BucketId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Indexed values and the bucket of their entries. */
record Value(UniqueIndex index, BucketId bucket, List<Object> columns) {

  /** Empty when no stored row can have them. */
  static Optional<Value> of(UniqueIndex index, List<Object> columns) {
    return index.function().bucket(columns).map(bucket -> new Value(index, bucket, columns));
  }

  /** Binary values are equal by their bytes. */
  static boolean equal(List<Object> left, List<Object> right) {
    boolean equal = left.size() == right.size();
    for (int i = 0; equal && i < left.size(); i++) {
      equal = Objects.deepEquals(left.get(i), right.get(i));
    }
    return equal;
  }

  static int hash(List<Object> values) {
    return Arrays.deepHashCode(values.toArray());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value value
        && index.equals(value.index)
        && equal(columns, value.columns);
  }

  @Override
  public int hashCode() {
    return 31 * index.hashCode() + hash(columns);
  }

  /** As PostgreSQL shows a key: {@code (order_no)=(A-1)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("(").append(String.join(", ", index.columnNames()));
    String separator = ")=(";
    for (Object column : columns) {
      text.append(separator)
          .append(column instanceof byte[] bytes ? bytes.length + " bytes" : column);
      separator = ", ";
    }
    return text.append(')').toString();
  }
}
