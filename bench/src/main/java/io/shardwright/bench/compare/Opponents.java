package io.shardwright.bench.compare;

import com.zaxxer.hikari.HikariDataSource;
import io.shardwright.bench.stub.StubDatabase;
import io.shardwright.bench.stub.StubDriver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The one side of this process, opened for one set of shards after the other. Not thread-safe.
 *
 * <p>The classes of Shardwright and ShardingSphere are loaded by their own sides alone, since the
 * others' class paths do not have them.
 */
final class Opponents implements AutoCloseable {
  static final String SHARDINGSPHERE_CLASS =
      "io.shardwright.bench.shardingsphere.ShardingSphereSource";

  private final Setup setup;
  private final Map<String, Opponent> open = new HashMap<>();
  private final List<StubDatabase> stubs = new ArrayList<>();

  Opponents(Setup setup) {
    this.setup = setup;
  }

  Opponent of(String set) throws SQLException {
    Opponent opponent = open.get(set);
    if (opponent == null) {
      opponent = open(set);
      open.put(set, opponent);
    }
    return opponent;
  }

  private Opponent open(String set) throws SQLException {
    List<String> urls = setup.sets().get(set);
    if (urls == null) {
      throw new SQLException("no set of shards is named " + set);
    }
    if (set.equals(Workloads.STUB)) {
      urls = stub(urls);
    }
    boolean lookup = set.startsWith(Workloads.LOOKUP);
    Opponent opponent =
        switch (setup.side()) {
          case RAW -> new RawOpponent(urls, setup);
          case SLOWEST_SHARD -> new SlowestShard(new RawOpponent(urls, setup));
          case SHARDWRIGHT -> ShardwrightOpener.open(urls, setup, lookup);
          case SHARDINGSPHERE -> shardingSphere(urls, lookup);
          case ONE_SERVER -> {
            HikariDataSource pool =
                RawOpponent.pool(urls.get(0), setup, setup.poolMax() * Stand.SHARDS);
            yield new DataSourceOpponent(pool, pool, false);
          }
        };
    if (lookup) {
      Numbered.learn(opponent);
    }
    return opponent;
  }

  private List<String> stub(List<String> urls) throws SQLException {
    List<String> stubUrls = new ArrayList<>();
    for (String url : urls) {
      String stub = StubDriver.add(url, setup.user(), setup.password());
      stubUrls.add(stub);
      stubs.add(StubDriver.database(stub));
    }
    return stubUrls;
  }

  /** From here on the stubs ask no server. */
  void sealStubs() {
    stubs.forEach(StubDatabase::seal);
  }

  /** Statements that the stubs were sent so far. */
  long stubExecutions() {
    return stubs.stream().mapToLong(StubDatabase::executions).sum();
  }

  long stubTransactionEnds() {
    return stubs.stream().mapToLong(StubDatabase::transactionEnds).sum();
  }

  @SuppressWarnings("unchecked")
  private Opponent shardingSphere(List<String> urls, boolean lookup) throws SQLException {
    Map<String, String> settings = new HashMap<>();
    settings.put("user", setup.user());
    settings.put("password", setup.password());
    settings.put("poolMax", Integer.toString(setup.poolMax()));
    settings.put("tables", lookup ? "numbered" : "buyers,orders,order_items,payments,order_events");
    settings.put("buckets", Integer.toString(OrderTables.BUCKETS));
    for (int shard = 0; shard < urls.size(); shard++) {
      settings.put("url." + shard, urls.get(shard));
    }
    try {
      Function<Map<String, String>, DataSource> opener =
          Class.forName(SHARDINGSPHERE_CLASS)
              .asSubclass(Function.class)
              .getConstructor()
              .newInstance();
      DataSource source = opener.apply(settings);
      return new DataSourceOpponent(source, (AutoCloseable) source, true);
    } catch (ReflectiveOperationException e) {
      throw new SQLException("ShardingSphere-JDBC is not on the class path", e);
    }
  }

  void close(String set) {
    Opponent opponent = open.remove(set);
    if (opponent != null) {
      opponent.close();
    }
  }

  @Override
  public void close() {
    List.copyOf(open.keySet()).forEach(this::close);
  }
}
