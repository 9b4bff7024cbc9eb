package io.shardwright.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.shardwright.errors.ErrorCode;
import io.shardwright.query.AggregateAnswer;
import io.shardwright.query.AggregateAnswer.Estimate;
import io.shardwright.query.AggregateAnswer.Group;
import io.shardwright.query.AggregateAnswer.Percentile;
import io.shardwright.query.AggregateAnswer.Percentiles;
import io.shardwright.query.Count;
import io.shardwright.query.QueryAnswer;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.RequestProblem;
import io.shardwright.routing.ShardId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is answered, as JSON in UTF-8. */
final class Bodies {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Bodies() {}

  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  private static byte[] object(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      json.writeStartObject();
      content.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * @param resting shards that are not asked for a while, and why
   */
  static byte[] readiness(boolean open, Map<ShardId, String> resting) {
    return object(
        json -> {
          json.writeBooleanField("ready", open);
          json.writeObjectFieldStart("resting");
          for (Map.Entry<ShardId, String> shard : resting.entrySet()) {
            json.writeStringField(shard.getKey().name(), shard.getValue());
          }
          json.writeEndObject();
        });
  }

  static byte[] answer(QueryAnswer answer) {
    return object(
        json -> {
          json.writeStringField("queryId", answer.queryId());
          json.writeArrayFieldStart("rows");
          for (List<Object> row : answer.rows()) {
            json.writeStartObject();
            for (int i = 0; i < row.size(); i++) {
              json.writeFieldName(answer.columns().get(i));
              write(json, row.get(i));
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          write(json, "nextCursor", answer.nextCursor().orElse(null));
          json.writeBooleanField("truncated", answer.truncated());
          json.writeBooleanField("complete", answer.isComplete());
          json.writeBooleanField("precedingComplete", answer.precedingComplete());
          if (answer.count().isPresent()) {
            json.writeObjectFieldStart("count");
            json.writeNumberField("value", answer.count().get().value());
            json.writeBooleanField("exact", answer.count().get().isExact());
            if (answer.count().get().count().kind() == Count.Kind.ESTIMATE) {
              json.writeBooleanField("estimate", true);
            }
            json.writeEndObject();
          }
          if (answer.advice().isPresent()) {
            json.writeStringField("advice", answer.advice().get());
          }
          if (answer.settlement().isPresent()) {
            json.writeFieldName("settlement");
            SettlementBodies.write(json, answer.settlement().get());
          }
          end(json, answer.coverage(), answer.consistency(), answer.time(), answer.elapsed());
        });
  }

  static byte[] answer(AggregateAnswer answer) {
    return object(
        json -> {
          json.writeStringField("queryId", answer.queryId());
          json.writeArrayFieldStart("groups");
          for (Group group : answer.groups()) {
            write(json, group);
          }
          json.writeEndArray();
          json.writeBooleanField("complete", answer.isComplete());
          if (answer.advice().isPresent()) {
            json.writeStringField("advice", answer.advice().get());
          }
          end(json, answer.coverage(), answer.consistency(), answer.time(), answer.elapsed());
        });
  }

  private static void write(JsonGenerator json, Group group) throws IOException {
    json.writeStartObject();
    if (group.start().isPresent()) {
      write(json, "start", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(group.start().get()));
    }
    json.writeObjectFieldStart("dimensions");
    for (Map.Entry<String, Object> dimension : group.dimensions().entrySet()) {
      write(json, dimension.getKey(), dimension.getValue());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("values");
    for (Map.Entry<String, Object> value : group.values().entrySet()) {
      json.writeFieldName(value.getKey());
      if (value.getValue() instanceof Estimate estimate) {
        write(json, estimate);
      } else if (value.getValue() instanceof Percentiles percentiles) {
        write(json, percentiles);
      } else {
        write(json, value.getValue());
      }
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Estimate estimate) throws IOException {
    json.writeStartObject();
    json.writeNumberField("estimate", estimate.estimate());
    json.writeNumberField("lower", estimate.lower());
    json.writeNumberField("upper", estimate.upper());
    json.writeNumberField("confidence", estimate.confidence());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Percentiles percentiles) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("percentiles");
    for (Percentile percentile : percentiles.values()) {
      json.writeStartObject();
      json.writeNumberField("at", percentile.at());
      json.writeNumberField("value", percentile.value());
      json.writeNumberField("lower", percentile.lower());
      json.writeNumberField("upper", percentile.upper());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("rankError", percentiles.rankError());
    json.writeNumberField("confidence", percentiles.confidence());
    json.writeEndObject();
  }

  /** What each answer says of itself. */
  private static void end(
      JsonGenerator json,
      Coverage coverage,
      Consistency consistency,
      QueryAnswer.Time time,
      Duration elapsed)
      throws IOException {
    json.writeFieldName("completeness");
    write(json, coverage);
    json.writeStringField("consistency", consistency.word());
    json.writeObjectFieldStart("time");
    json.writeStringField("column", time.column());
    json.writeStringField("purpose", time.purpose().word());
    json.writeEndObject();
    // Of copies that follow; rows of the shards themselves have none.
    json.writeNullField("watermark");
    write(json, "elapsedMs", millis(elapsed));
  }

  private static void write(JsonGenerator json, Coverage coverage) throws IOException {
    json.writeStartObject();
    names(json, "expected", coverage.expected());
    names(json, "answered", coverage.answered());
    json.writeArrayFieldStart("missing");
    for (Map.Entry<ShardId, String> missing : coverage.missing().entrySet()) {
      json.writeStartObject();
      json.writeStringField("shard", missing.getKey().name());
      json.writeStringField("reason", missing.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("retries", coverage.retries());
    json.writeFieldName("mapVersion");
    if (coverage.mapVersion().isPresent()) {
      json.writeNumber(coverage.mapVersion().getAsLong());
    } else {
      json.writeNull();
    }
    json.writeObjectFieldStart("elapsedMs");
    for (Map.Entry<ShardId, Duration> elapsed : coverage.elapsed().entrySet()) {
      write(json, elapsed.getKey().name(), millis(elapsed.getValue()));
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void names(JsonGenerator json, String field, List<ShardId> shards)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (ShardId shard : shards) {
      json.writeString(shard.name());
    }
    json.writeEndArray();
  }

  static byte[] error(Failures failure) {
    ErrorCode code = failure.code();
    return object(
        json -> {
          json.writeObjectFieldStart("error");
          json.writeStringField("code", code.code());
          json.writeStringField("category", code.category().name().toLowerCase(Locale.ROOT));
          json.writeBooleanField("retryable", code.retryable());
          json.writeStringField("message", failure.message());
          json.writeArrayFieldStart("problems");
          for (RequestProblem problem : failure.problems()) {
            json.writeStartObject();
            json.writeStringField("at", problem.at());
            json.writeStringField("problem", problem.problem());
            json.writeStringField("instead", problem.instead());
            json.writeEndObject();
          }
          json.writeEndArray();
          if (failure.coverage().isPresent()) {
            json.writeFieldName("completeness");
            write(json, failure.coverage().get());
          }
          if (!failure.blockers().isEmpty()) {
            SettlementBodies.write(json, failure.blockers());
          }
          json.writeEndObject();
        });
  }

  static void write(JsonGenerator json, String field, Object value) throws IOException {
    json.writeFieldName(field);
    write(json, value);
  }

  static void write(JsonGenerator json, Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Boolean bool) {
      json.writeBoolean(bool);
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else {
      json.writeString(value.toString());
    }
  }

  /** To the microsecond. */
  static double millis(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos() / 1_000, 3).doubleValue();
  }
}
