package io.shardwright.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of the file. Reading a value of the wrong type reports a problem and answers empty,
 * so that the caller goes on and finds the next one. Messages show values as they are written,
 * before variables are expanded, without a url's parameters, and passwords never.
 */
final class YamlMap {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,7})(ms|s|m|h)");

  private static final int MAX_SHOWN_CHARS = 60;

  private final String path;
  private final Node node;
  private final Source source;
  private final Map<String, Node> values = new LinkedHashMap<>();

  /** What all mappings of a file share. */
  record Source(Problems problems, Variables variables) {}

  /** A text and where it stands. */
  record Text(String value, Node node, String path) {}

  private YamlMap(String path, Node node, Source source) {
    this.path = path;
    this.node = node;
    this.source = source;
  }

  /** A mapping; a value that is left out ({@code orders:}) is an empty one. */
  static Optional<YamlMap> of(String path, Node node, Source source) {
    YamlMap map = new YamlMap(path, node, source);
    if (isNull(node)) {
      return Optional.of(map);
    }
    if (!(node instanceof MappingNode mapping)) {
      source.problems.add(
          node, path, "is " + kind(node) + ", not a mapping", "write key: value pairs");
      return Optional.empty();
    }
    for (NodeTuple entry : mapping.getValue()) {
      map.put(entry);
    }
    return Optional.of(map);
  }

  private void put(NodeTuple entry) {
    if (!(entry.getKeyNode() instanceof ScalarNode key)) {
      source.problems.add(entry.getKeyNode(), path, "has a key that is not text", "write a name");
      return;
    }
    if (values.putIfAbsent(key.getValue(), entry.getValueNode()) != null) {
      source.problems.add(
          key,
          path(key.getValue()),
          "is there twice (first in line " + line(values.get(key.getValue())) + ")",
          "keep one of them");
    }
  }

  /** Reports every key that is not one of {@code known}. */
  YamlMap allow(Collection<String> known) {
    for (Map.Entry<String, Node> entry : values.entrySet()) {
      if (!known.contains(entry.getKey())) {
        String instead =
            Nearest.to(entry.getKey(), known)
                .map(name -> "did you mean " + name + "?")
                .orElse("use " + String.join(", ", known));
        source.problems.add(entry.getValue(), path(entry.getKey()), "is not a known key", instead);
      }
    }
    return this;
  }

  boolean has(String key) {
    Node value = values.get(key);
    return value != null && !isNull(value);
  }

  /** The keys of a mapping whose keys are names of the user's choice, in file order. */
  List<String> names() {
    return List.copyOf(values.keySet());
  }

  boolean isMap(String key) {
    return values.get(key) instanceof MappingNode;
  }

  Optional<YamlMap> map(String key) {
    return Optional.ofNullable(values.get(key)).flatMap(n -> of(path(key), n, source));
  }

  /** One mapping or a list of them; items that are none are reported and left out. */
  List<YamlMap> maps(String key) {
    if (!(values.get(key) instanceof SequenceNode sequence)) {
      return map(key).stream().toList();
    }
    List<YamlMap> maps = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      of(path(key) + "[" + maps.size() + "]", item, source).ifPresent(maps::add);
    }
    return maps;
  }

  Optional<YamlMap> requireMap(String key, String instead) {
    return require(key, instead) ? map(key) : Optional.empty();
  }

  /** Variables are expanded. */
  Optional<String> text(String key) {
    return has(key) ? text(path(key), values.get(key)) : Optional.empty();
  }

  Optional<String> requireText(String key, String instead) {
    return require(key, instead) ? text(key) : Optional.empty();
  }

  OptionalInt integer(String key, int min, int max) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= min && number <= max) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // Falls through to the problem: the text is no number, or one beyond int.
    }
    problem(key, "is " + shown(key), "write a whole number from " + min + " to " + max);
    return OptionalInt.empty();
  }

  /** Empty when it is missing or wrong. */
  Optional<Duration> duration(String key, Duration min, Duration max) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = DURATION.matcher(text.get());
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      Duration duration =
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
          };
      if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
        return Optional.of(duration);
      }
    }
    problem(
        key,
        "is " + shown(key),
        "write a number with its unit, from "
            + written(min)
            + " to "
            + written(max)
            + ", e.g. 500ms, 3s or 1m");
    return Optional.empty();
  }

  private static String written(Duration duration) {
    return duration.toMillis() % 60_000 == 0 && !duration.isZero()
        ? duration.toMinutes() + "m"
        : duration.toMillis() + "ms";
  }

  OptionalInt requireInteger(String key, int min, int max) {
    return require(key, "write a whole number from " + min + " to " + max)
        ? integer(key, min, max)
        : OptionalInt.empty();
  }

  /** Empty when absent; items that are not text are reported and left out. */
  Optional<List<Text>> texts(String key) {
    if (!has(key)) {
      return Optional.empty();
    }
    if (!(values.get(key) instanceof SequenceNode sequence)) {
      problem(key, "is " + kind(values.get(key)) + ", not a list", "write [name, name]");
      return Optional.empty();
    }
    List<Text> texts = new ArrayList<>();
    int index = 0;
    for (Node item : sequence.getValue()) {
      String itemPath = path(key) + "[" + index++ + "]";
      text(itemPath, item).ifPresent(text -> texts.add(new Text(text, item, itemPath)));
    }
    return Optional.of(texts);
  }

  /** Lists of texts; items that are none are reported and left out. */
  List<List<String>> textLists(String key) {
    if (!(values.get(key) instanceof SequenceNode sequence)) {
      problem(key, "is " + kind(values.get(key)) + ", not a list", "write [[value], [value]]");
      return List.of();
    }
    List<List<String>> lists = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      String at = path(key) + "[" + lists.size() + "]";
      if (item instanceof SequenceNode texts) {
        List<String> list = new ArrayList<>();
        texts.getValue().forEach(text -> text(at, text).ifPresent(list::add));
        lists.add(list);
      } else {
        source.problems.add(
            item, at, "is " + kind(item) + ", not a list", "write [[value], [value]]");
      }
    }
    return lists;
  }

  /** Reports at the value of {@code key}, or at this mapping when there is none. */
  void problem(String key, String message, String instead) {
    source.problems.add(values.getOrDefault(key, node), path(key), message, instead);
  }

  void problem(String key, Mistake mistake) {
    problem(key, mistake.message(), mistake.instead());
  }

  void problem(String message, String instead) {
    source.problems.add(node, path, message, instead);
  }

  void problem(Text at, String message, String instead) {
    source.problems.add(at.node, at.path, message, instead);
  }

  /** The value before variables are expanded; empty when it is no text. */
  String written(String key) {
    return values.get(key) instanceof ScalarNode scalar ? scalar.getValue() : "";
  }

  /** The value as written, in quotes and shortened; for messages. */
  String shown(String key) {
    return shown(path(key), values.get(key));
  }

  int line(String key) {
    return line(values.getOrDefault(key, node));
  }

  private boolean require(String key, String instead) {
    if (!has(key)) {
      problem(key, "is missing", instead);
      return false;
    }
    return true;
  }

  private Optional<String> text(String at, Node value) {
    if (!(value instanceof ScalarNode scalar) || isNull(value)) {
      source.problems.add(value, at, "is " + kind(value) + ", not text", "write one value");
      return Optional.empty();
    }
    Variables.Expansion expansion = source.variables.expand(scalar.getValue());
    for (Mistake mistake : expansion.mistakes()) {
      source.problems.add(value, at, mistake.message(), mistake.instead());
    }
    return expansion.mistakes().isEmpty() ? Optional.of(expansion.text()) : Optional.empty();
  }

  private String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private static String shown(String path, Node value) {
    if (!(value instanceof ScalarNode scalar)) {
      return kind(value);
    }
    String text =
        path.endsWith("url")
            ? Configuration.Endpoint.withoutParameters(scalar.getValue())
            : scalar.getValue();
    return path.endsWith("password")
        ? "(hidden)"
        : "'"
            + (text.length() > MAX_SHOWN_CHARS ? text.substring(0, MAX_SHOWN_CHARS) + "..." : text)
            + "'";
  }

  private static boolean isNull(Node node) {
    return node instanceof ScalarNode scalar && scalar.isPlain() && node.getTag().equals(Tag.NULL);
  }

  private static String kind(Node node) {
    return switch (node.getNodeType()) {
      case MAPPING -> "a mapping";
      case SEQUENCE -> "a list";
      case SCALAR, ANCHOR -> isNull(node) ? "empty" : "a single value";
    };
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
