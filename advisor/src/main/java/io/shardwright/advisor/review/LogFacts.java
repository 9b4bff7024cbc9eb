package io.shardwright.advisor.review;

import io.shardwright.advisor.advice.Evenness;
import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.templates.ColumnRole;
import io.shardwright.advisor.templates.ColumnUse;
import io.shardwright.advisor.templates.StatementKind;
import io.shardwright.advisor.templates.Template;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What logs tell of the tables of the configuration's groups.
 *
 * @param unread executions that could not be read
 * @param statements the most executed first
 * @param groups as the configuration has them
 */
public record LogFacts(
    List<LogFile> files, long unread, List<Statement> statements, List<Group> groups) {
  /** Fewer say nothing about a workload. */
  static final int EXECUTIONS_MIN = 100;

  public LogFacts {
    files = List.copyOf(files);
    statements = List.copyOf(statements);
    groups = List.copyOf(groups);
  }

  /** How a statement finds its shards. */
  public enum Way {
    KEY,
    /** Several keys. */
    KEYS,
    /** An id or number that names the bucket. */
    ID,
    INDEX,
    /** It goes to all shards. */
    NONE;

    boolean isOneShard() {
      return this == KEY || this == ID || this == INDEX;
    }
  }

  /**
   * @param groups whose tables it touches
   * @param way by which the tables of its first group are found
   * @param isPartial it fixes some columns of the key, not all
   */
  public record Statement(Template template, List<String> groups, Way way, boolean isPartial) {
    private static final Pattern COUNT =
        Pattern.compile("(?is)SELECT\\s+(COUNT|SUM|AVG|MIN|MAX)\\s*\\(.*");
    private static final Pattern LIMIT = Pattern.compile("(?is).*\\b(LIMIT|FETCH)\\b.*");
    private static final Pattern OFFSET =
        Pattern.compile("(?is).*(\\bOFFSET\\b|\\bLIMIT \\? ?, ?\\?).*");

    public Statement {
      groups = List.copyOf(groups);
    }

    String group() {
      return groups.get(0);
    }

    long executions() {
      return template.executions();
    }

    boolean isWrite() {
      return template.use().kind().isWrite();
    }

    boolean isSelect() {
      return template.use().kind() == StatementKind.SELECT;
    }

    boolean isScatteredRead() {
      return isSelect() && way == Way.NONE;
    }

    boolean has(ColumnRole role) {
      return template.use().columns().stream().anyMatch(use -> use.role() == role);
    }

    boolean aggregates() {
      return has(ColumnRole.GROUP) || COUNT.matcher(template.text()).matches();
    }

    boolean countsAll() {
      return template.text().toUpperCase(Locale.ROOT).matches("(?s)SELECT\\s+COUNT\\s*\\(.*");
    }

    boolean isLimited() {
      return LIMIT.matcher(template.text()).matches();
    }

    boolean skips() {
      return OFFSET.matcher(template.text()).matches();
    }

    /** Columns in one of the roles. */
    Set<String> columns(ColumnRole... roles) {
      Set<String> columns = new LinkedHashSet<>();
      for (ColumnUse use : template.use().columns()) {
        if (List.of(roles).contains(use.role())) {
          columns.add(use.column());
        }
      }
      return columns;
    }

    /** For people, with its executions. */
    String shown() {
      String text = template.text();
      return (text.length() > SHOWN_CHARS ? text.substring(0, SHOWN_CHARS) + "..." : text)
          + " ("
          + executions()
          + " times)";
    }

    private static final int SHOWN_CHARS = 100;
  }

  /**
   * One group.
   *
   * @param inserted how the keys of inserted rows spread; empty when none was read
   * @param asked the same of keys that statements ask for
   * @param transactions of two statements or more, with a write
   * @param local of these, that keep to one key
   */
  public record Group(
      String name, Optional<Keys> inserted, Optional<Keys> asked, long transactions, long local) {}

  /**
   * How keys without buckets of their own spread over the shards that shall own buckets.
   *
   * @param evenness rows by shard, as many as its weight gives it
   * @param weights of the same shards, 1 or more
   */
  public record Keys(Evenness evenness, List<Integer> weights) {
    public Keys {
      weights = List.copyOf(weights);
    }

    private int weight() {
      return weights.stream().mapToInt(Integer::intValue).sum();
    }

    /** The fullest shard by its weight, over the mean by weight; values beyond are even. */
    double maxToMean() {
      double max = 0;
      for (int i = 0; i < weights.size(); i++) {
        max = Math.max(max, (double) evenness.rows().get(i) / weights.get(i));
      }
      double all = (double) evenness.sum() + evenness.beyond();
      return evenness.sum() == 0 ? 1 : (max * weight() + evenness.beyond()) / all;
    }

    /** Values that the shard of the least weight would have when all were even. */
    double leastMean() {
      int least = weights.stream().mapToInt(Integer::intValue).min().orElse(1);
      return (double) evenness.sum() * least / weight();
    }
  }

  /** On sharded tables. */
  public long executions() {
    return executions(statement -> true);
  }

  long executions(Predicate<Statement> which) {
    return statements.stream().filter(which).mapToLong(Statement::executions).sum();
  }

  /** From the first to the last statement; empty without times. */
  Optional<Duration> span() {
    Optional<Instant> first =
        statements.stream().flatMap(s -> s.template.first().stream()).min(Instant::compareTo);
    Optional<Instant> last =
        statements.stream().flatMap(s -> s.template.last().stream()).max(Instant::compareTo);
    return first.isPresent() && last.isPresent()
        ? Optional.of(Duration.between(first.get(), last.get()))
        : Optional.empty();
  }

  List<Statement> where(Predicate<Statement> which) {
    return statements.stream().filter(which).toList();
  }
}
