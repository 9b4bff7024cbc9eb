package io.shardwright.sql;

import io.shardwright.routing.ScatterPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What comments such as {@code /* shardwright: scatter=allow, timeout=500ms *}{@code /} ask for.
 * They stay in the text that the database gets. What is empty is decided by the connection, then by
 * the configuration.
 *
 * @param scatter whether the statement may go to several shards without a route key
 * @param timeout of the whole logical statement, 1 ms or more
 * @param maxRows a result of more rows is refused, not cut; 1 or more
 * @param partial whether the rows of some shards will do when others do not answer
 * @param freshness whether an index that lags behind may answer
 * @param route the rows that are meant
 */
public record Hints(
    Optional<ScatterPolicy> scatter,
    Optional<Duration> timeout,
    OptionalLong maxRows,
    Optional<Partial> partial,
    Optional<Freshness> freshness,
    Optional<RouteHint> route) {
  public static final Hints NONE =
      new Hints(
          Optional.empty(),
          Optional.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private static final Duration DURATION_MAX = Duration.ofHours(24);

  /** A number with the unit ms, s or m, up to a day; empty for anything else and for 0. */
  public static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          default -> Duration.ofMinutes(amount);
        };
    return Optional.of(duration).filter(d -> !d.isZero() && d.compareTo(DURATION_MAX) <= 0);
  }

  /** A choice as it is written in hints and settings. */
  public static String written(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What is asked for, in the order of the fields, as one would write it. */
  public String text() {
    List<String> texts = new ArrayList<>();
    scatter.ifPresent(policy -> texts.add("scatter=" + written(policy)));
    timeout.ifPresent(time -> texts.add("timeout=" + time.toMillis() + "ms"));
    maxRows.ifPresent(rows -> texts.add("max_rows=" + rows));
    partial.ifPresent(choice -> texts.add("partial=" + written(choice)));
    freshness.ifPresent(choice -> texts.add("freshness=" + written(choice)));
    route.ifPresent(hint -> texts.add(hint.target().text()));
    route.flatMap(RouteHint::group).ifPresent(group -> texts.add("group=" + group));
    return String.join(", ", texts);
  }

  /** What a read answers when some of its shards do not. */
  public enum Partial {
    /** An error. */
    REFUSE,
    /** The rows of the others, with a warning that names the missing shards. */
    ALLOW
  }

  /** What a statement finds that an index answers which may lag behind its table. */
  public enum Freshness {
    /** What has reached the index. */
    LAGGING,
    /** All that was committed before the statement began. */
    OWN_WRITES
  }

  /**
   * Only rows of this bucket are meant, as if every sharded table of the statement had the
   * condition {@code bucket_id = b}.
   *
   * @param group empty: that of the statement
   */
  public record RouteHint(Optional<String> group, Target target) {}

  /** How a {@link RouteHint} names the bucket. */
  public sealed interface Target {
    String text();

    record Bucket(int number) implements Target {
      @Override
      public String text() {
        return "bucket=" + number;
      }
    }

    /**
     * That of a route key.
     *
     * @param values BigDecimal or String, in key order
     */
    record Key(List<Object> values) implements Target {
      public Key {
        values = List.copyOf(values);
      }

      @Override
      public String text() {
        return "key=("
            + values.stream()
                .map(value -> value instanceof String text ? "'" + text + "'" : value.toString())
                .collect(Collectors.joining(", "))
            + ")";
      }
    }
  }
}
