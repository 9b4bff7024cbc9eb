package io.shardwright.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.GatewayDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A query that is asked again until all shards answer. What it is stands in files, each of them
 * whole or not there, and the record last: request, answer, record. Thread-safe.
 */
final class QueryJob {
  static final String RECORD = "job.json";
  private static final String REQUEST = "request.json";
  private static final String ANSWER = "answer.json";
  private static final int FORMAT = 1;
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Path directory;
  private volatile Kept record;
  private boolean closed;
  private boolean deleted;

  enum State {
    RUNNING,
    /** Its answer is there. */
    DONE,
    FAILED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param caller who asked, by name, as {@code role} says
   * @param rights hash of what the caller may see; another one ends it
   * @param attempts that were made, the first one included
   * @param error of the last attempt, as it is answered; null when the job is done
   */
  record Kept(
      String id,
      State state,
      String caller,
      String role,
      long rights,
      Instant created,
      Optional<Instant> finished,
      int attempts,
      JsonNode error) {

    boolean isOver() {
      return state != State.RUNNING;
    }

    /** One attempt more has failed. */
    Kept retried(JsonNode why) {
      return new Kept(id, state, caller, role, rights, created, finished, attempts + 1, why);
    }

    Kept done(Instant now) {
      return new Kept(
          id,
          State.DONE,
          caller,
          role,
          rights,
          created,
          Optional.of(now),
          attempts + 1,
          MAPPER.nullNode());
    }

    Kept failed(Instant now, JsonNode why) {
      return new Kept(
          id, State.FAILED, caller, role, rights, created, Optional.of(now), attempts, why);
    }
  }

  private QueryJob(Path directory, Kept record) {
    this.directory = directory;
    this.record = record;
  }

  /**
   * On the disk when it returns.
   *
   * @param directory that is not there yet
   * @throws ShardwrightException SW808
   */
  static QueryJob create(Path directory, byte[] request, Kept record) {
    try {
      Files.createDirectory(directory);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
    QueryJob job = new QueryJob(directory, record);
    GatewayDirectory.write(directory.resolve(REQUEST), request);
    GatewayDirectory.write(directory.resolve(RECORD), kept(record));
    return job;
  }

  /**
   * @throws IOException when the directory holds none
   */
  static QueryJob read(Path directory) throws IOException {
    JsonNode json = MAPPER.readTree(Files.readAllBytes(directory.resolve(RECORD)));
    if (json.path("format").asInt() != FORMAT) {
      throw new IOException(
          RECORD + " has format " + json.path("format") + ", and this release reads " + FORMAT);
    }
    JsonNode finished = json.path("finished");
    return new QueryJob(
        directory,
        new Kept(
            json.path("id").asText(),
            State.valueOf(json.path("state").asText().toUpperCase(Locale.ROOT)),
            json.path("caller").asText(),
            json.path("role").asText(),
            Long.parseUnsignedLong(json.path("rights").asText(), 16),
            Instant.parse(json.path("created").asText()),
            finished.isTextual() ? Optional.of(Instant.parse(finished.asText())) : Optional.empty(),
            json.path("attempts").asInt(),
            json.path("error")));
  }

  private static byte[] kept(Kept record) {
    ObjectNode json = told(record);
    json.put("format", FORMAT).put("caller", record.caller()).put("role", record.role());
    json.put("rights", Long.toHexString(record.rights()));
    return bytes(json);
  }

  private static ObjectNode told(Kept record) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("id", record.id()).put("state", record.state().word());
    json.put("created", record.created().toString());
    json.put("finished", record.finished().map(Instant::toString).orElse(null));
    json.put("attempts", record.attempts());
    json.set("error", record.error());
    return json;
  }

  private static byte[] bytes(JsonNode json) {
    try {
      return MAPPER.writeValueAsBytes(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As a failed query is answered, without the object around it. */
  static JsonNode error(Failures failure) {
    try {
      return MAPPER.readTree(failure.body()).path("error");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ShardwrightException unusable(Path path, IOException e) {
    return new ShardwrightException(
        ErrorCode.GATEWAY_DIRECTORY,
        path
            + " under query.directory cannot be read or written ("
            + e
            + "); see to its rights and to the space that is left",
        e);
  }

  Kept record() {
    return record;
  }

  /**
   * As it was sent.
   *
   * @throws ShardwrightException SW808
   */
  byte[] request() {
    return read(REQUEST);
  }

  private byte[] read(String name) {
    try {
      return Files.readAllBytes(directory.resolve(name));
    } catch (IOException e) {
      throw unusable(directory.resolve(name), e);
    }
  }

  /**
   * What its caller is told, as JSON.
   *
   * @param expire how long after its end it is forgotten
   * @throws ShardwrightException SW808; SW809 when it was deleted just now
   */
  synchronized byte[] told(Duration expire) {
    if (deleted) {
      throw new ShardwrightException(
          ErrorCode.JOB_UNKNOWN, "query " + record.id() + " was deleted; ask again");
    }
    ObjectNode json = told(record);
    json.put("expires", record.finished().map(end -> end.plus(expire).toString()).orElse(null));
    JsonNode missing = record.error().at("/completeness/missing");
    json.set("missing", missing.isArray() ? missing : MAPPER.createArrayNode());
    if (record.state() == State.DONE) {
      // As it was answered, to the digit.
      json.putRawValue("answer", new RawValue(new String(read(ANSWER), StandardCharsets.UTF_8)));
    } else {
      json.putNull("answer");
    }
    return bytes(json);
  }

  /** Unless it is over. */
  synchronized void done(byte[] answer, Instant now) {
    if (isOpen()) {
      GatewayDirectory.write(directory.resolve(ANSWER), answer);
      update(kept -> kept.done(now));
    }
  }

  /** Unless it is over. */
  synchronized void retried(JsonNode why) {
    if (isOpen()) {
      update(kept -> kept.retried(why));
    }
  }

  /** Unless it has failed; an answer that is there is not given any more. */
  synchronized void failed(JsonNode why, Instant now) {
    if (!closed && record.state() != State.FAILED) {
      Kept next = record.failed(now, why);
      // Even where the disk is what failed.
      record = next;
      GatewayDirectory.write(directory.resolve(RECORD), kept(next));
    }
  }

  private void update(UnaryOperator<Kept> change) {
    Kept next = change.apply(record);
    GatewayDirectory.write(directory.resolve(RECORD), kept(next));
    record = next;
  }

  /** Whether there is more to do. */
  synchronized boolean isOpen() {
    return !closed && !record.isOver();
  }

  /** The gateway ends; what is on the disk is what it is. */
  synchronized void close() {
    closed = true;
  }

  /** Nothing of it is left. */
  synchronized void delete() {
    closed = true;
    deleted = true;
    GatewayDirectory.delete(directory);
  }
}
