package io.shardwright.query;

import io.shardwright.config.QueryAccess;
import io.shardwright.config.QueryAccess.Role;
import io.shardwright.config.QueryAccess.Token;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who asks, and what is there for it.
 *
 * @param name for the audit
 * @param bounds tests that all rows pass which it may see; each is a column and its values
 */
public record Caller(String name, Role role, List<Map<String, List<String>>> bounds) {
  /** May ask whatever the tables allow. */
  public static final Caller ANYONE =
      new Caller(
          "anyone",
          new Role(
              "anyone",
              Set.of(),
              Set.of(),
              OptionalInt.empty(),
              Optional.empty(),
              Role.CONCURRENCY_DEFAULT,
              true,
              true,
              Map.of()),
          List.of());

  public Caller {
    bounds = bounds.stream().map(Caller::copy).toList();
  }

  private static Map<String, List<String>> copy(Map<String, List<String>> bound) {
    return Map.copyOf(new LinkedHashMap<>(bound));
  }

  /** Whose token it is, as its role and its own where say. */
  public static Caller of(Token token, QueryAccess access) {
    Role role = access.roles().get(token.role());
    return new Caller(token.name(), role, List.of(role.where(), token.where()));
  }

  /** By name, as the file is now; empty: nobody there has it. */
  public static Optional<Caller> of(String name, QueryAccess access) {
    return access.tokens().isEmpty() && name.equals(ANYONE.name())
        ? Optional.of(ANYONE)
        : access.tokens().stream()
            .filter(token -> token.name().equals(name))
            .findFirst()
            .map(token -> of(token, access));
  }

  /** Hash of what decides which rows and values are there for it. */
  public long rights() {
    Fingerprint print = new Fingerprint().add(role.unmasked());
    print.add(new TreeSet<>(role.tables())).add(new TreeSet<>(role.columns()));
    for (Map<String, List<String>> bound : bounds) {
      print.add(bound.size());
      new TreeSet<>(bound.keySet()).forEach(column -> print.add(column).add(bound.get(column)));
    }
    return print.value();
  }

  boolean maySeeTable(String table) {
    return role.tables().isEmpty() || role.tables().contains(table);
  }

  boolean maySeeColumn(String column) {
    return role.columns().isEmpty() || role.columns().contains(column);
  }
}
