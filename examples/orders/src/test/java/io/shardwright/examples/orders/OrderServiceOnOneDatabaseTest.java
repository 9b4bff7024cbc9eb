package io.shardwright.examples.orders;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The service's SQL is plain PostgreSQL: without Shardwright only bucket_id has to come from
 * elsewhere, here from a trigger that takes it out of the order id.
 */
class OrderServiceOnOneDatabaseTest extends OrderServiceContract {
  private static PGSimpleDataSource database;

  @BeforeAll
  static void createSchema() throws IOException, SQLException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    database = new PGSimpleDataSource();
    database.setUrl(server.createDatabase("orders"));
    database.setUser(server.user());
    database.setPassword(server.password());
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        InputStream schema = OrderService.class.getResourceAsStream("schema.sql")) {
      statement.execute(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
      statement.execute(
          """
          CREATE FUNCTION fill_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            NEW.bucket_id := ((to_jsonb(NEW) ->> TG_ARGV[0])::bigint >> 9) & 4095;
            RETURN NEW;
          END $$;
          DO $$
          DECLARE t text;
          BEGIN
            FOR t IN SELECT relname FROM pg_class
              WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'countries'
            LOOP
              EXECUTE format('CREATE TRIGGER fill_bucket BEFORE INSERT ON %I FOR EACH ROW'
                || ' EXECUTE FUNCTION fill_bucket(%L)', t, 'order_id');
            END LOOP;
          END $$;
          """);
    }
  }

  @Override
  DataSource database() {
    return database;
  }
}
