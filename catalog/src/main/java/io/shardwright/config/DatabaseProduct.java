package io.shardwright.config;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The databases that can be shards or the catalog, by their JDBC urls. */
public enum DatabaseProduct {
  POSTGRESQL("PostgreSQL", "jdbc:postgresql:.*"),
  /** A {@code jdbc:mysql:} url is one of MariaDB too; a MySQL server behind it is refused. */
  MARIADB("MariaDB", "jdbc:(mariadb|mysql):.*");

  private final String words;
  private final Pattern url;

  DatabaseProduct(String words, String url) {
    this.words = words;
    this.url = Pattern.compile(url, Pattern.DOTALL);
  }

  /** Empty when no product has such urls. */
  public static Optional<DatabaseProduct> ofUrl(String url) {
    return Stream.of(values()).filter(product -> product.url.matcher(url).matches()).findFirst();
  }

  @Override
  public String toString() {
    return words;
  }
}
