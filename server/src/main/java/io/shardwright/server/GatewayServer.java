package io.shardwright.server;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.shardwright.config.Configuration;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.query.QueryGateway;
import io.shardwright.query.RefusedForNowException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The gateway over HTTP, from its start until it is closed. The data source is the caller's. */
public final class GatewayServer implements AutoCloseable {
  private static final String JSON = "application/json";

  /** A request is some hundred bytes. */
  private static final long BODY_MAX_BYTES = 64 << 10;

  private static final int THREADS_MAX = 64;

  private final QueryGateway gateway;
  private final Javalin http;

  private GatewayServer(QueryGateway gateway) {
    this.gateway = gateway;
    this.http = Javalin.create(this::configure);
  }

  /**
   * @param host of this machine alone: a caller is asked for no token
   * @param port 0: a free one
   */
  public static GatewayServer start(
      ShardwrightDataSource source, Configuration configuration, String host, int port) {
    if (!isLoopback(host)) {
      throw new io.shardwright.errors.ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "the gateway knows no tokens yet, and "
              + host
              + " can be reached from other machines; use 127.0.0.1");
    }
    GatewayServer server = new GatewayServer(new QueryGateway(source, configuration));
    server.http.start(host, port);
    return server;
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  public int port() {
    return http.port();
  }

  @Override
  public void close() {
    http.stop();
    gateway.close();
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.http.maxRequestSize = BODY_MAX_BYTES;
    config.http.defaultContentType = JSON;
    config.jetty.threadPool = new QueuedThreadPool(THREADS_MAX);
    config.routes.post("/v1/query", this::query);
    config.routes.exception(
        RefusedForNowException.class,
        (e, context) -> {
          context.header("Retry-After", String.valueOf(e.retryAfter().plusMillis(999).toSeconds()));
          fail(Failures.of(e), context);
        });
    config.routes.exception(HttpResponseException.class, (e, context) -> refuse(e, context));
    config.routes.exception(Exception.class, (e, context) -> fail(Failures.of(e), context));
  }

  private void query(Context context) throws Exception {
    context.contentType(JSON).result(Bodies.answer(gateway.ask(context.bodyAsBytes())));
  }

  /** What Javalin itself refuses: unknown paths, bodies that are too large. */
  private static void refuse(HttpResponseException e, Context context) {
    Failures failure = Failures.of(ErrorCode.QUERY_INVALID, e.getMessage());
    context.status(e.getStatus()).contentType(JSON).result(failure.body());
  }

  private static void fail(Failures failure, Context context) {
    context.status(failure.status()).contentType(JSON).result(failure.body());
  }
}
