package io.shardwright.routing;

import java.util.regex.Pattern;

/**
 * The stable name of a shard. It outlives endpoints: a failover changes the URL behind it, never
 * the name.
 *
 * @param name 1 to 63 characters: a lower-case letter, then lower-case letters, digits, {@code _}
 *     or {@code -}
 */
public record ShardId(String name) implements Comparable<ShardId> {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");

  public ShardId {
    if (!isValid(name)) {
      throw new IllegalArgumentException(
          "shard name '"
              + name
              + "': use a lower-case letter, then up to 62 lower-case letters, digits, _ or -");
    }
  }

  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  @Override
  public int compareTo(ShardId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
