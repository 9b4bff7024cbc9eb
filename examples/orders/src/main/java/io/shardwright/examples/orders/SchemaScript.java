package io.shardwright.examples.orders;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Creates the tables and fills the reference table. */
public final class SchemaScript {
  private SchemaScript() {}

  /** The statements of schema.sql, in order, without comments. */
  public static List<String> statements() {
    String script;
    try (InputStream in = SchemaScript.class.getResourceAsStream("schema.sql")) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String code =
        script
            .lines()
            .filter(line -> !line.strip().startsWith("--"))
            .collect(Collectors.joining("\n"));
    List<String> statements = new ArrayList<>();
    // No statement of the script holds a semicolon of its own.
    for (String statement : code.split(";", -1)) {
      if (!statement.isBlank()) {
        statements.add(statement.strip());
      }
    }
    return statements;
  }

  public static void run(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements()) {
        statement.execute(sql);
      }
    }
  }

  /** The 38 countries of the data. */
  public static void fillCountries(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO countries (country_id, name) VALUES (?, ?)")) {
      List<String> names = RetailOrders.Countries.NAMES;
      for (int i = 0; i < names.size(); i++) {
        insert.setInt(1, i + 1);
        insert.setString(2, names.get(i));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
