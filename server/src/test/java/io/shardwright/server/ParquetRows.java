package io.shardwright.server;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** A file as rows of texts, by the library's own reader. */
final class ParquetRows {
  private ParquetRows() {}

  static List<String> read(Path path) throws IOException {
    List<String> rows = new ArrayList<>();
    read(path, rows::add);
    return rows;
  }

  /** One after the other. */
  static void read(Path path, Consumer<String> rows) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new Codecs())
            .build();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(path), options)) {
      MessageType schema = reader.getFileMetaData().getSchema();
      for (PageReadStore group = reader.readNextRowGroup();
          group != null;
          group = reader.readNextRowGroup()) {
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(schema)
                .getRecordReader(group, new GroupRecordConverter(schema));
        for (long i = 0; i < group.getRowCount(); i++) {
          rows.accept(row(schema, records.read()));
        }
      }
    }
  }

  private static String row(MessageType schema, Group row) {
    List<String> values = new ArrayList<>();
    for (Type column : schema.getFields()) {
      if (row.getFieldRepetitionCount(column.getName()) == 0) {
        values.add("null");
      } else if (column.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation) {
        values.add(
            Instant.EPOCH.plus(row.getLong(column.getName(), 0), ChronoUnit.MICROS).toString());
      } else {
        values.add(row.getValueToString(schema.getFieldIndex(column.getName()), 0));
      }
    }
    return String.join("|", values);
  }

  private static final class Codecs implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
      throw new UnsupportedOperationException();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
      return new BytesInputDecompressor() {
        @Override
        public BytesInput decompress(BytesInput bytes, int size) throws IOException {
          byte[] packed = bytes.toInputStream().readAllBytes();
          try (InputStream in =
              switch (codec) {
                case GZIP -> new GZIPInputStream(new ByteArrayInputStream(packed));
                case ZSTD -> new ZstdInputStream(new ByteArrayInputStream(packed));
                case UNCOMPRESSED -> new ByteArrayInputStream(packed);
                default -> throw new IOException("codec " + codec);
              }) {
            return BytesInput.from(in.readAllBytes());
          }
        }

        @Override
        public void decompress(ByteBuffer from, int fromSize, ByteBuffer to, int toSize)
            throws IOException {
          byte[] packed = new byte[fromSize];
          from.get(packed);
          to.put(decompress(BytesInput.from(packed), toSize).toInputStream().readAllBytes());
        }

        @Override
        public void release() {}
      };
    }

    @Override
    public void release() {}
  }
}
