package io.shardwright.migration;

import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.config.ConfigurationReader;
import io.shardwright.routing.ShardId;
import io.shardwright.testkit.TcpProxy;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The connections of one kind of process to the catalog and the shards: each can be broken. */
final class TortureWays implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("(127\\.0\\.0\\.1):(\\d+)/");

  private final Map<ShardId, TcpProxy> shards = new TreeMap<>();
  private final TcpProxy catalog;
  private String yaml;

  TortureWays(Configuration configuration, String yaml) {
    this.yaml = yaml;
    this.catalog = proxy(configuration.catalog().orElseThrow());
    configuration.shards().values().forEach(s -> shards.put(s.id(), proxy(s.endpoint())));
  }

  private TcpProxy proxy(Endpoint endpoint) {
    Matcher address = ADDRESS.matcher(endpoint.url());
    if (!address.find()) {
      throw new IllegalArgumentException(endpoint.url());
    }
    TcpProxy proxy = new TcpProxy(address.group(1), Integer.parseInt(address.group(2)));
    String through = endpoint.url().replace(address.group(), "127.0.0.1:" + proxy.port() + "/");
    yaml = yaml.replace(endpoint.url() + '"', through + '"');
    return proxy;
  }

  /** The file of a process that goes these ways. */
  String yaml() {
    return yaml;
  }

  Configuration configuration() {
    return ConfigurationReader.parse("ways.yaml", yaml, Map.of());
  }

  /** What is under way breaks; new connections are made. */
  void cut(Collection<ShardId> some) {
    some.forEach(shard -> shards.get(shard).cut());
  }

  void cutCatalog() {
    catalog.cut();
  }

  void loseCatalog() {
    catalog.refuse();
    catalog.cut();
  }

  void findCatalog() {
    catalog.heal();
  }

  @Override
  public void close() {
    shards.values().forEach(TcpProxy::close);
    catalog.close();
  }
}
