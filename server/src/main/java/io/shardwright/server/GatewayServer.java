package io.shardwright.server;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.shardwright.config.Configuration;
import io.shardwright.config.QueryRules;
import io.shardwright.driver.ShardwrightDataSource;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.AggregateAnswer;
import io.shardwright.query.Caller;
import io.shardwright.query.ExportJobs;
import io.shardwright.query.QueryAnswer;
import io.shardwright.query.QueryAnswer.Coverage;
import io.shardwright.query.QueryGateway;
import io.shardwright.query.RefusedForNowException;
import io.shardwright.query.SettlementWaitsException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway over HTTP, from its start until it is closed. The data source is the caller's. */
public final class GatewayServer implements AutoCloseable {
  /** Who asked what and what came of it; never values. */
  private static final Logger AUDIT = LoggerFactory.getLogger("io.shardwright.audit");

  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  /** A request is some hundred bytes. */
  private static final long BODY_MAX_BYTES = 64 << 10;

  private static final int THREADS_MAX = 64;

  /** A connection on which nothing moves is closed. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** Bytes a second that a client must send, and take, at least. */
  private static final long SENT_MIN = 100;

  private static final long TAKEN_MIN = 10_000;

  private static final Duration SECOND_LESS_ONE = Duration.ofMillis(999);

  private final QueryGateway gateway;
  private final Tokens tokens;
  private final Admission admission;
  private final Metrics metrics = new Metrics();
  private final Duration timeout;
  private final Optional<QueryJobs> jobs;
  private final QueryJobRoutes jobRoutes;
  private final Javalin http;

  private GatewayServer(QueryGateway gateway, QueryRules rules, InstantSource clock) {
    this.gateway = gateway;
    this.tokens = new Tokens(rules.access(), clock);
    this.timeout = rules.limits().timeout();
    this.admission = new Admission(timeout.dividedBy(2));
    this.jobs =
        gateway
            .directory()
            .map(
                kept ->
                    new QueryJobs(
                        kept.under("queries"), this::askAgain, tokens, metrics, rules, clock));
    this.jobRoutes = new QueryJobRoutes(jobs, this::caller);
    this.http = Javalin.create(this::configure);
  }

  /**
   * @param host one of this machine alone unless the file has tokens
   * @param port 0: a free one
   */
  public static GatewayServer start(
      ShardwrightDataSource source, Configuration configuration, String host, int port) {
    return start(source, configuration, host, port, InstantSource.system());
  }

  static GatewayServer start(
      ShardwrightDataSource source,
      Configuration configuration,
      String host,
      int port,
      InstantSource clock) {
    QueryGateway gateway = new QueryGateway(source, configuration, clock);
    QueryRules rules = configuration.query().orElseThrow();
    if (rules.access().tokens().isEmpty() && !isLoopback(host)) {
      gateway.close();
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "the file has no query.tokens, and "
              + host
              + " can be reached from other machines; declare tokens, or use 127.0.0.1");
    }
    GatewayServer server;
    try {
      server = new GatewayServer(gateway, rules, clock);
    } catch (RuntimeException e) {
      gateway.close();
      throw e;
    }
    try {
      server.http.start(host, port);
    } catch (RuntimeException e) {
      server.jobs.ifPresent(QueryJobs::close);
      gateway.close();
      throw e;
    }
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

  /** Queries that run or wait. */
  int running() {
    return admission.inside();
  }

  /** Refuses new queries, and ends when those that run have been answered. */
  @Override
  public void close() {
    jobs.ifPresent(QueryJobs::close);
    admission.close(timeout.plusSeconds(1));
    http.stop();
    gateway.close();
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.http.maxRequestSize = BODY_MAX_BYTES;
    config.http.defaultContentType = JSON;
    config.jetty.threadPool = new QueuedThreadPool(THREADS_MAX);
    config.jetty.modifyHttpConfiguration(http -> http.setIdleTimeout(IDLE.toMillis()));
    config.jetty.modifyServer(GatewayServer::bearSlowClients);
    config.routes.post("/v1/query", this::query);
    config.routes.post("/v1/aggregates", this::aggregate);
    new ExportRoutes(gateway.exports(), this::caller, metrics).addTo(config);
    jobRoutes.addTo(config);
    config.routes.get("/v1/openapi.json", context -> context.result(document()));
    config.routes.get("/health", context -> context.result("{\"status\":\"ok\"}"));
    config.routes.get("/ready", this::ready);
    config.routes.get(
        "/metrics",
        context ->
            context
                .contentType(PROMETHEUS)
                .result(
                    metrics.text(
                        running(),
                        gateway.exports().map(ExportJobs::unfinished).orElse(0),
                        jobs.map(QueryJobs::unfinished).orElse(0),
                        gateway.resting())));
    config.routes.exception(
        HttpResponseException.class,
        (e, context) -> {
          Failures failure = Failures.of(ErrorCode.QUERY_INVALID, e.getMessage());
          context.status(e.getStatus()).contentType(JSON).result(failure.body());
        });
    config.routes.exception(Exception.class, GatewayServer::fail);
  }

  /** No thread waits for a body, and nobody sends or takes one for hours. */
  private static void bearSlowClients(Server server) {
    server.insertHandler(
        new EagerContentHandler(
            new EagerContentHandler.RetainedContentLoaderFactory(BODY_MAX_BYTES, 0, false)));
    server.insertHandler(new MinimumDataRateHandler(SENT_MIN, TAKEN_MIN));
  }

  /** docs/openapi.json */
  private static byte[] document() throws IOException {
    try (InputStream in = GatewayServer.class.getResourceAsStream("openapi.json")) {
      return in.readAllBytes();
    }
  }

  private void query(Context context) throws Exception {
    byte[] body = context.bodyAsBytes();
    answer(
        context,
        caller -> ask(body, caller),
        (caller, e) -> {
          boolean taken = QueryGateway.isAsync(body) && jobRoutes.takesUp(e);
          if (taken) {
            jobRoutes.takeUp(context, body, caller, e);
            metrics.ended("async");
          }
          return taken;
        });
  }

  private Answered ask(byte[] body, Caller caller) throws SQLException {
    QueryAnswer answer = gateway.ask(body, caller);
    return new Answered(
        Bodies.answer(answer),
        answer.queryId(),
        answer.shape(),
        answer.columns(),
        answer.rows().size(),
        answer.coverage(),
        answer.elapsed());
  }

  /** An attempt of a job, in the turn of its caller. */
  private byte[] askAgain(byte[] body, Caller caller) throws SQLException {
    Admission.Place place = admission.enter(caller.role());
    try {
      Answered answer = ask(body, caller);
      audit(caller, answer);
      count(answer);
      return answer.body();
    } finally {
      place.close();
    }
  }

  private void aggregate(Context context) throws Exception {
    byte[] body = context.bodyAsBytes();
    answer(
        context,
        caller -> {
          AggregateAnswer answer = gateway.aggregate(body, caller);
          return new Answered(
              Bodies.answer(answer),
              answer.queryId(),
              answer.shape(),
              List.of(),
              answer.groups().size(),
              answer.coverage(),
              answer.elapsed());
        },
        (caller, e) -> false);
  }

  /** What a caller is answered, and what the audit and the metrics hear of it. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares or keeps it.
  private record Answered(
      byte[] body,
      String queryId,
      String shape,
      List<String> columns,
      int rows,
      Coverage coverage,
      Duration elapsed) {}

  private interface Question {
    Answered ask(Caller caller) throws SQLException;
  }

  /** What becomes of a question that failed. */
  private interface Otherwise {
    /** Whether it has answered in place of the failure. */
    boolean answers(Caller caller, Exception e);
  }

  /** With the rights and in the turn of the caller. */
  private void answer(Context context, Question question, Otherwise otherwise) throws Exception {
    Caller caller = caller(context);
    long start = System.nanoTime();
    try {
      Admission.Place place = admission.enter(caller.role());
      try {
        Answered answer = question.ask(caller);
        audit(caller, answer);
        count(answer);
        send(answer.body(), context.res());
      } finally {
        place.close();
      }
    } catch (ShardwrightException | SQLException e) {
      Exception told = e;
      try {
        if (otherwise.answers(caller, e)) {
          return;
        }
      } catch (ShardwrightException refused) {
        told = refused;
      }
      metrics.ended(Failures.of(told).code().code());
      auditRefused(caller, "query", start, told);
      throw told;
    }
  }

  /**
   * @param what was asked for
   */
  static void auditRefused(Caller caller, String what, long startNanos, Exception e) {
    AUDIT.info(
        "caller={} role={} asked={} refused={} ms={}",
        caller.name(),
        caller.role().name(),
        what,
        Failures.of(e).code().code(),
        Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
  }

  private Caller caller(Context context) {
    try {
      return tokens.caller(context.header("Authorization"));
    } catch (ShardwrightException e) {
      metrics.ended(e.code().code());
      throw e;
    }
  }

  private void count(Answered answer) {
    metrics.ended(answer.coverage().missing().isEmpty() ? "complete" : "partial");
    metrics.answered(answer.rows(), answer.coverage().retries(), answer.elapsed());
  }

  /** Out of this process before the place is given back, so that a stop waits for it. */
  private static void send(byte[] body, HttpServletResponse response) throws IOException {
    response.setContentType(JSON);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer();
  }

  private static void audit(Caller caller, Answered answer) {
    AUDIT.info(
        "caller={} role={} query={} shape={} columns={} rows={} answered={}/{} retries={} ms={}",
        caller.name(),
        caller.role().name(),
        answer.queryId(),
        answer.shape(),
        answer.columns(),
        answer.rows(),
        answer.coverage().answered().size(),
        answer.coverage().expected().size(),
        answer.coverage().retries(),
        answer.elapsed().toMillis());
  }

  private void ready(Context context) {
    boolean open = admission.isOpen();
    context
        .status(open ? 200 : 503)
        .contentType(JSON)
        .result(Bodies.readiness(open, gateway.resting()));
  }

  private static void retryAfter(Context context, Duration time) {
    long seconds = time.plus(SECOND_LESS_ONE).toSeconds();
    context.header("Retry-After", String.valueOf(Math.max(1, seconds)));
  }

  private static void fail(Exception e, Context context) {
    Failures failure = Failures.of(e);
    if (e instanceof RefusedForNowException later) {
      retryAfter(context, later.retryAfter());
    }
    if (e instanceof SettlementWaitsException later) {
      retryAfter(context, later.retryAfter());
    }
    if (failure.code() == ErrorCode.TOKEN_INVALID) {
      context.header("WWW-Authenticate", "Bearer");
    }
    context.status(failure.status()).contentType(JSON).result(failure.body());
  }
}
