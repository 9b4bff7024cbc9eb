package io.shardwright.config;

import io.shardwright.config.QueryAccess.Role;
import io.shardwright.config.QueryAccess.Token;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Who may ask the query gateway. */
final class QueryAccessMapping {
  private static final List<String> ROLE_KEYS =
      List.of("tables", "columns", "rows", "span", "concurrency", "unmasked", "exports", "where");
  private static final List<String> TOKEN_KEYS =
      List.of("name", "hash", "role", "expires", "where");
  private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");
  private static final String WRITE_HASH =
      "write hash: \"sha256:...\", what printf %s TOKEN | sha256sum prints";
  private static final String WRITE_TOKEN = "write {name: ops-1, hash: \"sha256:...\", role: ops}";
  private static final int CONCURRENCY_MAX = 1_000;
  private static final int ROWS_MAX = 10_000;
  private static final Duration SPAN_MIN = Duration.ofSeconds(1);
  private static final Duration SPAN_MAX = Duration.ofDays(3_660);

  private QueryAccessMapping() {}

  /**
   * @param query that may have keys {@code roles} and {@code tokens}
   * @param tables that may be asked
   */
  static QueryAccess read(YamlMap query, Set<String> tables) {
    Map<String, Role> roles = new LinkedHashMap<>();
    Optional<YamlMap> entries = query.has("roles") ? query.map("roles") : Optional.empty();
    for (String name : entries.map(YamlMap::names).orElse(List.of())) {
      entries
          .get()
          .map(name)
          .ifPresent(entry -> roles.put(name, role(name, entry.allow(ROLE_KEYS), tables)));
    }
    List<Token> tokens = new ArrayList<>();
    if (query.has("tokens")) {
      for (YamlMap entry : query.maps("tokens")) {
        token(entry.allow(TOKEN_KEYS), roles).ifPresent(tokens::add);
      }
    }
    checkDistinct(query, tokens);
    return new QueryAccess(roles, tokens);
  }

  private static Role role(String name, YamlMap entry, Set<String> tables) {
    Set<String> own = new HashSet<>();
    for (YamlMap.Text table : entry.texts("tables").orElse(List.of())) {
      if (!tables.contains(table.value())) {
        entry.problem(table, "table " + table.value() + " is not in query.tables", "add it there");
      }
      own.add(table.value());
    }
    Set<String> columns =
        entry.texts("columns").orElse(List.of()).stream()
            .map(YamlMap.Text::value)
            .collect(Collectors.toSet());
    return new Role(
        name,
        own,
        columns,
        entry.integer("rows", 1, ROWS_MAX),
        entry.duration("span", SPAN_MIN, SPAN_MAX),
        entry.integer("concurrency", 1, CONCURRENCY_MAX).orElse(Role.CONCURRENCY_DEFAULT),
        isTrue(entry, "unmasked"),
        isTrue(entry, "exports"),
        where(entry));
  }

  private static boolean isTrue(YamlMap entry, String key) {
    Optional<String> text = entry.text(key);
    text.filter(word -> !word.equals("true") && !word.equals("false"))
        .ifPresent(word -> entry.problem(key, "is " + entry.shown(key), "write true or false"));
    return text.filter("true"::equals).isPresent();
  }

  /** One value or a list of them for each column. */
  private static Map<String, List<String>> where(YamlMap entry) {
    Map<String, List<String>> where = new LinkedHashMap<>();
    Optional<YamlMap> map = entry.has("where") ? entry.map("where") : Optional.empty();
    for (String column : map.map(YamlMap::names).orElse(List.of())) {
      YamlMap columns = map.get();
      List<String> values =
          columns.written(column).isEmpty()
              ? columns.texts(column).orElse(List.of()).stream().map(YamlMap.Text::value).toList()
              : columns.text(column).stream().toList();
      if (values.isEmpty()) {
        columns.problem(column, "has no value", "write seller_id: 7, or status: [1, 2]");
      }
      where.put(column, values);
    }
    return where;
  }

  private static Optional<Token> token(YamlMap entry, Map<String, Role> roles) {
    Optional<String> name = entry.requireText("name", WRITE_TOKEN);
    Optional<String> hash = entry.requireText("hash", WRITE_HASH);
    Optional<String> role = entry.requireText("role", WRITE_TOKEN);
    hash.filter(text -> !HASH.matcher(text).matches())
        .ifPresent(text -> entry.problem("hash", "is no SHA-256", WRITE_HASH));
    role.filter(text -> !roles.containsKey(text))
        .ifPresent(
            text ->
                entry.problem(
                    "role",
                    "is " + entry.shown("role"),
                    "write one of query.roles: " + String.join(", ", roles.keySet())));
    Optional<Instant> expires = expires(entry);
    Map<String, List<String>> where = where(entry);
    return name.isEmpty() || hash.isEmpty() || role.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Token(
                name.get(),
                hash.get().substring(hash.get().indexOf(':') + 1),
                role.get(),
                expires,
                where));
  }

  private static Optional<Instant> expires(YamlMap entry) {
    Optional<String> text = entry.text("expires");
    try {
      return text.map(moment -> OffsetDateTime.parse(moment).toInstant());
    } catch (DateTimeParseException e) {
      entry.problem("expires", "is " + entry.shown("expires"), "write 2027-01-01T00:00:00Z");
      return Optional.empty();
    }
  }

  private static void checkDistinct(YamlMap query, List<Token> tokens) {
    Set<String> names = new HashSet<>();
    Set<String> hashes = new HashSet<>();
    for (Token token : tokens) {
      if (!names.add(token.name()) || !hashes.add(token.sha256())) {
        query.problem(
            "tokens",
            "have the name or the hash of " + token.name() + " twice",
            "give each token its own");
      }
    }
  }
}
