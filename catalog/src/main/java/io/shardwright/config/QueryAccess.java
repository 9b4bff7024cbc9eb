package io.shardwright.config;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Who may ask the query gateway.
 *
 * @param roles by name
 * @param tokens none: anyone on the gateway's own machine may ask everything
 */
public record QueryAccess(Map<String, Role> roles, List<Token> tokens) {
  public static final QueryAccess ANYONE = new QueryAccess(Map.of(), List.of());

  public QueryAccess {
    roles = Configuration.ordered(roles);
    tokens = List.copyOf(tokens);
  }

  /**
   * What its tokens may ask, within what the tables allow.
   *
   * @param tables empty: all
   * @param columns that may be read, tested and ordered by; empty: all
   * @param rows of one page; empty: as for all
   * @param span of one range; empty: that of the table
   * @param concurrency queries at a time, as many more wait
   * @param unmasked whether masked columns are shown
   * @param exports whether it may have exports made
   * @param where values of columns outside of which there are no rows for it
   */
  public record Role(
      String name,
      Set<String> tables,
      Set<String> columns,
      OptionalInt rows,
      Optional<Duration> span,
      int concurrency,
      boolean unmasked,
      boolean exports,
      Map<String, List<String>> where) {
    public static final int CONCURRENCY_DEFAULT = 8;

    public Role {
      tables = Set.copyOf(tables);
      columns = Set.copyOf(columns);
      where = Configuration.ordered(where);
    }
  }

  /**
   * A secret that callers send, of which only the hash is kept.
   *
   * @param name for the audit
   * @param sha256 of the secret, 64 hexadecimal digits in lower case
   * @param expires empty: never
   * @param where as for roles; both hold
   */
  public record Token(
      String name,
      String sha256,
      String role,
      Optional<Instant> expires,
      Map<String, List<String>> where) {
    public Token {
      where = Configuration.ordered(where);
    }

    /** Without the hash. */
    @Override
    public String toString() {
      return name + " (" + role + ")";
    }
  }
}
