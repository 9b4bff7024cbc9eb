package io.shardwright.server;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.Caller;
import io.shardwright.query.Retries;
import java.util.Optional;
import java.util.function.Function;

/** Queries that are asked again until they are complete, over HTTP. */
final class QueryJobRoutes {
  private static final int ACCEPTED = 202;

  private final Optional<QueryJobs> jobs;
  private final Function<Context, Caller> callers;

  /**
   * @param callers who sent a request; refuses those who have no valid token
   */
  QueryJobRoutes(Optional<QueryJobs> jobs, Function<Context, Caller> callers) {
    this.jobs = jobs;
    this.callers = callers;
  }

  void addTo(JavalinConfig config) {
    config.routes.get(
        "/v1/queries/{id}",
        context -> {
          Caller caller = callers.apply(context);
          context.result(jobs().find(context.pathParam("id"), caller));
        });
    config.routes.delete(
        "/v1/queries/{id}",
        context -> {
          Caller caller = callers.apply(context);
          context.result(jobs().delete(context.pathParam("id"), caller));
        });
  }

  private QueryJobs jobs() {
    return jobs.orElseThrow(
        () ->
            new ShardwrightException(
                ErrorCode.QUERY_INVALID,
                "this gateway keeps no queries: its file names no query.directory to keep them in"));
  }

  /** Whether a failed query that wants it is asked again: shards did not answer it whole. */
  boolean takesUp(Exception e) {
    ErrorCode code = Failures.of(e).code();
    return jobs.isPresent()
        && Retries.mayPass(e)
        && code != ErrorCode.QUERY_RATE
        && code != ErrorCode.QUERY_OVERLOAD;
  }

  /** Answers 202. */
  void takeUp(Context context, byte[] request, Caller caller, Exception e) {
    QueryJobs.Told job = jobs().create(request, caller, Failures.of(e));
    context
        .status(ACCEPTED)
        .header("Location", "/v1/queries/" + job.id())
        .contentType("application/json")
        .result(job.json());
  }
}
