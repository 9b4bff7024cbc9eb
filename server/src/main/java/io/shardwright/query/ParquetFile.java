package io.shardwright.query;

import com.github.luben.zstd.ZstdOutputStream;
import io.shardwright.query.ExportRequest.Compression;
import io.shardwright.query.PagePlan.Shown;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * Parquet: whole numbers, doubles, booleans, dates, moments in microseconds UTC and bytes have its
 * types; everything else is the text that answers of queries show. Every column may be NULL.
 */
final class ParquetFile implements RowFile {
  /** In memory until it is written. */
  private static final long ROW_GROUP_BYTES = 8 << 20;

  private static final int PAGE_BYTES = 256 << 10;

  private final CountedFile file;
  private final ParquetWriter<Object[]> writer;

  ParquetFile(Path path, Compression compression, List<Shown> columns) throws IOException {
    this.file = new CountedFile(path);
    this.writer =
        new Builder(file, columns)
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new Codecs())
            .withCompressionCodec(codec(compression))
            .withRowGroupSize(ROW_GROUP_BYTES)
            .withPageSize(PAGE_BYTES)
            .build();
  }

  private static CompressionCodecName codec(Compression compression) {
    return switch (compression) {
      case NONE -> CompressionCodecName.UNCOMPRESSED;
      case GZIP -> CompressionCodecName.GZIP;
      case ZSTD -> CompressionCodecName.ZSTD;
    };
  }

  @Override
  public void write(Object[] values) throws IOException {
    writer.write(values);
  }

  @Override
  public Finished finish() throws IOException {
    writer.close();
    return file.finish();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static final class Builder extends ParquetWriter.Builder<Object[], Builder> {
    private final List<Shown> columns;

    Builder(CountedFile file, List<Shown> columns) {
      super(new Out(file));
      this.columns = columns;
    }

    @Override
    protected Builder self() {
      return this;
    }

    // Abstract still, although deprecated.
    @SuppressWarnings("deprecation")
    @Override
    protected WriteSupport<Object[]> getWriteSupport(Configuration unused) {
      return new Rows(columns);
    }

    @Override
    protected WriteSupport<Object[]> getWriteSupport(ParquetConfiguration unused) {
      return new Rows(columns);
    }
  }

  /** How rows are told to the library. */
  private static final class Rows extends WriteSupport<Object[]> {
    private final List<Shown> columns;
    private RecordConsumer out;

    Rows(List<Shown> columns) {
      this.columns = columns;
    }

    private WriteContext context() {
      return new WriteContext(
          new MessageType("row", columns.stream().map(ParquetFile::type).toList()), Map.of());
    }

    // Abstract still, although deprecated.
    @SuppressWarnings("deprecation")
    @Override
    public WriteContext init(Configuration unused) {
      return context();
    }

    @Override
    public WriteContext init(ParquetConfiguration unused) {
      return context();
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      out = consumer;
    }

    @Override
    public void write(Object[] values) {
      out.startMessage();
      for (int i = 0; i < columns.size(); i++) {
        if (values[i] != null) {
          Shown column = columns.get(i);
          out.startField(column.name(), i);
          add(column, values[i]);
          out.endField(column.name(), i);
        }
      }
      out.endMessage();
    }

    private void add(Shown column, Object value) {
      if (column.masked()) {
        out.addBinary(Binary.fromString(column.show(value).toString()));
        return;
      }
      switch (column.type()) {
        case INTEGER -> out.addLong((Long) value);
        case FLOAT -> out.addDouble((Double) value);
        case BOOLEAN -> out.addBoolean((Boolean) value);
        case DATE -> out.addInteger(day(column, (LocalDate) value));
        case INSTANT -> out.addLong(micros(column, utc((OffsetDateTime) value)));
        case UTC_TIME -> out.addLong(micros(column, (LocalDateTime) value));
        case BYTES -> out.addBinary(Binary.fromConstantByteArray((byte[]) value));
        case DECIMAL, TEXT, UNIQUE_ID, OTHER ->
            out.addBinary(Binary.fromString(column.show(value).toString()));
      }
    }

    private static int day(Shown column, LocalDate date) {
      long day = date.toEpochDay();
      if (day != (int) day) {
        throw new UnwritableValueException(column.name(), "an infinite date");
      }
      return (int) day;
    }

    /**
     * @param moment MAX and MIN are PostgreSQL's infinities
     */
    private static long micros(Shown column, LocalDateTime moment) {
      try {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment.toInstant(ZoneOffset.UTC));
      } catch (ArithmeticException e) {
        throw new UnwritableValueException(column.name(), "an infinite moment");
      }
    }

    private static LocalDateTime utc(OffsetDateTime moment) {
      return moment.equals(OffsetDateTime.MAX) || moment.equals(OffsetDateTime.MIN)
          ? moment.toLocalDateTime()
          : moment.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }
  }

  private static Type type(Shown column) {
    String name = column.name();
    if (column.masked()) {
      return text(name);
    }
    return switch (column.type()) {
      case INTEGER -> Types.optional(PrimitiveTypeName.INT64).named(name);
      case FLOAT -> Types.optional(PrimitiveTypeName.DOUBLE).named(name);
      case BOOLEAN -> Types.optional(PrimitiveTypeName.BOOLEAN).named(name);
      case DATE ->
          Types.optional(PrimitiveTypeName.INT32).as(LogicalTypeAnnotation.dateType()).named(name);
      case INSTANT, UTC_TIME ->
          Types.optional(PrimitiveTypeName.INT64)
              .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS))
              .named(name);
      case BYTES -> Types.optional(PrimitiveTypeName.BINARY).named(name);
      case DECIMAL, TEXT, UNIQUE_ID, OTHER -> text(name);
    };
  }

  private static Type text(String name) {
    return Types.optional(PrimitiveTypeName.BINARY)
        .as(LogicalTypeAnnotation.stringType())
        .named(name);
  }

  private record Out(CountedFile file) implements OutputFile {
    @Override
    public PositionOutputStream create(long blockSizeHint) {
      return new PositionOutputStream() {
        @Override
        public long getPos() {
          return file.position();
        }

        @Override
        public void write(int value) throws IOException {
          file.write(value);
        }

        @Override
        public void write(byte[] content, int from, int length) throws IOException {
          file.write(content, from, length);
        }
      };
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
      return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return 0;
    }
  }

  /** The library's own find their classes by Hadoop's configuration, which is not there. */
  private static final class Codecs implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
      return new BytesInputCompressor() {
        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
          return codec == CompressionCodecName.UNCOMPRESSED ? bytes : compressed(bytes, codec);
        }

        @Override
        public CompressionCodecName getCodecName() {
          return codec;
        }

        @Override
        public void release() {}
      };
    }

    private static BytesInput compressed(BytesInput bytes, CompressionCodecName codec)
        throws IOException {
      ByteArrayOutputStream buffer = new ByteArrayOutputStream();
      try (OutputStream out =
          codec == CompressionCodecName.GZIP
              ? new GZIPOutputStream(buffer)
              : new ZstdOutputStream(buffer)) {
        bytes.writeAllTo(out);
      }
      return BytesInput.from(buffer.toByteArray());
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
      throw new UnsupportedOperationException("files are written only");
    }

    @Override
    public void release() {}
  }
}
