package io.shardwright.cli.loadtest;

import io.shardwright.config.DatabaseProduct;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC url of one server, in its parts.
 *
 * @param start up to the host
 * @param host with brackets if it is an IPv6 address
 * @param parameters with the question mark, or empty
 */
record ServerUrl(String start, String host, int port, String database, String parameters) {
  private static final Pattern FORM =
      Pattern.compile(
          "(jdbc:(?:postgresql|mariadb|mysql)://)(\\[[0-9a-fA-F:.]+\\]|[^/:,?\\[\\]()=]+)(?::(\\d{1,5}))?/([^?]*)(\\?.*)?");
  private static final int POSTGRESQL_PORT = 5432;
  private static final int MARIADB_PORT = 3306;

  /** Empty: it names several servers, or none. */
  static Optional<ServerUrl> of(String url) {
    Matcher form = FORM.matcher(url);
    if (!form.matches()) {
      return Optional.empty();
    }
    int port =
        form.group(3) == null
            ? DatabaseProduct.ofUrl(url).orElseThrow() == DatabaseProduct.POSTGRESQL
                ? POSTGRESQL_PORT
                : MARIADB_PORT
            : Integer.parseInt(form.group(3));
    String parameters = form.group(5) == null ? "" : form.group(5);
    return Optional.of(
        new ServerUrl(form.group(1), form.group(2), port, form.group(4), parameters));
  }

  /** The same server's other database; without a schema, which is not there. */
  static String withDatabase(String url, String database) {
    ServerUrl parts = of(url).orElseThrow();
    List<String> kept = new ArrayList<>();
    for (String parameter : parts.parameters.replaceFirst("^\\?", "").split("&", -1)) {
      if (!parameter.isEmpty()
          && !parameter.toLowerCase(Locale.ROOT).startsWith("currentschema=")) {
        kept.add(parameter);
      }
    }
    String parameters = kept.isEmpty() ? "" : "?" + String.join("&", kept);
    return new ServerUrl(parts.start, parts.host, parts.port, database, parameters).text();
  }

  /** The same database by another way. */
  static String throughPort(String url, int port) {
    ServerUrl parts = of(url).orElseThrow();
    return new ServerUrl(parts.start, "127.0.0.1", port, parts.database, parts.parameters).text();
  }

  /** Whether the driver wants the host of the url to be that of the server's certificate. */
  boolean checksHost() {
    return parameters
        .toLowerCase(Locale.ROOT)
        .matches(".*[?&]sslmode=verify[-_]?(full|identity).*");
  }

  private String text() {
    return start + host + ":" + port + "/" + database + parameters;
  }
}
