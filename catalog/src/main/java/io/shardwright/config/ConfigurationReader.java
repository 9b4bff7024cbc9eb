package io.shardwright.config;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads shardwright.yaml (docs/configuration.md). */
public final class ConfigurationReader {
  /** A thousand shards fit many times over; a file beyond this is not a configuration. */
  private static final int MAX_BYTES = 1 << 20;

  /** Aliases of mappings and lists. The schema bounds the depth, so this bounds the work. */
  private static final int MAX_ALIASES = 100;

  private ConfigurationReader() {}

  /**
   * Reads a file; variables are taken from the environment.
   *
   * @throws ConfigurationException SW101 with every mistake of the file
   * @throws ShardwrightException SW102 when the file cannot be read as UTF-8 text
   */
  public static Configuration read(Path file) {
    return parse(file.toString(), content("configuration file ", file), System.getenv());
  }

  /**
   * The same for a text.
   *
   * @param fileName for messages
   * @throws ConfigurationException SW101 with every mistake of the text
   */
  public static Configuration parse(String fileName, String yaml, Map<String, String> environment) {
    return parse(
        fileName,
        yaml,
        environment,
        "start with version: 1, shards and groups",
        map -> new ConfigurationMapping(map).read());
  }

  /**
   * Any file of this kind.
   *
   * @param start what to write into an empty one
   */
  static <T> T parse(
      String fileName,
      String yaml,
      Map<String, String> environment,
      String start,
      Function<YamlMap, T> mapping) {
    Problems problems = new Problems();
    Optional<Node> root = compose(yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml, problems);
    problems.throwIfAny(fileName);
    if (root.isEmpty()) {
      problems.add(new Problem(1, 1, "", "the file is empty", start));
      problems.throwIfAny(fileName);
    }
    YamlMap.Source source = new YamlMap.Source(problems, new Variables(environment));
    Optional<T> result = YamlMap.of("", root.orElseThrow(), source).map(mapping);
    problems.throwIfAny(fileName);
    return result.orElseThrow();
  }

  /**
   * @param what the file is, with a space behind it
   */
  static String content(String what, Path file) {
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        throw unreadable(
            what + file, "has " + size + " bytes, at most " + MAX_BYTES + " are read", null);
      }
      byte[] bytes = Files.readAllBytes(file);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      throw unreadable(what + file, "does not exist; check the path", e);
    } catch (CharacterCodingException e) {
      throw unreadable(what + file, "is not UTF-8 text; save it as UTF-8", e);
    } catch (IOException e) {
      String reason =
          Files.isDirectory(file)
              ? "is a directory; name the file in it"
              : "cannot be read (" + e.getClass().getSimpleName() + "); check its permissions";
      throw unreadable(what + file, reason, e);
    }
  }

  private static ShardwrightException unreadable(String file, String reason, Exception cause) {
    return new ShardwrightException(ErrorCode.CONFIGURATION_UNREADABLE, file + " " + reason, cause);
  }

  private static Optional<Node> compose(String yaml, Problems problems) {
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(MAX_BYTES)
            .setSchema(new CoreSchema())
            .setMaxAliasesForCollections(MAX_ALIASES)
            .build();
    try {
      return new Compose(settings).composeString(yaml);
    } catch (MarkedYamlEngineException e) {
      if (!addTabs(yaml, problems)) {
        problems.add(e.getProblemMark().orElse(null), "", syntax(e), remedy(yaml, e));
      }
    } catch (YamlEngineException e) {
      problems.add(
          new Problem(
              1,
              1,
              "",
              "the file has more than " + MAX_ALIASES + " aliases or is no YAML text",
              "write values out instead of *aliases, and printable characters only"));
    } catch (StackOverflowError e) {
      problems.add(
          new Problem(1, 1, "", "the file is nested too deeply", "use the documented keys"));
    }
    return Optional.empty();
  }

  /** The parser's own text, unless it would repeat a value, which may be a password. */
  private static String syntax(MarkedYamlEngineException e) {
    String problem = e.getProblem();
    if (problem == null) {
      return "is not valid YAML";
    }
    if (problem.contains("alias") || problem.contains("tag handle")) {
      return "is not valid YAML: a value that begins with *, & or ! must stand in quotes";
    }
    return "is not valid YAML: " + problem;
  }

  /** A bare ${NAME} inside { } is the mistake that everyone makes once. */
  private static String remedy(String yaml, MarkedYamlEngineException e) {
    int line = e.getProblemMark().map(Mark::getLine).orElse(0);
    boolean variable = yaml.lines().skip(line).findFirst().orElse("").contains("${");
    return variable ? "put a value with ${NAME} in quotes: \"${NAME}\"" : "correct the YAML here";
  }

  private static boolean addTabs(String yaml, Problems problems) {
    List<String> lines = yaml.lines().toList();
    boolean found = false;
    for (int i = 0; i < lines.size(); i++) {
      int column = indentationTab(lines.get(i));
      if (column >= 0) {
        problems.add(
            new Problem(i + 1, column + 1, "", "the line is indented by a tab", "use spaces"));
        found = true;
      }
    }
    return found;
  }

  private static int indentationTab(String line) {
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) == '\t') {
        return i;
      }
      if (line.charAt(i) != ' ') {
        return -1;
      }
    }
    return -1;
  }
}
