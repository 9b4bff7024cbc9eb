package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.sql.Merge.Output;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** One output column of one group, made from the partial values of the shards. */
interface Accumulator {
  void add(ResultSet row) throws SQLException;

  Cell result() throws SQLException;

  static Accumulator of(Output output, ResultSetMetaData columns, PhysicalDatabase database)
      throws SQLException {
    if (output instanceof Output.Group group) {
      return new First(group.column(), database.reader(columns, group.column()));
    }
    if (output instanceof Output.Count count) {
      return new Count(count.column());
    }
    if (output instanceof Output.Sum sum) {
      return new Sum(sum.column(), columns, database);
    }
    if (output instanceof Output.Min min) {
      return new Extreme(min.column(), database.reader(columns, min.column()), -1);
    }
    if (output instanceof Output.Max max) {
      return new Extreme(max.column(), database.reader(columns, max.column()), 1);
    }
    return new Average((Output.Average) output, columns, database);
  }

  /** The value of a grouping column: that of the first row. */
  final class First implements Accumulator {
    private final int column;
    private final ValueReader reader;
    private Cell first;

    First(int column, ValueReader reader) {
      this.column = column;
      this.reader = reader;
    }

    @Override
    public void add(ResultSet row) throws SQLException {
      if (first == null) {
        first = Cell.read(row, column, reader);
      }
    }

    @Override
    public Cell result() {
      return first == null ? Cell.NULL : first;
    }
  }

  /** 0 without rows. */
  final class Count implements Accumulator {
    private final int column;
    private long sum;

    Count(int column) {
      this.column = column;
    }

    @Override
    public void add(ResultSet row) throws SQLException {
      sum += row.getLong(column);
    }

    @Override
    public Cell result() {
      return Cell.of(sum);
    }
  }

  /** NULL when every part is; int8 overflows as it does in the database. */
  final class Sum implements Accumulator {
    private final int column;
    private final ValueReader reader;
    private final PhysicalDatabase database;
    private Number sum;

    Sum(int column, ResultSetMetaData columns, PhysicalDatabase database) throws SQLException {
      this.column = column;
      this.database = database;
      this.reader = database.reader(columns, column);
      switch (reader) {
        case INT64, NUMERIC, FLOAT4, FLOAT8 -> {}
        case BOOLEAN,
            DATE,
            TIME,
            TIME_WITH_ZONE,
            TIMESTAMP,
            TIMESTAMP_WITH_ZONE,
            UUID_VALUE,
            BYTES,
            TEXT,
            UNSIGNED,
            FLOAT_TEXT,
            TEMPORAL_TEXT,
            DURATION_TEXT ->
            throw SqlErrors.of(
                ErrorCode.MERGE_UNSUPPORTED,
                "SUM over several shards of a column that is not a number; add the route key");
      }
    }

    @Override
    public void add(ResultSet row) throws SQLException {
      Number part = (Number) reader.read(row, column);
      if (part != null) {
        sum = sum == null ? part : plus(sum, part);
      }
    }

    private Number plus(Number a, Number b) throws SQLException {
      if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
        return x.add(y);
      }
      if (reader != ValueReader.INT64) {
        // A numeric meets NaN or an infinity here, which absorbs every finite value.
        double total = a.doubleValue() + b.doubleValue();
        return reader == ValueReader.FLOAT4 ? (double) (float) total : total;
      }
      try {
        return Math.addExact(a.longValue(), b.longValue());
      } catch (ArithmeticException e) {
        throw new java.sql.SQLDataException("bigint out of range", "22003", e);
      }
    }

    Number sum() {
      return sum;
    }

    ValueReader reader() {
      return reader;
    }

    @Override
    public Cell result() {
      return Cell.ofNumber(sum, reader, database);
    }
  }

  /** MIN or MAX. */
  final class Extreme implements Accumulator {
    private final int column;
    private final ValueReader reader;
    private final int direction;
    private Cell best = Cell.NULL;

    Extreme(int column, ValueReader reader, int direction) {
      this.column = column;
      this.reader = reader;
      this.direction = direction;
    }

    @Override
    public void add(ResultSet row) throws SQLException {
      Object value = reader.read(row, column);
      if (value != null
          && (best.value() == null
              || ValueReader.ORDER.compare(value, best.value()) * direction > 0)) {
        best = Cell.read(row, column, reader);
      }
    }

    @Override
    public Cell result() {
      return best;
    }
  }

  /** From sums and counts; for float4 from the shards' own averages, whose sums are too coarse. */
  final class Average implements Accumulator {
    private final ValueReader reader;
    private final PhysicalDatabase database;
    private final int column;
    private final int scale;
    private final boolean coarseSums;
    private final Sum sum;
    private final Count count;
    private double weighted;

    Average(Output.Average output, ResultSetMetaData columns, PhysicalDatabase database)
        throws SQLException {
      this.database = database;
      this.reader = database.reader(columns, output.column());
      this.column = output.column();
      this.scale = columns.getScale(column);
      this.sum = new Sum(output.sumColumn(), columns, database);
      this.coarseSums = sum.reader() == ValueReader.FLOAT4;
      this.count = new Count(output.countColumn());
    }

    @Override
    public void add(ResultSet row) throws SQLException {
      long before = count.sum;
      sum.add(row);
      count.add(row);
      if (coarseSums && count.sum > before) {
        weighted += row.getDouble(column) * (count.sum - before);
      }
    }

    @Override
    public Cell result() {
      if (count.sum == 0 || sum.sum() == null) {
        return Cell.NULL;
      }
      if (reader == ValueReader.NUMERIC && !ValueReader.isSpecial(sum.sum())) {
        return Cell.ofNumber(
            database.average(ValueReader.decimal(sum.sum()), count.sum, scale), reader, database);
      }
      double total = coarseSums ? weighted : sum.sum().doubleValue();
      return Cell.ofNumber(total / count.sum, reader, database);
    }
  }
}
