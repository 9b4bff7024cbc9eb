package io.shardwright.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardwright.query.Settlement.Content;
import io.shardwright.query.Settlement.Difference;
import io.shardwright.query.Settlement.Part;
import io.shardwright.routing.ShardId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A settlement's number as it is kept: a line with the SHA-256 of all that follows, then JSON.
 * Format 1.
 */
final class SettlementManifest {
  private static final int FORMAT = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SettlementManifest() {}

  static byte[] write(Settlement made) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("format", FORMAT).put("id", made.id()).put("number", made.number());
    json.put("table", made.table()).put("column", made.column());
    json.put("from", made.from().toString()).put("cutOff", made.cutOff().toString());
    json.put("madeAt", made.madeAt().toString());
    made.columns().forEach(json.putArray("columns")::add);
    json.put("rows", made.rows());
    made.sums().forEach(json.putObject("sums")::put);
    json.put("sha256", made.sha256());
    made.mapVersion().ifPresent(version -> json.put("mapVersion", version));
    ObjectNode shards = json.putObject("shards");
    made.shards().forEach((shard, part) -> write(shards.putObject(shard.name()), part));
    made.difference()
        .ifPresent(
            difference ->
                json.putObject("difference")
                    .put("against", difference.against())
                    .put("added", difference.added())
                    .put("removed", difference.removed())
                    .put("changed", difference.changed())
                    .put("sha256", difference.sha256()));
    byte[] text = (json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    String print = Sha256.of(text) + "\n";
    byte[] all = new byte[print.length() + text.length];
    System.arraycopy(print.getBytes(StandardCharsets.US_ASCII), 0, all, 0, print.length());
    System.arraycopy(text, 0, all, print.length(), text.length);
    return all;
  }

  private static void write(ObjectNode json, Part part) {
    part.position().ifPresent(position -> json.put("position", position));
    json.put("passedAt", part.passedAt().toString());
    json.put("skewNanos", part.skew().toNanos());
    json.put("uncertaintyNanos", part.uncertainty().toNanos());
    part.content()
        .ifPresent(
            content -> {
              json.put("rows", content.rows()).put("sha256", content.sha256());
              content.sums().forEach(json.putObject("sums")::put);
            });
  }

  /** Empty when it is not what was written. */
  static Optional<Settlement> read(byte[] bytes) {
    String all = new String(bytes, StandardCharsets.UTF_8);
    int end = all.indexOf('\n');
    if (end < 0) {
      return Optional.empty();
    }
    byte[] text = all.substring(end + 1).getBytes(StandardCharsets.UTF_8);
    if (!Sha256.of(text).equals(all.substring(0, end))) {
      return Optional.empty();
    }
    try {
      JsonNode json = MAPPER.readTree(text);
      return json.path("format").asInt() == FORMAT ? Optional.of(read(json)) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Settlement read(JsonNode json) {
    List<String> columns = new ArrayList<>();
    json.path("columns").forEach(column -> columns.add(column.asText()));
    Map<ShardId, Part> shards = new TreeMap<>();
    for (Map.Entry<String, JsonNode> shard : json.path("shards").properties()) {
      shards.put(new ShardId(shard.getKey()), part(shard.getValue()));
    }
    JsonNode difference = json.path("difference");
    return new Settlement(
        json.path("id").asText(),
        json.path("number").asLong(),
        json.path("table").asText(),
        json.path("column").asText(),
        Instant.parse(json.path("from").asText()),
        Instant.parse(json.path("cutOff").asText()),
        Instant.parse(json.path("madeAt").asText()),
        columns,
        json.path("rows").asLong(),
        sums(json.path("sums")),
        json.path("sha256").asText(),
        json.has("mapVersion")
            ? OptionalLong.of(json.path("mapVersion").asLong())
            : OptionalLong.empty(),
        shards,
        difference.isMissingNode()
            ? Optional.empty()
            : Optional.of(
                new Difference(
                    difference.path("against").asLong(),
                    difference.path("added").asLong(),
                    difference.path("removed").asLong(),
                    difference.path("changed").asLong(),
                    difference.path("sha256").asText())));
  }

  private static Part part(JsonNode json) {
    return new Part(
        json.has("position") ? Optional.of(json.path("position").asText()) : Optional.empty(),
        Instant.parse(json.path("passedAt").asText()),
        Duration.ofNanos(json.path("skewNanos").asLong()),
        Duration.ofNanos(json.path("uncertaintyNanos").asLong()),
        json.has("rows")
            ? Optional.of(
                new Content(
                    json.path("rows").asLong(),
                    sums(json.path("sums")),
                    json.path("sha256").asText()))
            : Optional.empty());
  }

  private static Map<String, String> sums(JsonNode json) {
    Map<String, String> sums = new LinkedHashMap<>();
    json.properties().forEach(sum -> sums.put(sum.getKey(), sum.getValue().asText()));
    return sums;
  }
}
