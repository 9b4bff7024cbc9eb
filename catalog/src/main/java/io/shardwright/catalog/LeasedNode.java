package io.shardwright.catalog;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.NodeLease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node number leased from the catalog. Thread-safe.
 *
 * <p>Problem: two processes must never issue ids under one number, although processes stop for
 * minutes, clocks jump and answers get lost. Idea: two fences. The row's {@code used_until} is
 * written before ids up to that time are issued, and the next holder's ids begin above it; this one
 * needs no clock to be right. The lease keeps others away from the number while its holder lives;
 * it is the catalog's clock that ends it, and the holder stops {@link #MARGIN} before, by its
 * monotonic clock and by its wall clock, each counted from before the renewal was sent.
 *
 * <p>States: held (renewed every {@link #RENEW_EVERY}); silent (no renewal for {@link #LEASE} less
 * {@link #MARGIN}: {@link #current} refuses, {@link #renewIfDue} goes on trying); held again, under
 * the same number if nobody took it, else under another one; closed. A process that dies in any
 * state leaves a number that is free after {@link #LEASE}.
 */
public final class LeasedNode implements NodeLease, AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(60);
  static final Duration RENEW_EVERY = Duration.ofSeconds(15);
  static final Duration MARGIN = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(LeasedNode.class);

  private final CatalogSession session;
  private final String scope;
  private final int nodes;
  private final Clocks clocks;

  private volatile Held held;

  private boolean closed;
  private boolean failing;

  /**
   * @param monotonic nanoseconds, as {@link System#nanoTime}
   */
  record Clocks(InstantSource wall, LongSupplier monotonic) {}

  private record Held(Grant grant, long renewedNanos) {}

  /** Takes a number. */
  LeasedNode(CatalogSession session, String scope, int nodes, Clocks clocks) {
    this.session = session;
    this.scope = scope;
    this.nodes = nodes;
    this.clocks = clocks;
    this.held = take();
  }

  @Override
  public Grant current() {
    Held now = held;
    if (clocks.monotonic.getAsLong() - now.renewedNanos >= LEASE.minus(MARGIN).toNanos()) {
      throw new ShardwrightException(
          ErrorCode.NODE_LEASE_LOST,
          "node "
              + now.grant.node()
              + " of '"
              + scope
              + "' has not been renewed for "
              + TimeUnit.NANOSECONDS.toSeconds(clocks.monotonic.getAsLong() - now.renewedNanos)
              + " s, so another process may have it; ids are issued again once the catalog"
              + " answers");
    }
    return now.grant;
  }

  /** Called each second. Never throws: what fails is logged and tried again. */
  synchronized void renewIfDue() {
    if (closed || !isDue()) {
      return;
    }
    try {
      Optional<Held> renewed = renew();
      if (renewed.isEmpty()) {
        held = ended();
      }
      held = renewed.orElseGet(this::take);
      if (failing) {
        LOG.info("node {} of '{}' is held", held.grant.node(), scope);
      }
      failing = false;
    } catch (RuntimeException e) {
      if (!failing) {
        LOG.warn("node {} of '{}' cannot be renewed: {}", held.grant.node(), scope, e.getMessage());
      }
      failing = true;
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Also when the wall clock was set forward, which would end the grant early. */
  private boolean isDue() {
    long left = held.grant.validUntilMillis() - clocks.wall.millis();
    return clocks.monotonic.getAsLong() - held.renewedNanos >= RENEW_EVERY.toNanos()
        || left < LEASE.minus(MARGIN).minus(RENEW_EVERY).toMillis();
  }

  /**
   * Gives the number back. What may have been issued stays on record up to the end of the grant, so
   * that ids that are being issued at this moment are safe, too.
   */
  @Override
  public void close() {
    give(held.grant.validUntilMillis());
  }

  /**
   * Gives the number back so that the next holder can go on at once, in the same millisecond.
   *
   * @param usedUntilMillis the largest {@code usedUntilMillis} of all generators that had this
   *     lease; none of them may be used afterwards
   */
  public void close(long usedUntilMillis) {
    Grant grant = held.grant;
    give(Math.min(grant.validUntilMillis(), Math.max(grant.usedUntilMillis(), usedUntilMillis)));
  }

  private synchronized void give(long usedUntil) {
    if (closed) {
      return;
    }
    closed = true;
    Grant grant = held.grant;
    held = ended();
    session.call(
        c -> {
          new NodeTable(c).free(scope, grant.node(), grant.epoch(), usedUntil);
          return null;
        });
  }

  /** What {@link #current} refuses from now on. */
  private Held ended() {
    return new Held(held.grant, clocks.monotonic.getAsLong() - LEASE.toNanos());
  }

  private Held take() {
    long sentNanos = clocks.monotonic.getAsLong();
    NodeTable.Terms terms = terms(0);
    NodeTable.Row row =
        session
            .call(
                c -> {
                  session.readClusterId(c);
                  return new NodeTable(c).take(scope, nodes, terms);
                })
            .orElseThrow(this::allHeld);
    return new Held(
        new Grant(
            row.node(),
            row.epoch() + 1,
            row.usedUntil(),
            Math.max(row.usedUntil(), terms.usedUntil())),
        sentNanos);
  }

  /** Empty when the number is another's by now. */
  private Optional<Held> renew() {
    long sentNanos = clocks.monotonic.getAsLong();
    Grant grant = held.grant;
    NodeTable.Terms terms = terms(grant.validUntilMillis());
    boolean renewed =
        session.call(c -> new NodeTable(c).renew(scope, grant.node(), grant.epoch(), terms));
    return renewed
        ? Optional.of(
            new Held(
                new Grant(grant.node(), grant.epoch(), grant.usedUntilMillis(), terms.usedUntil()),
                sentNanos))
        : Optional.empty();
  }

  /** The record only grows: after the clock went back, ids of the old time may be out. */
  private NodeTable.Terms terms(long recorded) {
    return new NodeTable.Terms(
        LEASE.toMillis(),
        Math.max(recorded, clocks.wall.millis() + LEASE.minus(MARGIN).toMillis()));
  }

  private ShardwrightException allHeld() {
    long free = session.call(this::firstFreeMillis);
    return new ShardwrightException(
        ErrorCode.NODES_EXHAUSTED,
        "all "
            + nodes
            + " node numbers of '"
            + scope
            + "' are held by other processes; unless it is renewed the first one is free in "
            + Duration.ofMillis(free).toSeconds()
            + " s. Stop processes that issue no ids");
  }

  private long firstFreeMillis(Connection connection) throws SQLException {
    return new NodeTable(connection)
        .rows(scope, nodes).stream().mapToLong(NodeTable.Row::freeInMillis).min().orElse(0);
  }
}
