package io.shardwright.driver;

import io.shardwright.catalog.CatalogIds;
import io.shardwright.catalog.LeasedNode;
import io.shardwright.config.Configuration;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.sql.Route;
import io.shardwright.sql.Route.Argument;
import io.shardwright.sql.Route.IssuedColumn;
import io.shardwright.sql.Route.ShardStatement;
import io.shardwright.sql.Route.ShardStatementText;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Issues the ids that INSERTs leave to the driver. A group's node number is leased from the catalog
 * with the first of them and given back at the end. Thread-safe.
 */
final class IdIssuer implements AutoCloseable {
  /** INSERTs that come so soon after a failed lease fail alike, without waiting for the catalog. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Configuration configuration;
  private final Map<String, Generator> generators = new ConcurrentHashMap<>();

  /** Its writer knows that no id is being issued. */
  private final ReadWriteLock closing = new ReentrantReadWriteLock();

  private volatile boolean closed;

  /** These three are guarded by this. */
  private CatalogIds catalog;

  private ShardwrightException failure;
  private long failedNanos;

  private record Generator(LeasedNode node, GeneIdGenerator ids) {}

  IdIssuer(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Draws an id for each row that has none.
   *
   * @param before ids of rows, by number, when the statement is repeated: they stay the same
   * @throws ShardwrightException SW415 without a catalog, SW411 while it is down, SW306 to SW309
   */
  IssuedRoute issue(Route route, SortedMap<Integer, Long> before) {
    Optional<IssuedColumn> column = column(route);
    if (column.isEmpty()) {
      return IssuedRoute.none(route);
    }
    Generator generator = generator(column.get());
    closing.readLock().lock();
    try {
      requireOpen();
      SortedMap<Integer, Long> idsByRow = new TreeMap<>(before);
      List<ShardStatement> statements = new ArrayList<>();
      for (ShardStatement statement : route.statements()) {
        ShardStatementText text = issue(statement.text(), generator.ids, idsByRow);
        statements.add(new ShardStatement(statement.shard(), statement.buckets(), text));
      }
      return new IssuedRoute(
          route.with(statements), column, Collections.unmodifiableSortedMap(idsByRow));
    } finally {
      closing.readLock().unlock();
    }
  }

  private static Optional<IssuedColumn> column(Route route) {
    for (ShardStatement statement : route.statements()) {
      for (Argument argument : statement.text().arguments()) {
        if (argument instanceof Argument.IssuedId id) {
          return Optional.of(id.column());
        }
      }
    }
    return Optional.empty();
  }

  private static ShardStatementText issue(
      ShardStatementText text, GeneIdGenerator ids, SortedMap<Integer, Long> idsByRow) {
    List<Argument> arguments = new ArrayList<>(text.arguments().size());
    for (Argument argument : text.arguments()) {
      if (argument instanceof Argument.IssuedId wanted) {
        long id = idsByRow.computeIfAbsent(wanted.row(), row -> ids.next(wanted.bucket()));
        arguments.add(new Argument.Int64(id));
      } else {
        arguments.add(argument);
      }
    }
    return new ShardStatementText(text.sql(), arguments);
  }

  private Generator generator(IssuedColumn column) {
    Generator known = generators.get(column.group());
    return known != null ? known : lease(column);
  }

  private synchronized Generator lease(IssuedColumn column) {
    requireOpen();
    Generator known = generators.get(column.group());
    if (known != null) {
      return known;
    }
    if (failure != null && System.nanoTime() - failedNanos < PAUSE_NANOS) {
      throw noId(column, failure);
    }
    try {
      if (catalog == null) {
        catalog = CatalogIds.open(configuration);
      }
      LeasedNode node = catalog.node(column.group(), column.layout().nodes());
      Generator leased =
          new Generator(
              node,
              new GeneIdGenerator(
                  column.layout(), Configuration.Group.GENERATION, node, InstantSource.system()));
      generators.put(column.group(), leased);
      return leased;
    } catch (ShardwrightException e) {
      failure = e;
      failedNanos = System.nanoTime();
      throw noId(column, e);
    }
  }

  private static ShardwrightException noId(IssuedColumn column, ShardwrightException cause) {
    return new ShardwrightException(
        cause.code(),
        "the INSERT into "
            + column.table()
            + " leaves "
            + column.column()
            + " to the driver, which can issue no id: "
            + cause.detail(),
        cause);
  }

  private void requireOpen() {
    if (closed) {
      throw new ShardwrightException(
          ErrorCode.CONNECTION_CLOSED, "the data source is closed; no id is issued any more");
    }
  }

  /** The next holders of the numbers go on where this one ended. */
  @Override
  public void close() {
    closing.writeLock().lock();
    try {
      closed = true;
    } finally {
      closing.writeLock().unlock();
    }
    synchronized (this) {
      for (Generator generator : generators.values()) {
        try {
          generator.node.close(generator.ids.usedUntilMillis());
        } catch (ShardwrightException e) {
          // The catalog is down: the number is free when its lease has run out.
        }
      }
      if (catalog != null) {
        catalog.close();
      }
    }
  }
}
