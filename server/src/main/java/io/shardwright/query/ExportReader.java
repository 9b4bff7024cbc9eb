package io.shardwright.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.query.ExportRequest.Compression;
import io.shardwright.query.ExportRequest.Format;
import java.util.List;
import java.util.Optional;

/** A request for an export, from JSON. */
final class ExportReader extends RequestFields {
  private static final List<String> FIELDS =
      List.of("group", "table", "select", "time", "where", "format", "compression");

  private ExportReader(RequestProblems problems) {
    super(problems);
  }

  /**
   * @param problems hears of each mistake
   * @return empty when it is no JSON object
   */
  static Optional<ExportRequest> read(byte[] json, RequestProblems problems) {
    return object(json, problems).map(root -> new ExportReader(problems).request(root));
  }

  private ExportRequest request(JsonNode root) {
    allow("", root, FIELDS);
    Format format =
        word("/format", root.get("format"), Format.values(), Format::word).orElse(Format.CSV);
    Compression compression =
        word("/compression", root.get("compression"), Compression.values(), Compression::word)
            .orElse(format == Format.CSV ? Compression.GZIP : Compression.ZSTD);
    checkLibraries(format, compression);
    return new ExportRequest(
        text("/group", root.get("group"), NAME),
        required("/table", root.get("table"), NAME).orElse(""),
        select(root.get("select")),
        time(root.get("time")),
        where(root.get("where")),
        format,
        compression,
        root);
  }

  /** They are optional for those who embed the gateway. */
  private void checkLibraries(Format format, Compression compression) {
    if (format == Format.CSV && !RowFile.has("de.siegmar.fastcsv.writer.CsvWriter")) {
      problems.add(
          "/format", "is csv, and FastCSV is not on the class path", "add de.siegmar:fastcsv");
    }
    if (format == Format.PARQUET && !RowFile.has("blue.strategic.parquet.ParquetWriter")) {
      problems.add(
          "/format",
          "is parquet, and what writes it is not on the class path",
          "write csv, or add blue.strategic.parquet:parquet-floor");
    }
    if (compression == Compression.ZSTD && !RowFile.has("com.github.luben.zstd.ZstdOutputStream")) {
      problems.add(
          "/compression",
          "is zstd, and zstd-jni is not on the class path",
          "write gzip, or add com.github.luben:zstd-jni");
    }
  }
}
