package io.shardwright.catalog;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.Configuration.SegmentColumn;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.SegmentIds;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What the catalog gives out for ids: node numbers and blocks of sequences. Renews what it leased
 * in a thread of its own. Thread-safe.
 *
 * <p>Methods throw {@link ShardwrightException}: SW411 when the catalog is down, SW412 when it
 * refuses the login, SW104 when {@code shardwright apply} has not been run, SW414 when its format
 * is newer than this release.
 */
public final class CatalogIds implements AutoCloseable {
  private static final int NAME_CHARS_MAX = 63;

  private final CatalogSession session;
  private final LeasedNode.Clocks clocks;
  private final List<LeasedNode> leased = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService renewals;
  private final Future<?> renewal;

  CatalogIds(CatalogSession session, LeasedNode.Clocks clocks) {
    this.session = session;
    this.clocks = clocks;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "shardwright-node-lease");
              thread.setDaemon(true);
              return thread;
            });
    this.renewals = executor;
    this.renewal = executor.scheduleWithFixedDelay(this::renew, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * Connects at the first use.
   *
   * @throws ShardwrightException SW415 when the configuration names no catalog
   */
  public static CatalogIds open(Configuration configuration) {
    Endpoint endpoint =
        configuration
            .catalog()
            .orElseThrow(
                () ->
                    new ShardwrightException(
                        ErrorCode.CATALOG_READ_ONLY,
                        "node numbers and sequences are kept in the catalog, and the configuration"
                            + " names none; add catalog: and run shardwright apply -c FILE"));
    return new CatalogIds(
        new CatalogSession(endpoint, () -> DatabaseLogin.SHORT.open(endpoint)),
        new LeasedNode.Clocks(InstantSource.system(), System::nanoTime));
  }

  /**
   * Takes a node number that no other process of this scope holds, and keeps it until it is closed.
   *
   * @param scope processes of one scope have different numbers; 1 to 63 characters
   * @param nodes numbers are 0 to nodes - 1
   * @throws ShardwrightException SW309 when all are held
   */
  public LeasedNode node(String scope, int nodes) {
    checkName(scope);
    LeasedNode node = new LeasedNode(session, scope, nodes, clocks);
    leased.add(node);
    return node;
  }

  private void renew() {
    leased.removeIf(LeasedNode::isClosed);
    leased.forEach(LeasedNode::renewIfDue);
  }

  /**
   * Blocks of a sequence, which begins at 1. Each block is given out once in all processes.
   *
   * @param name 1 to 63 characters
   * @param size 1 to {@link SegmentColumn#BLOCK_MAX}
   */
  public SegmentIds.BlockSource sequence(String name, int size) {
    checkName(name);
    if (size < 1 || size > SegmentColumn.BLOCK_MAX) {
      throw new IllegalArgumentException(
          "block size " + size + " is outside 1 to " + SegmentColumn.BLOCK_MAX);
    }
    return new SequenceBlocks(session, name, size);
  }

  /** Gives back the node numbers that are still held. Never throws for a catalog that is down. */
  @Override
  public void close() {
    renewal.cancel(false);
    renewals.shutdown();
    for (LeasedNode node : leased) {
      try {
        node.close();
      } catch (ShardwrightException e) {
        // It is free when its lease has run out.
      }
    }
    session.close();
  }

  private static void checkName(String name) {
    if (name.isBlank() || name.length() > NAME_CHARS_MAX) {
      throw new IllegalArgumentException("'" + name + "' has not 1 to 63 characters");
    }
  }
}
