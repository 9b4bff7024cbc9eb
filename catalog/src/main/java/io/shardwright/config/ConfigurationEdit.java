package io.shardwright.config;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Adds a shard to the text of a configuration, or takes one away. Every other line stays as it is,
 * with its comments. The text has to be a valid configuration whose shards stand one below the
 * other.
 */
public final class ConfigurationEdit {
  private static final Pattern LINE_END = Pattern.compile("(?<=\n)");

  private ConfigurationEdit() {}

  /** Whoever reads the file meanwhile sees the one text or the other. */
  public static void replace(Path file, String yaml) throws IOException {
    Path real = file.toRealPath();
    Path next = real.resolveSibling("." + real.getFileName() + ".next");
    Files.copy(real, next, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(next, yaml, StandardOpenOption.TRUNCATE_EXISTING);
    Files.move(next, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * @param entry what the shard is, in YAML of one line
   * @throws ShardwrightException SW603 when the shards are written in braces
   */
  public static String withShard(String yaml, String name, String entry) {
    List<NodeTuple> shards = shards(yaml);
    NodeTuple last = shards.get(shards.size() - 1);
    List<String> lines = lines(yaml);
    int end = lastLine(lines, last);
    String indent = " ".repeat(column(last.getKeyNode()));
    if (!lines.get(end).endsWith("\n")) {
      lines.set(end, lines.get(end) + "\n");
    }
    String lineEnd = lines.get(end).endsWith("\r\n") ? "\r\n" : "\n";
    lines.add(end + 1, indent + name + ": " + entry + lineEnd);
    return String.join("", lines);
  }

  /**
   * @throws ShardwrightException SW603 when the shards are written in braces, or lack this one
   */
  public static String withoutShard(String yaml, String name) {
    NodeTuple shard =
        shards(yaml).stream()
            .filter(entry -> name(entry).equals(name))
            .findFirst()
            .orElseThrow(() -> refused("there is no shard " + name + " in the file"));
    List<String> lines = lines(yaml);
    lines.subList(line(shard.getKeyNode()), lastLine(lines, shard) + 1).clear();
    return String.join("", lines);
  }

  private static List<String> lines(String yaml) {
    return new ArrayList<>(Arrays.asList(LINE_END.split(yaml)));
  }

  private static List<NodeTuple> shards(String yaml) {
    Node root =
        new Compose(LoadSettings.builder().setParseComments(false).build())
            .composeString(yaml)
            .orElseThrow();
    for (NodeTuple entry : ((MappingNode) root).getValue()) {
      if (name(entry).equals("shards")) {
        MappingNode shards = (MappingNode) entry.getValueNode();
        boolean below = ((MappingNode) root).getFlowStyle() == FlowStyle.BLOCK;
        if (!below || shards.getFlowStyle() != FlowStyle.BLOCK) {
          throw refused(
              "shards: is written in braces; write each shard on lines of its own below shards:, or"
                  + " edit the file by hand");
        }
        return shards.getValue();
      }
    }
    throw refused("the file has no shards:");
  }

  private static ShardwrightException refused(String why) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, why);
  }

  private static String name(NodeTuple entry) {
    return ((ScalarNode) entry.getKeyNode()).getValue();
  }

  private static int line(Node node) {
    return node.getStartMark().orElseThrow().getLine();
  }

  private static int column(Node node) {
    return node.getStartMark().orElseThrow().getColumn();
  }

  /** Of an entry: the marks of a block end where the next thing begins, after blanks and notes. */
  private static int lastLine(List<String> lines, NodeTuple entry) {
    int first = line(entry.getKeyNode());
    int indent = column(entry.getKeyNode());
    int last = first;
    for (int i = first + 1; i < lines.size(); i++) {
      String line = lines.get(i).stripTrailing();
      String text = line.stripLeading();
      int inner = line.length() - text.length();
      if (!text.isEmpty() && inner <= indent) {
        break;
      }
      if (!text.isEmpty()) {
        last = i;
      }
    }
    return Math.max(last, flowEnd(entry));
  }

  /** Braces may close at any column. */
  private static int flowEnd(NodeTuple entry) {
    return entry.getValueNode() instanceof MappingNode map && map.getFlowStyle() == FlowStyle.FLOW
        ? map.getEndMark().orElseThrow().getLine()
        : 0;
  }

  /** User and password of the first shard, as they are written: with the names of variables. */
  public static String loginOfFirst(String yaml) {
    MappingNode first = (MappingNode) shards(yaml).get(0).getValueNode();
    return first.getValue().stream()
        .filter(entry -> name(entry).equals("user") || name(entry).equals("password"))
        .map(entry -> name(entry) + ": " + quoted(((ScalarNode) entry.getValueNode()).getValue()))
        .collect(Collectors.joining(", "));
  }

  /** A value in YAML, in double quotes. */
  public static String quoted(String value) {
    return value
        .chars()
        .mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c : Character.toString(c))
        .collect(Collectors.joining("", "\"", "\""));
  }
}
