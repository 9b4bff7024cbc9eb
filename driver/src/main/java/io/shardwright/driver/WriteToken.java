package io.shardwright.driver;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.ShardId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a reader, in another process too, needs to know so that it sees what was written: {@link
 * ShardwrightSession#writeToken} and {@link ShardwrightDataSource#awaitWrites}. Its text has a
 * format number and stays readable (docs/vectors/write-token-v1.tsv). No secret, and not signed: a
 * false one deceives nobody but its owner.
 *
 * @param cluster id of the cluster; empty without a catalog database
 * @param version of the catalog's state that the writes were routed by
 * @param servers which server of each written shard has the writes
 */
public record WriteToken(String cluster, long version, Map<ShardId, String> servers) {
  private static final String PREFIX = "w1.";

  public WriteToken {
    servers = Collections.unmodifiableMap(new TreeMap<>(servers));
  }

  /**
   * @throws ShardwrightException SW814 when it is none
   */
  public static WriteToken parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw invalid("it does not begin with " + PREFIX);
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text.substring(PREFIX.length()));
      String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
      Map<ShardId, String> servers = new LinkedHashMap<>();
      for (int i = 2; i < lines.length; i++) {
        int end = lines[i].indexOf('=');
        servers.put(new ShardId(lines[i].substring(0, end)), lines[i].substring(end + 1));
      }
      return new WriteToken(lines[0], Long.parseLong(lines[1]), servers);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw invalid("it was changed or cut off");
    }
  }

  private static ShardwrightException invalid(String why) {
    return new ShardwrightException(
        ErrorCode.WRITES_UNPROVEN,
        "this is no token of a write: " + why + "; give the one that writeToken() returned");
  }

  /** As {@link #parse} reads it: letters, digits, {@code -}, {@code _} and a dot. */
  @Override
  public String toString() {
    StringBuilder lines = new StringBuilder(cluster).append('\n').append(version);
    servers.forEach(
        (shard, server) -> lines.append('\n').append(shard.name()).append('=').append(server));
    return PREFIX
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(lines.toString().getBytes(StandardCharsets.UTF_8));
  }
}
