package io.shardwright.schema;

import io.shardwright.catalog.Database;
import io.shardwright.catalog.IndexName;
import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.config.IndexKind;
import io.shardwright.routing.ShardId;
import io.shardwright.schema.Findings.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * On PostgreSQL: what the mover's role may do on one shard, no more than a move needs
 * (docs/moves.md). On MariaDB who runs apply seldom may grant anything: nothing is done there.
 */
record MoverGrants(
    Configuration configuration, ShardId shard, Connection connection, Findings findings) {
  private static final String ROWS = "SELECT, INSERT, UPDATE, DELETE";

  private static final String ROLE = "SELECT 1 FROM pg_roles WHERE rolname = ?";

  /** The statements that give what the role lacks; parameters: role, names, rights on each. */
  private static final String LACKING =
      """
      WITH role AS (SELECT oid, rolname FROM pg_roles WHERE rolname = ?),
      wanted AS (
        SELECT c.oid, n.oid AS schema, format('%I.%I', n.nspname, c.relname) AS name, w.rights
        FROM unnest(?::text[], ?::text[]) w(name, rights)
        JOIN pg_class c ON c.oid = to_regclass(quote_ident(w.name))
        JOIN pg_namespace n ON n.oid = c.relnamespace
      ),
      numbering AS (
        SELECT DISTINCT s.oid, s.relnamespace AS schema, format('%I.%I', n.nspname, s.relname) AS name
        FROM wanted w
        JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = w.oid
        LEFT JOIN pg_depend e ON d.classid = 'pg_attrdef'::regclass
          AND e.classid = d.classid AND e.objid = d.objid AND e.refclassid = 'pg_class'::regclass
        JOIN pg_class s ON s.relkind = 'S'
          AND s.oid = CASE d.classid WHEN 'pg_class'::regclass THEN d.objid ELSE e.refobjid END
        JOIN pg_namespace n ON n.oid = s.relnamespace
      )
      SELECT format('GRANT %s ON DATABASE %I TO %I', p, current_database(), rolname)
      FROM role, unnest(ARRAY['CONNECT', 'TEMPORARY']) p
      WHERE NOT has_database_privilege(role.oid, current_database(), p)
      UNION ALL
      SELECT format('GRANT USAGE ON SCHEMA %I TO %I', n.nspname, rolname)
      FROM role, pg_namespace n
      WHERE n.oid IN (SELECT schema FROM wanted UNION SELECT schema FROM numbering)
        AND NOT has_schema_privilege(role.oid, n.oid, 'USAGE')
      UNION ALL
      SELECT format('GRANT %s ON %s TO %I', rights, name, rolname)
      FROM role, wanted
      WHERE rights <> '' AND EXISTS (
        SELECT FROM regexp_split_to_table(rights, ', ') p
        WHERE NOT has_table_privilege(role.oid, wanted.oid, p))
      UNION ALL
      SELECT format('GRANT USAGE, SELECT, UPDATE ON SEQUENCE %s TO %I', name, rolname)
      FROM role, numbering
      WHERE EXISTS (
        SELECT FROM unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) p
        WHERE NOT has_sequence_privilege(role.oid, numbering.oid, p))\
      """;

  /** After {@link FenceVisit} has made the capture tables. */
  void give(List<FencedTable> tables, ShardObjects.Log objects) throws SQLException {
    if (configuration.mover().isEmpty() || configuration.product() != DatabaseProduct.POSTGRESQL) {
      return;
    }
    String role = configuration.mover().get().user();
    if (!exists(role)) {
      findings.warning(
          Place.of(shard),
          "there is no role " + role + ", which mover: names, so no bucket can be moved",
          "run CREATE ROLE "
              + database().quote(role)
              + " LOGIN, give it the password of mover: (\\password in psql) and run apply again");
      return;
    }
    Map<String, String> wanted = wanted(tables);
    boolean given = !lacking(role, wanted).isEmpty() && grant(role, wanted);
    List<String> still = lacking(role, wanted);
    objects.add(given && still.isEmpty(), "shard " + shard + ": rights of role " + role);
    if (!still.isEmpty()) {
      findings.warning(
          Place.of(shard),
          "who runs apply may not give role " + role + " all that a mover needs",
          "let the owner run: " + String.join("; ", still));
    }
  }

  /** Rights by table; none of its own where only its sequence counts. */
  private Map<String, String> wanted(List<FencedTable> tables) {
    Map<String, String> wanted = new LinkedHashMap<>();
    wanted.put(Fence.BUCKET_TABLE, "SELECT, UPDATE");
    wanted.put("shardwright_shard", "SELECT");
    for (FencedTable table : tables) {
      wanted.put(table.name(), ROWS);
      wanted.put(table.captureTable(), ROWS);
    }
    for (Group group : configuration.groups().values()) {
      group
          .indexes()
          .forEach(
              (name, index) -> {
                if (!(index.kind() instanceof IndexKind.Unique)) {
                  wanted.put(new IndexName(group.name(), name).outboxTable(), "");
                }
              });
    }
    return wanted;
  }

  /** While no other run grants: two grants on one table at once fail. Those that it may. */
  private boolean grant(String role, Map<String, String> wanted) throws SQLException {
    return database()
        .locked(
            connection,
            c -> {
              List<String> grants = lacking(role, wanted);
              for (String grant : grants) {
                grantIfAllowed(grant);
              }
              return !grants.isEmpty();
            });
  }

  private void grantIfAllowed(String grant) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try (Statement statement = connection.createStatement()) {
      statement.execute(grant);
    } catch (SQLException e) {
      if (!SqlFailure.isMissingRight(e)) {
        throw e;
      }
      connection.rollback(before);
    }
  }

  private boolean exists(String role) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(ROLE)) {
      select.setString(1, role);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private List<String> lacking(String role, Map<String, String> wanted) throws SQLException {
    List<String> grants = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(LACKING)) {
      select.setString(1, role);
      select.setArray(2, connection.createArrayOf("text", wanted.keySet().toArray()));
      select.setArray(3, connection.createArrayOf("text", wanted.values().toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          grants.add(row.getString(1));
        }
      }
    }
    return grants;
  }

  private Database database() {
    return Database.of(configuration.product());
  }
}
