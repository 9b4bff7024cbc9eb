package io.shardwright.config;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.List;

/** SW101: all the mistakes of one configuration file. */
public final class ConfigurationException extends ShardwrightException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final transient List<Problem> problems;

  ConfigurationException(String file, List<Problem> problems) {
    super(ErrorCode.CONFIGURATION_INVALID, message(file, problems));
    this.file = file;
    this.problems = List.copyOf(problems);
  }

  public String file() {
    return file;
  }

  /** In file order, at least one. */
  public List<Problem> problems() {
    return problems;
  }

  private static String message(String file, List<Problem> problems) {
    StringBuilder text = new StringBuilder(80 * (problems.size() + 1));
    text.append(file).append(" has ").append(problems.size());
    text.append(problems.size() == 1 ? " problem:" : " problems:");
    for (Problem problem : problems) {
      text.append("\n  ").append(file).append(':').append(problem.line());
      text.append(':').append(problem.column()).append(": ").append(problem);
    }
    return text.toString();
  }
}
