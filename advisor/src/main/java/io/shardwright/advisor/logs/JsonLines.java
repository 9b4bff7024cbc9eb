package io.shardwright.advisor.logs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON documents as maps, lists, texts, longs, doubles and booleans. */
final class JsonLines {
  static final JsonFactory FACTORY = new JsonFactory();

  private JsonLines() {}

  /** The object on one line; null when the line is none. */
  static Map<String, Object> parse(String line) {
    try (JsonParser parser = FACTORY.createParser(line)) {
      return parser.nextToken() == JsonToken.START_OBJECT ? object(parser) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Behind the opening brace. */
  static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      object.put(name, value(parser));
    }
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      throw new IOException("an object is never closed");
    }
    return object;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          if (parser.currentToken() == null) {
            throw new IOException("an array is never closed");
          }
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT -> parser.getText();
      case VALUE_NUMBER_FLOAT -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> "";
      default -> parser.getText();
    };
  }

  static String text(Map<String, Object> object, String... names) {
    for (String name : names) {
      Object value = object.get(name);
      if (value != null && !(value instanceof Map) && !(value instanceof List)) {
        return value.toString();
      }
    }
    return "";
  }
}
