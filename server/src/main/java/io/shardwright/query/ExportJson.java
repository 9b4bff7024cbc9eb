package io.shardwright.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardwright.query.ExportRecord.Column;
import io.shardwright.query.ExportRecord.MapVersions;
import io.shardwright.query.ExportRecord.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Exports as JSON: what is kept of them, what callers are told, and manifests. */
final class ExportJson {
  private static final int FORMAT = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private ExportJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What job.json holds. */
  static byte[] kept(ExportRecord export) {
    ObjectNode json = object();
    json.put("format", FORMAT).put("id", export.id()).put("state", export.state().word());
    json.put("caller", export.caller()).put("role", export.role());
    json.put("rights", Long.toHexString(export.rights())).put("run", export.run());
    json.set("request", export.written());
    json.set("columns", columns(export.columns()));
    json.put("created", export.created().toString());
    put(json, "started", export.started());
    put(json, "finished", export.finished());
    json.put("reason", export.reason()).put("read", export.read());
    ArrayNode files = json.putArray("files");
    for (Part file : export.files()) {
      files.add(file(file).put("end", file.end()));
    }
    json.set("begun", positions(export.begun()));
    json.set("ended", positions(export.ended()));
    json.set("mapVersion", mapVersions(export.mapVersions()));
    return bytes(json);
  }

  /**
   * @throws IOException when it is no such JSON
   */
  static ExportRecord ofKept(byte[] bytes) throws IOException {
    JsonNode json = MAPPER.readTree(bytes);
    if (json.path("format").asInt() != FORMAT) {
      throw new IOException(
          "job.json has format " + json.path("format") + ", and this release reads " + FORMAT);
    }
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : json.path("columns")) {
      columns.add(
          new Column(
              column.path("name").asText(),
              column.path("type").asText(),
              column.path("masked").asBoolean()));
    }
    List<Part> files = new ArrayList<>();
    for (JsonNode file : json.path("files")) {
      files.add(ofFile(file));
    }
    return new ExportRecord(
        json.path("id").asText(),
        ExportState.valueOf(json.path("state").asText().toUpperCase(Locale.ROOT)),
        json.path("caller").asText(),
        json.path("role").asText(),
        Long.parseUnsignedLong(json.path("rights").asText(), 16),
        json.path("run").asInt(),
        json.path("request"),
        columns,
        Instant.parse(json.path("created").asText()),
        instant(json.path("started")),
        instant(json.path("finished")),
        json.path("reason").asText(),
        files,
        json.path("read").asBoolean(),
        ofPositions(json.path("begun")),
        ofPositions(json.path("ended")),
        new MapVersions(
            json.path("mapVersion").path("first").asLong(),
            json.path("mapVersion").path("last").asLong()));
  }

  private static Part ofFile(JsonNode file) {
    Map<String, BigDecimal> sums = new LinkedHashMap<>();
    file.path("sums")
        .properties()
        .forEach(sum -> sums.put(sum.getKey(), new BigDecimal(sum.getValue().asText())));
    return new Part(
        file.path("name").asText(),
        file.path("rows").asLong(),
        file.path("bytes").asLong(),
        file.path("sha256").asText(),
        instant(file.path("first")),
        instant(file.path("last")),
        sums,
        file.path("end").isNull() ? null : file.path("end").asText());
  }

  /**
   * What its caller is told.
   *
   * @param rows that are written, in a file that is not whole, too
   * @param covered part of the range that is written, 0 to 1
   * @param expires when its files are deleted
   */
  static ObjectNode told(
      ExportRecord export, long rows, double covered, Optional<Instant> expires) {
    ObjectNode json = object();
    json.put("exportId", export.id()).put("state", export.state().word());
    json.put("run", export.run()).put("created", export.created().toString());
    put(json, "started", export.started());
    put(json, "finished", export.finished());
    put(json, "expires", expires);
    json.set(
        "progress",
        object().put("rows", rows).put("files", export.files().size()).put("covered", covered));
    json.put("reason", export.reason().isEmpty() ? null : export.reason());
    json.set("request", export.written());
    json.set("manifest", export.state() == ExportState.DONE ? manifest(export) : null);
    return json;
  }

  /** What the files of an export that is done are made of. */
  static ObjectNode manifest(ExportRecord export) {
    ObjectNode json = object();
    json.put("format", FORMAT).put("exportId", export.id()).put("run", export.run());
    json.set("request", export.written());
    json.put("cutOff", export.written().path("time").path("to").asText());
    json.put("consistency", QueryRequest.Consistency.SHARD_LATEST.word());
    put(json, "started", export.started());
    put(json, "finished", export.finished());
    json.set("mapVersion", mapVersions(export.mapVersions()));
    ArrayNode shards = json.putArray("shards");
    export
        .begun()
        .forEach(
            (shard, position) -> {
              ObjectNode entry = shards.addObject().put("shard", shard);
              entry.set("begun", position(position));
              entry.set("ended", position(export.ended().getOrDefault(shard, Map.of())));
            });
    json.set("columns", columns(export.columns()));
    json.put("rows", export.rows());
    json.set("sums", sums(export.sums()));
    ArrayNode files = json.putArray("files");
    export.files().forEach(file -> files.add(file(file)));
    return json;
  }

  private static ArrayNode columns(List<Column> columns) {
    ArrayNode json = MAPPER.createArrayNode();
    for (Column column : columns) {
      json.addObject()
          .put("name", column.name())
          .put("type", column.type())
          .put("masked", column.masked());
    }
    return json;
  }

  private static ObjectNode file(Part file) {
    ObjectNode json = object();
    json.put("name", file.name()).put("rows", file.rows()).put("bytes", file.bytes());
    json.put("sha256", file.sha256());
    put(json, "first", file.first());
    put(json, "last", file.last());
    json.set("sums", sums(file.sums()));
    return json;
  }

  /** As texts: no reader rounds them. */
  private static ObjectNode sums(Map<String, BigDecimal> sums) {
    ObjectNode json = object();
    sums.forEach((column, sum) -> json.put(column, sum.toPlainString()));
    return json;
  }

  private static ObjectNode mapVersions(MapVersions versions) {
    return object().put("first", versions.first()).put("last", versions.last());
  }

  private static ObjectNode positions(Map<String, Map<String, String>> shards) {
    ObjectNode json = object();
    shards.forEach((shard, position) -> json.set(shard, position(position)));
    return json;
  }

  private static ObjectNode position(Map<String, String> position) {
    ObjectNode json = object();
    position.forEach(json::put);
    return json;
  }

  private static Map<String, Map<String, String>> ofPositions(JsonNode json) {
    Map<String, Map<String, String>> shards = new TreeMap<>();
    for (Map.Entry<String, JsonNode> shard : json.properties()) {
      Map<String, String> position = new TreeMap<>();
      shard.getValue().properties().forEach(e -> position.put(e.getKey(), e.getValue().asText()));
      shards.put(shard.getKey(), position);
    }
    return shards;
  }

  private static void put(ObjectNode json, String field, Optional<Instant> moment) {
    json.put(field, moment.map(Instant::toString).orElse(null));
  }

  private static Optional<Instant> instant(JsonNode node) {
    return node.isTextual() ? Optional.of(Instant.parse(node.asText())) : Optional.empty();
  }
}
