package io.shardwright.migration;

import io.shardwright.catalog.MoveState;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * That the two sides of a move were compared, and what they were then. The catalog keeps the last
 * one of each move.
 *
 * @param at when it ended, by the catalog's clock
 * @param mapVersion of the group
 * @param state of the move
 * @param from the source's position in the snapshot of the first buckets: PostgreSQL's snapshot,
 *     MariaDB's place in the binary log; empty where that is off
 * @param to the same of the last buckets
 * @param rows of the source
 * @param differences rows that are missing, extra or different at the target
 * @param brokenInvariants on either side
 * @param without columns that the configuration leaves out, {@code table.column}
 */
public record Verified(
    Instant at,
    long mapVersion,
    MoveState state,
    String from,
    String to,
    int buckets,
    long rows,
    long differences,
    int brokenInvariants,
    List<String> without) {
  /** A snapshot of a server with many transactions is a long text; the record has 2,000. */
  private static final int POSITION_MAX_CHARS = 200;

  private static final int WITHOUT_MAX_CHARS = 1_000;

  public Verified {
    without = List.copyOf(without);
    from = shortened(from, POSITION_MAX_CHARS);
    to = shortened(to, POSITION_MAX_CHARS);
  }

  private static String shortened(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max - 3) + "...";
  }

  /** A name and a value on each line. */
  String stored() {
    Map<String, Object> lines = new TreeMap<>();
    lines.put("at", at.toEpochMilli());
    lines.put("map", mapVersion);
    lines.put("state", state.name());
    lines.put("from", from);
    lines.put("to", to);
    lines.put("buckets", buckets);
    lines.put("rows", rows);
    lines.put("differences", differences);
    lines.put("broken", brokenInvariants);
    lines.put("without", shortened(String.join(",", without), WITHOUT_MAX_CHARS));
    return lines.entrySet().stream()
        .map(line -> line.getKey() + " " + line.getValue())
        .collect(Collectors.joining("\n"));
  }

  /** Empty for what another release has stored in another form. */
  static Optional<Verified> ofStored(String text) {
    Map<String, String> lines = new TreeMap<>();
    for (String line : text.split("\n", -1)) {
      int space = line.indexOf(' ');
      if (space > 0) {
        lines.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    try {
      return Optional.of(
          new Verified(
              Instant.ofEpochMilli(Long.parseLong(lines.getOrDefault("at", ""))),
              Long.parseLong(lines.getOrDefault("map", "")),
              MoveState.valueOf(lines.getOrDefault("state", "").toUpperCase(Locale.ROOT)),
              lines.getOrDefault("from", ""),
              lines.getOrDefault("to", ""),
              Integer.parseInt(lines.getOrDefault("buckets", "")),
              Long.parseLong(lines.getOrDefault("rows", "")),
              Long.parseLong(lines.getOrDefault("differences", "")),
              Integer.parseInt(lines.getOrDefault("broken", "")),
              Arrays.stream(lines.getOrDefault("without", "").split(",", -1))
                  .filter(name -> !name.isEmpty())
                  .toList()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
