package io.shardwright.examples.frameworks;

import io.shardwright.examples.orders.OrderIds;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;

/** Hibernate: the id is made from the route key of the entity before the INSERT. */
@IdGeneratorType(GeneId.Generator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
@interface GeneId {

  /** The setting of the session factory that holds the {@link OrderIds}. */
  String IDS = "shardwright.example.order_ids";

  /** An entity whose id carries its bucket. */
  interface Routed {
    long tenantId();

    long buyerId();
  }

  /** Thread-safe, as {@link OrderIds} is. */
  final class Generator implements BeforeExecutionGenerator {
    @Override
    public Object generate(
        SharedSessionContractImplementor session, Object owner, Object current, EventType event) {
      OrderIds ids = (OrderIds) session.getFactory().getProperties().get(IDS);
      Routed routed = (Routed) owner;
      return ids.next(routed.tenantId(), routed.buyerId());
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
      return EventTypeSets.INSERT_ONLY;
    }
  }
}
