package io.shardwright.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether JSON is as a document says: names, types, what is required, words of enumerations. */
record OpenApi(JsonNode document) {

  /** What of the value is not as the schema of that name says, by place. */
  List<String> mistakes(String schema, JsonNode value) {
    List<String> mistakes = new ArrayList<>();
    check("", schema(schema), value, mistakes);
    return mistakes;
  }

  List<String> properties(String schema) {
    List<String> names = new ArrayList<>();
    schema(schema).path("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private JsonNode schema(String name) {
    return document.path("components").path("schemas").path(name);
  }

  private void check(String at, JsonNode schema, JsonNode value, List<String> mistakes) {
    if (schema.has("$ref")) {
      String path = schema.get("$ref").asText();
      check(at, schema(path.substring(path.lastIndexOf('/') + 1)), value, mistakes);
      return;
    }
    if (!isOfType(schema.path("type"), value)) {
      mistakes.add(at + " is " + value.getNodeType());
    } else if (schema.has("enum") && !contains(schema.get("enum"), value)) {
      mistakes.add(at + " is " + value);
    } else if (value.isObject()) {
      object(at, schema, value, mistakes);
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        check(at + "/" + i, schema.path("items"), value.get(i), mistakes);
      }
    }
  }

  private void object(String at, JsonNode schema, JsonNode value, List<String> mistakes) {
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      JsonNode known = schema.path("properties").path(field.getKey());
      JsonNode others = schema.path("additionalProperties");
      if (known.isMissingNode() && !others.isObject()) {
        mistakes.add(at + "/" + field.getKey() + " is not known");
      } else {
        check(
            at + "/" + field.getKey(),
            known.isMissingNode() ? others : known,
            field.getValue(),
            mistakes);
      }
    }
    for (JsonNode required : schema.path("required")) {
      if (!value.has(required.asText())) {
        mistakes.add(at + "/" + required.asText() + " is missing");
      }
    }
  }

  private static boolean isOfType(JsonNode types, JsonNode value) {
    if (types.isArray()) {
      for (JsonNode type : types) {
        if (isOfType(type, value)) {
          return true;
        }
      }
      return false;
    }
    return switch (types.asText()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "null" -> value.isNull();
      default -> throw new IllegalArgumentException("type " + types);
    };
  }

  private static boolean contains(JsonNode words, JsonNode value) {
    for (JsonNode word : words) {
      if (word.equals(value)) {
        return true;
      }
    }
    return false;
  }
}
