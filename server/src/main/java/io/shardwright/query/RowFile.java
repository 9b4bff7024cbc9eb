package io.shardwright.query;

import io.shardwright.query.ExportRequest.Format;
import io.shardwright.query.PagePlan.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file of rows that is being written. For one thread. */
interface RowFile extends AutoCloseable {
  /** Replaces what an earlier attempt left. */
  static RowFile create(Path path, ExportRequest request, List<Shown> columns) throws IOException {
    return request.format() == Format.CSV
        ? new CsvFile(path, request.compression(), columns)
        : new ParquetFile(path, request.compression(), columns);
  }

  static boolean has(String library) {
    try {
      Class.forName(library, false, RowFile.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * @param values of the columns as {@link ColumnType#read} has them
   * @throws UnwritableValueException when the format has none like it
   */
  void write(Object[] values) throws IOException;

  /** On return it is whole and on the disk. To close it without this leaves a piece. */
  Finished finish() throws IOException;

  @Override
  void close() throws IOException;

  /**
   * @param sha256 hexadecimal
   */
  record Finished(long bytes, String sha256) {}

  /** A value that cannot be written. */
  final class UnwritableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnwritableValueException(String column, String what) {
      super(
          "column "
              + column
              + " holds "
              + what
              + ", which the format has no value for; leave the column out, or write csv");
    }
  }
}
