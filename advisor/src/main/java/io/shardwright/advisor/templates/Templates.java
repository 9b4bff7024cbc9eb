package io.shardwright.advisor.templates;

import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Dialect;
import io.shardwright.sql.TokenText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gathers records into templates. At most {@value #TEMPLATES_MAX} templates and {@value
 * #UNREAD_MAX} shapes that could not be read are kept; what is beyond is counted. Not thread-safe.
 */
public final class Templates {
  static final int TEMPLATES_MAX = 20_000;
  static final int UNREAD_MAX = 1_000;
  private static final int SHAPE_CHARS = 160;
  private static final int FINGERPRINT_CHARS = 16;
  private static final Dialect POSTGRESQL = Dialect.postgreSql();
  private static final Dialect MYSQL = Dialect.mariaDb("");

  /**
   * Statements that could not be read.
   *
   * @param shape their text without values, as far as it goes
   * @param reason of the first of them
   */
  public record Unread(String shape, String reason, long executions) {}

  private static final class Sums {
    private final String text;
    private final StatementUse use;
    private long executions;
    private long timed;
    private Duration duration = Duration.ZERO;
    private Duration lockTime = Duration.ZERO;
    private long rowsSent;
    private long rowsExamined;
    private long rowsAffected;
    private Instant first;
    private Instant last;
    private final ActivityMeter activity = new ActivityMeter();

    Sums(String text, StatementUse use) {
      this.text = text;
      this.use = use;
    }

    void add(LogRecord record) {
      executions += record.count();
      if (record.duration().isPresent()) {
        timed += record.count();
        duration = duration.plus(record.duration().get());
      }
      if (record.lockTime().isPresent()) {
        lockTime = lockTime.plus(record.lockTime().get());
      }
      activity.add(record);
      rowsSent += record.rowsSent().orElse(0);
      rowsExamined += record.rowsExamined().orElse(0);
      rowsAffected += record.rowsAffected().orElse(0);
      if (record.time().isPresent()) {
        Instant time = record.time().get();
        first = first == null || time.isBefore(first) ? time : first;
        last = last == null || time.isAfter(last) ? time : last;
      }
    }

    Template template() {
      return new Template(
          fingerprint(text),
          text,
          use,
          executions,
          timed,
          duration,
          lockTime,
          rowsSent,
          rowsExamined,
          rowsAffected,
          Optional.ofNullable(first),
          Optional.ofNullable(last),
          activity.activity());
    }
  }

  private final Map<String, Sums> sums = new HashMap<>();
  private final ShapeCache<Sums> shapes = new ShapeCache<>();
  private final Map<String, Unread> unread = new LinkedHashMap<>();
  private long executions;
  private long beyond;
  private long unreadBeyond;

  /**
   * @param family whose rules the text follows; UNKNOWN: MySQL's when it has a backtick or cannot
   *     be read otherwise
   * @return what the statement touches; empty when it could not be read, or is beyond the bound
   */
  public Optional<StatementUse> add(LogRecord record, Family family) {
    executions += record.count();
    Sums ofShape = shapes.find(record.sql(), family);
    if (ofShape != null) {
      ofShape.add(record);
      return Optional.of(ofShape.use);
    }
    String text = null;
    try {
      boolean mysql = isMySql(record.sql(), family);
      TokenText tokens = cut(record.sql(), mysql, family);
      text = TemplateText.of(tokens, !mysql);
      Sums known = sums.get(text);
      if (known == null) {
        if (unread.containsKey(text)) {
          unread(text, "", record.count());
          return Optional.empty();
        }
        if (sums.size() >= TEMPLATES_MAX) {
          beyond += record.count();
          return Optional.empty();
        }
        known = new Sums(text, StatementReader.read(tokens));
        sums.put(text, known);
      }
      known.add(record);
      shapes.keep(known);
      return Optional.of(known.use);
    } catch (ShardwrightException e) {
      unread(text == null ? roughShape(record.sql()) : text, e.detail(), record.count());
      return Optional.empty();
    }
  }

  private void unread(String shape, String reason, long count) {
    if (!unread.containsKey(shape) && unread.size() >= UNREAD_MAX) {
      unreadBeyond += count;
      return;
    }
    unread.merge(
        shape,
        new Unread(shape, reason, count),
        (a, b) -> new Unread(shape, a.reason(), a.executions() + b.executions()));
  }

  /** The template of one text, for tests and single statements. */
  static String text(String sql, Family family) {
    boolean mysql = isMySql(sql, family);
    return TemplateText.of(cut(sql, mysql, family), !mysql);
  }

  /**
   * A statement cut as {@link #add} cuts it.
   *
   * @throws ShardwrightException SW201, SW202 or SW211 when it cannot be read
   */
  public static TokenText tokens(String sql, Family family) {
    return cut(sql, isMySql(sql, family), family);
  }

  /** The text by which {@link #add} gathers it. */
  public static String text(TokenText tokens, String sql, Family family) {
    return TemplateText.of(tokens, !isMySql(sql, family));
  }

  static StatementUse use(String sql, Family family) {
    return StatementReader.read(cut(sql, isMySql(sql, family), family));
  }

  private static boolean isMySql(String sql, Family family) {
    return family == Family.MYSQL || (family == Family.UNKNOWN && sql.indexOf('`') >= 0);
  }

  private static TokenText cut(String sql, boolean mysql, Family family) {
    if (mysql) {
      return TokenText.of(MYSQL, withoutExecutableComments(sql));
    }
    try {
      TokenText tokens = TokenText.of(POSTGRESQL, sql);
      boolean unsure = family == Family.UNKNOWN && sql.indexOf('"') >= 0;
      return unsure ? doubleQuotes(tokens, sql) : tokens;
    } catch (ShardwrightException e) {
      if (family == Family.POSTGRESQL) {
        throw e;
      }
      return TokenText.of(MYSQL, withoutExecutableComments(sql));
    }
  }

  /**
   * MySQL writes strings in double quotes. Where a value is expected they are taken for strings,
   * and by MySQL's rules as a whole unless the statement has names in double quotes, too.
   */
  private static TokenText doubleQuotes(TokenText tokens, String sql) {
    DoubleQuotes quotes = DoubleQuotes.of(tokens);
    if (!quotes.hasValues()) {
      return tokens;
    }
    return quotes.hasNames()
        ? TokenText.of(POSTGRESQL, quotes.inSingleQuotes(sql))
        : TokenText.of(MYSQL, withoutExecutableComments(sql));
  }

  /** What a comment with an exclamation mark and a version says is part of the statement. */
  static String withoutExecutableComments(String sql) {
    int open = sql.indexOf("/*!");
    if (open < 0) {
      return sql;
    }
    StringBuilder out = new StringBuilder(sql.length());
    int at = 0;
    while (open >= 0) {
      int close = sql.indexOf("*/", open + 3);
      if (close < 0) {
        break;
      }
      int start = open + 3;
      while (start < close && Character.isDigit(sql.charAt(start))) {
        start++;
      }
      out.append(sql, at, open).append(' ').append(sql, start, close).append(' ');
      at = close + 2;
      open = sql.indexOf("/*!", at);
    }
    return out.append(sql, at, sql.length()).toString();
  }

  /** Of a text that is not cut into tokens: what is before its first quote, without numbers. */
  private static String roughShape(String sql) {
    int end = 0;
    while (end < sql.length() && end < SHAPE_CHARS && "'\"`$/#".indexOf(sql.charAt(end)) < 0) {
      end++;
    }
    String shape =
        sql.substring(0, end)
            .replaceAll("--[^\n]*", " ")
            .replaceAll("\\b\\d[\\w.]*", "?")
            .replaceAll("(\\?\\s*,\\s*)+\\?", "?")
            .replaceAll("\\s+", " ")
            .strip();
    return end < sql.length() ? shape + " ..." : shape;
  }

  static String fingerprint(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, FINGERPRINT_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The most executed first; those that are executed equally often by their text. */
  public List<Template> templates() {
    List<Template> list = new ArrayList<>();
    sums.values().forEach(sum -> list.add(sum.template()));
    list.sort(
        Comparator.comparingLong(Template::executions).reversed().thenComparing(Template::text));
    return list;
  }

  /** The most executed first. */
  public List<Unread> unread() {
    List<Unread> list = new ArrayList<>(unread.values());
    list.sort(Comparator.comparingLong(Unread::executions).reversed());
    return list;
  }

  /** All that were added, the unread among them. */
  public long executions() {
    return executions;
  }

  /** Executions of templates beyond the bound. */
  public long beyond() {
    return beyond;
  }

  /** Executions of unread shapes beyond the bound. */
  public long unreadBeyond() {
    return unreadBeyond;
  }
}
