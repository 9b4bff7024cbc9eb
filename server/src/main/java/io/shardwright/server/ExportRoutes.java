package io.shardwright.server;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.Caller;
import io.shardwright.query.ExportJobs;
import io.shardwright.query.RefusedForNowException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Exports over HTTP. */
final class ExportRoutes {
  private static final String JSON = "application/json";
  private static final int ACCEPTED = 202;

  /** Each holds a thread as long as its client takes. */
  private static final int DOWNLOADS_MAX = 16;

  private static final Map<String, String> TYPES =
      Map.of(
          "json", JSON,
          "csv", "text/csv; charset=utf-8; header=present",
          "gz", "application/gzip",
          "zst", "application/zstd",
          "parquet", "application/vnd.apache.parquet");

  private final Optional<ExportJobs> jobs;
  private final Function<Context, Caller> callers;
  private final Metrics metrics;
  private final Semaphore downloads = new Semaphore(DOWNLOADS_MAX);

  /**
   * @param callers who sent a request; refuses those who have no valid token
   */
  ExportRoutes(Optional<ExportJobs> jobs, Function<Context, Caller> callers, Metrics metrics) {
    this.jobs = jobs;
    this.callers = callers;
    this.metrics = metrics;
  }

  void addTo(JavalinConfig config) {
    config.routes.post("/v1/exports", this::create);
    config.routes.get("/v1/exports", context -> context.result(jobs().list(caller(context))));
    config.routes.get("/v1/exports/{id}", this::find);
    config.routes.delete("/v1/exports/{id}", this::cancel);
    config.routes.get("/v1/exports/{id}/files/{name}", this::download);
  }

  private ExportJobs jobs() {
    return jobs.orElseThrow(
        () ->
            new ShardwrightException(
                ErrorCode.QUERY_INVALID,
                "this gateway makes no exports: its file names no query.directory to keep them in"));
  }

  private Caller caller(Context context) {
    return callers.apply(context);
  }

  private void create(Context context) throws SQLException {
    Caller caller = caller(context);
    long start = System.nanoTime();
    try {
      context.status(ACCEPTED).result(jobs().create(context.bodyAsBytes(), caller));
      metrics.ended("export");
    } catch (ShardwrightException | SQLException e) {
      metrics.ended(Failures.of(e).code().code());
      GatewayServer.auditRefused(caller, "export", start, e);
      throw e;
    }
  }

  private void find(Context context) {
    context.result(jobs().find(context.pathParam("id"), caller(context)));
  }

  private void cancel(Context context) {
    context.result(jobs().cancel(context.pathParam("id"), caller(context)));
  }

  private void download(Context context) throws IOException {
    ExportJobs.Download file =
        jobs().file(context.pathParam("id"), context.pathParam("name"), caller(context));
    if (!downloads.tryAcquire()) {
      throw RefusedForNowException.overload(
          DOWNLOADS_MAX + " files are being downloaded; ask again when one is through");
    }
    try {
      send(file, context.res());
    } finally {
      downloads.release();
    }
  }

  private static void send(ExportJobs.Download file, HttpServletResponse response)
      throws IOException {
    try (InputStream content = file.content().open()) {
      send(file, content, response);
    }
  }

  private static void send(
      ExportJobs.Download file, InputStream content, HttpServletResponse response)
      throws IOException {
    String ending = file.name().substring(file.name().lastIndexOf('.') + 1);
    response.setContentType(TYPES.get(ending));
    response.setContentLengthLong(file.bytes());
    response.setHeader("Content-Disposition", "attachment; filename=\"" + file.name() + "\"");
    content.transferTo(response.getOutputStream());
    response.flushBuffer();
  }
}
