package io.shardwright.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.query.QueryRequest.Condition;
import io.shardwright.query.QueryRequest.TimeRange;
import java.util.List;
import java.util.Optional;

/**
 * What shall be written to files, as docs/gateway.md describes it.
 *
 * @param group of the table; empty: whichever it is in
 * @param time null when it was wrong
 * @param written the request itself, which is kept
 */
record ExportRequest(
    Optional<String> group,
    String table,
    List<String> select,
    TimeRange time,
    List<Condition> where,
    Format format,
    Compression compression,
    JsonNode written) {
  ExportRequest {
    select = List.copyOf(select);
    where = List.copyOf(where);
  }

  enum Format {
    CSV("csv"),
    PARQUET("parquet");

    private final String word;

    Format(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  enum Compression {
    NONE("none", ""),
    GZIP("gzip", ".gz"),
    ZSTD("zstd", ".zst");

    private final String word;
    private final String ending;

    Compression(String word, String ending) {
      this.word = word;
      this.ending = ending;
    }

    String word() {
      return word;
    }
  }

  /** What its files' names end with. Parquet is compressed inside. */
  String ending() {
    return "." + format.word() + (format == Format.CSV ? compression.ending : "");
  }
}
