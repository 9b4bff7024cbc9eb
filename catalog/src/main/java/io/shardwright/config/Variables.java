package io.shardwright.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * References to environment variables in values: a dollar sign and the name in braces. Two dollar
 * signs before the brace stand for the characters themselves.
 */
final class Variables {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final Map<String, String> environment;

  Variables(Map<String, String> environment) {
    this.environment = environment;
  }

  /** What a text expands to, or why it does not. */
  record Expansion(String text, List<Mistake> mistakes) {}

  Expansion expand(String text) {
    if (!text.contains("${")) {
      return new Expansion(text, List.of());
    }
    List<Mistake> mistakes = new ArrayList<>();
    StringBuilder expanded = new StringBuilder(text.length());
    Matcher matcher = REFERENCE.matcher(text);
    while (matcher.find()) {
      matcher.appendReplacement(expanded, Matcher.quoteReplacement(value(matcher, mistakes)));
    }
    matcher.appendTail(expanded);
    return new Expansion(expanded.toString(), mistakes);
  }

  private String value(Matcher matcher, List<Mistake> mistakes) {
    String name = matcher.group(1);
    if (name == null) {
      return "${";
    }
    if (matcher.group(2).isEmpty() || !NAME.matcher(name).matches()) {
      mistakes.add(
          new Mistake(
              "has a '${' that is not a variable reference",
              "write ${NAME} with letters, digits and _, or $${ for the characters themselves"));
      return "";
    }
    String value = environment.get(name);
    if (value == null) {
      mistakes.add(
          new Mistake(
              "environment variable " + name + " is not set",
              "set it, e.g. export " + name + "=..., before starting"));
      return "";
    }
    return value;
  }
}
