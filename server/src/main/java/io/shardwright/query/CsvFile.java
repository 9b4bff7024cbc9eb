package io.shardwright.query;

import com.github.luben.zstd.ZstdOutputStream;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.QuoteStrategy;
import io.shardwright.query.ExportRequest.Compression;
import io.shardwright.query.PagePlan.Shown;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * RFC 4180 in UTF-8 with a line of names. Values are as answers of queries show them; NULL is
 * nothing, and the empty text is {@code ""}. Where {@code \.} would be a line, it is quoted:
 * PostgreSQL before 18 takes that line for the end of the file.
 */
final class CsvFile implements RowFile {
  private final List<Shown> columns;
  private final CountedFile file;
  private final CsvWriter csv;
  private final String[] line;

  CsvFile(Path path, Compression compression, List<Shown> columns) throws IOException {
    this.columns = columns;
    this.line = new String[columns.size()];
    this.file = new CountedFile(path);
    OutputStream bytes = compressed(new Kept(file), compression);
    this.csv =
        CsvWriter.builder()
            .quoteStrategy(new Quotes(columns.size() == 1))
            .build(new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
    csv.writeRecord(columns.stream().map(Shown::name).toArray(String[]::new));
  }

  /** Beyond those that the form demands. */
  private record Quotes(boolean oneColumn) implements QuoteStrategy {
    @Override
    public boolean quoteEmpty(int line, int field) {
      return true;
    }

    @Override
    public boolean quoteNonEmpty(int line, int field, String value) {
      return oneColumn && value.equals("\\.");
    }
  }

  /** The end of compression is not that of the file, which has to be forced to the disk before. */
  private static final class Kept extends FilterOutputStream {
    Kept(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] content, int from, int length) throws IOException {
      out.write(content, from, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  private static OutputStream compressed(OutputStream bytes, Compression compression)
      throws IOException {
    return switch (compression) {
      case NONE -> bytes;
      case GZIP -> new GZIPOutputStream(bytes, 8 << 10);
      case ZSTD -> Zstd.compressed(bytes);
    };
  }

  /** Loaded only when it is asked for: the library is optional. */
  private static final class Zstd {
    static OutputStream compressed(OutputStream bytes) throws IOException {
      return new ZstdOutputStream(bytes);
    }
  }

  @Override
  public void write(Object[] values) {
    for (int i = 0; i < line.length; i++) {
      Object shown = columns.get(i).show(values[i]);
      line[i] = shown == null ? null : shown.toString();
    }
    csv.writeRecord(line);
  }

  @Override
  public Finished finish() throws IOException {
    csv.close();
    return file.finish();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
