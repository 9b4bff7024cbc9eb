package io.shardwright.server;

import com.fasterxml.jackson.core.JsonGenerator;
import io.shardwright.query.Blocker;
import io.shardwright.query.Settlement;
import io.shardwright.query.Settlement.Changed;
import io.shardwright.query.Settlement.Content;
import io.shardwright.query.Settlement.Difference;
import io.shardwright.query.Settlement.Part;
import io.shardwright.routing.ShardId;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What is told of a settlement, as JSON. */
final class SettlementBodies {
  private SettlementBodies() {}

  /** A field. */
  static void write(JsonGenerator json, List<Blocker> blockers) throws IOException {
    json.writeArrayFieldStart("blockers");
    for (Blocker blocker : blockers) {
      json.writeStartObject();
      json.writeStringField("shard", blocker.shard().name());
      json.writeStringField("who", blocker.who());
      Bodies.write(json, "user", blocker.user().orElse(null));
      Bodies.write(json, "since", blocker.since().orElse(null));
      json.writeStringField("why", blocker.why());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void write(JsonGenerator json, Settlement.View view) throws IOException {
    Settlement made = view.settlement();
    json.writeStartObject();
    json.writeStringField("id", made.id());
    json.writeNumberField("number", made.number());
    json.writeStringField("cutOff", made.cutOff().toString());
    json.writeStringField("madeAt", made.madeAt().toString());
    json.writeNumberField("rows", made.rows());
    sums(json, view.sums(), made.sums());
    Bodies.write(json, "sha256", view.proven() ? made.sha256() : null);
    json.writeObjectFieldStart("shards");
    for (Map.Entry<ShardId, Part> shard : made.shards().entrySet()) {
      json.writeFieldName(shard.getKey().name());
      write(json, view, shard.getValue());
    }
    json.writeEndObject();
    json.writeFieldName("difference");
    if (made.difference().isPresent()) {
      write(json, view, made.difference().get());
    } else {
      json.writeNull();
    }
    json.writeEndObject();
  }

  private static void sums(JsonGenerator json, List<String> shown, Map<String, String> sums)
      throws IOException {
    json.writeObjectFieldStart("sums");
    for (String column : shown) {
      json.writeStringField(column, sums.get(column));
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Settlement.View view, Part part)
      throws IOException {
    json.writeStartObject();
    Bodies.write(json, "position", part.position().orElse(null));
    json.writeStringField("passedAt", part.passedAt().toString());
    Bodies.write(json, "skewMs", Bodies.millis(part.skew()));
    Bodies.write(json, "skewUncertaintyMs", Bodies.millis(part.uncertainty()));
    if (part.content().isPresent()) {
      Content content = part.content().get();
      json.writeNumberField("rows", content.rows());
      sums(json, view.sums(), content.sums());
      Bodies.write(json, "sha256", view.proven() ? content.sha256() : null);
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Settlement.View view, Difference difference)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("against", difference.against());
    json.writeNumberField("added", difference.added());
    json.writeNumberField("removed", difference.removed());
    json.writeNumberField("changed", difference.changed());
    json.writeNumberField("from", view.changesFrom());
    json.writeArrayFieldStart("rows");
    for (Changed changed : view.changes()) {
      json.writeStartObject();
      json.writeStringField("change", changed.change().word());
      row(json, "before", view.columns(), changed.before());
      row(json, "after", view.columns(), changed.after());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField(
        "truncated", view.changesFrom() + view.changes().size() < difference.size());
    json.writeEndObject();
  }

  private static void row(JsonGenerator json, String field, List<String> columns, List<Object> row)
      throws IOException {
    json.writeFieldName(field);
    if (row == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    for (int i = 0; i < row.size(); i++) {
      Bodies.write(json, columns.get(i), row.get(i));
    }
    json.writeEndObject();
  }
}
