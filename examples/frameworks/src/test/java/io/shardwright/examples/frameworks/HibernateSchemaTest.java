package io.shardwright.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.config.Configuration;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.driver.Shardwright;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.examples.orders.OrderIds;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease;
import io.shardwright.routing.GeneIdLayout;
import io.shardwright.schema.Apply;
import io.shardwright.schema.ApplyReport;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.Table;
import java.nio.file.Path;
import java.time.InstantSource;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** Hibernate makes the tables, through the driver, on every shard. */
class HibernateSchemaTest {
  private static final String GROUP =
      """
      groups:
        notes:
          key: [tenant_id, buyer_id]
          buckets: 1024
          id: {column: note_id, type: gene}
          tables:
            notes: {}
      """;

  /** bucket_id is mapped for the generated table only: the driver fills it in. */
  @Entity(name = "Notes")
  @Table(name = "notes", indexes = @Index(name = "notes_by_title", columnList = "title"))
  static class NoteEntity implements GeneId.Routed {
    @Id
    @GeneId
    @Column(name = "note_id")
    Long noteId;

    @Column(name = "bucket_id", nullable = false, insertable = false, updatable = false)
    Integer bucketId;

    @Column(name = "tenant_id", nullable = false, updatable = false)
    long tenantId;

    @Column(name = "buyer_id", nullable = false, updatable = false)
    long buyerId;

    @Column(name = "title", nullable = false)
    String title;

    protected NoteEntity() {}

    NoteEntity(long tenantId, long buyerId, String title) {
      this.tenantId = tenantId;
      this.buyerId = buyerId;
      this.title = title;
    }

    @Override
    public long tenantId() {
      return tenantId;
    }

    @Override
    public long buyerId() {
      return buyerId;
    }
  }

  @Test
  void createOnly_thenApply_thenUpdate_servesEntities() throws Exception {
    Path file = TestingOrdersDatabase.emptyShards(GROUP);
    Configuration configuration = ConfigurationReader.read(file);
    Apply.run(configuration, Apply.Options.DEFAULT);
    try (ShardwrightDataSource source = Shardwright.open(file)) {
      sessions(source, null, "create-only").close();
      ApplyReport applied = Apply.run(configuration, Apply.Options.DEFAULT);
      assertThat(applied.ok()).as("%s", applied).isTrue();
      source.refreshSchema();
      OrderIds ids =
          new OrderIds(
              source.schema().table("notes").orElseThrow().sharding().orElseThrow().function(),
              new GeneIdGenerator(
                  GeneIdLayout.forBuckets(1024), 0, NodeLease.fixed(1), InstantSource.system()));

      try (SessionFactory sessions = sessions(source, ids, "update")) {
        for (int buyer = 0; buyer < 10; buyer++) {
          NoteEntity note = new NoteEntity(1, buyer, "note " + buyer);
          sessions.inTransaction(session -> session.persist(note));
          NoteEntity found =
              sessions.fromSession(session -> session.find(NoteEntity.class, note.noteId));
          assertThat(found.title).isEqualTo(note.title);
          assertThat(found.bucketId).isNotNull();
        }
        assertThat(
                sessions.<Long>fromSession(
                    session ->
                        session
                            .createSelectionQuery("select count(*) from Notes", Long.class)
                            .getSingleResult()))
            .isEqualTo(10);
      }
    }
  }

  private static SessionFactory sessions(
      ShardwrightDataSource source, OrderIds ids, String schemaAction) {
    org.hibernate.cfg.Configuration configuration = new org.hibernate.cfg.Configuration();
    configuration.addAnnotatedClass(NoteEntity.class);
    configuration.getProperties().put("jakarta.persistence.nonJtaDataSource", source);
    if (ids != null) {
      configuration.getProperties().put(GeneId.IDS, ids);
    }
    configuration.setProperty("hibernate.hbm2ddl.auto", schemaAction);
    // A failed statement must not be a warning only.
    configuration.setProperty("hibernate.hbm2ddl.halt_on_error", "true");
    return configuration.buildSessionFactory();
  }
}
