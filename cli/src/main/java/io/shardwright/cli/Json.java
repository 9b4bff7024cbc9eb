package io.shardwright.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * JSON on the console: everything outside ASCII is escaped, so the text survives any terminal and
 * any encoding.
 */
final class Json {
  // The streaming API alone: an ObjectMapper would double the start-up time of a command.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .build();

  private Json() {}

  /** Keys and values in turn, in this order. */
  static Map<String, Object> object(Object... keysAndValues) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      object.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return object;
  }

  /** One document, indented, with a line end. */
  static void print(Console console, Object document) {
    try (JsonGenerator generator = generator(console)) {
      DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
      generator.setPrettyPrinter(printer);
      write(generator, document);
      generator.flush();
    } catch (IOException e) {
      throw new Console.OutputClosedException();
    }
    console.out().println();
    console.flush();
  }

  /** One document, on one line. */
  static String text(Object document) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      write(generator, document);
    }
    return text.toString();
  }

  /** For documents that do not fit in memory. */
  static JsonGenerator generator(Console console) throws IOException {
    return FACTORY.createGenerator(new OutputStreamWriter(console.out(), console.charset()));
  }

  /** Maps, collections, optionals, numbers, booleans; anything else by its text. */
  static void write(JsonGenerator generator, Object value) throws IOException {
    if (value == null) {
      generator.writeNull();
    } else if (value instanceof Optional<?> optional) {
      write(generator, optional.orElse(null));
    } else if (value instanceof OptionalInt optional) {
      write(generator, optional.isPresent() ? optional.getAsInt() : null);
    } else if (value instanceof OptionalLong optional) {
      write(generator, optional.isPresent() ? optional.getAsLong() : null);
    } else if (value instanceof Map<?, ?> map) {
      generator.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        generator.writeFieldName(entry.getKey().toString());
        write(generator, entry.getValue());
      }
      generator.writeEndObject();
    } else if (value instanceof Collection<?> collection) {
      generator.writeStartArray();
      for (Object element : collection) {
        write(generator, element);
      }
      generator.writeEndArray();
    } else if (value instanceof Boolean bool) {
      generator.writeBoolean(bool);
    } else if (value instanceof Integer || value instanceof Long) {
      generator.writeNumber(((Number) value).longValue());
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      // JSON has no NaN and no Infinity.
      generator.writeNull();
    } else if (value instanceof Number number) {
      generator.writeNumber(number.toString());
    } else {
      generator.writeString(value.toString());
    }
  }
}
