package io.shardwright.advisor.advice;

import io.shardwright.advisor.schema.LiveDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Counts of keys beside those of the log.
 *
 * @param files of {@code key,count} by the name of a column
 * @param live counts on the database of columns that have no file
 */
public record KeySamples(Map<String, Path> files, Optional<Live> live) {
  public KeySamples {
    files = Map.copyOf(files);
  }

  /**
   * Counts on a database.
   *
   * @param columns empty: those that statements ask by and that no key makes unique
   * @param timeout of one column
   * @param progress is told what is being counted
   */
  public record Live(
      LiveDatabase database, Set<String> columns, Duration timeout, Consumer<String> progress) {
    public Live {
      columns = Set.copyOf(columns);
    }
  }

  public static KeySamples none() {
    return new KeySamples(Map.of(), Optional.empty());
  }

  /** The columns that a person named. */
  Set<String> named() {
    Set<String> names = new LinkedHashSet<>(files.keySet());
    names.addAll(live.map(Live::columns).orElse(new HashSet<>()));
    return names;
  }
}
