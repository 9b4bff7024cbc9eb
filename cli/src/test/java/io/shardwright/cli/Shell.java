package io.shardwright.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a command line as a terminal would, with streams that can be looked at. */
final class Shell {
  private Shell() {}

  record Run(int exit, String out, String err) {
    /** The whole of standard output, which has to be one JSON document. */
    JsonNode json() {
      try {
        return new ObjectMapper().readTree(out);
      } catch (JsonProcessingException e) {
        throw new AssertionError("not one JSON document: " + out, e);
      }
    }

    List<String> lines() {
      return out.lines().toList();
    }
  }

  static Run run(String... arguments) {
    return run(StandardCharsets.UTF_8, "", arguments);
  }

  static Run withInput(String input, String... arguments) {
    return run(StandardCharsets.UTF_8, input, arguments);
  }

  static Run in(Charset charset, String... arguments) {
    return run(charset, "", arguments);
  }

  private static Run run(Charset charset, String input, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
    int exit = run(console(in, out, err, charset), arguments);
    return new Run(exit, out.toString(charset), err.toString(charset));
  }

  /** With an output that the test brings along. */
  static int run(Console console, String... arguments) {
    return Main.run(console, false, arguments);
  }

  static Console console(InputStream in, OutputStream out, OutputStream err, Charset charset) {
    return new Console(
        in,
        new PrintStream(out, false, charset),
        new PrintStream(err, true, charset),
        charset,
        false);
  }
}
