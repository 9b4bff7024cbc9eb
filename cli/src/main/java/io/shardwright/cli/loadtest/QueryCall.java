package io.shardwright.cli.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.cli.loadtest.Orders.Item;
import io.shardwright.cli.loadtest.Orders.Page;
import io.shardwright.cli.loadtest.Stand.Reply;
import io.shardwright.routing.ShardId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A query to the gateway. Its answer has to be the one that is known, of the shards that it says
 * have answered; an error has to be one that a caller of a right query may get.
 */
final class QueryCall implements Call {
  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;

  private final Stand stand;
  private final String token;
  private final PageQuery query;
  private final Expected expected;

  /** The right answer, of those buyers whose shards are there. */
  interface Expected {
    Page page(Set<ShardId> missing);
  }

  QueryCall(Stand stand, String token, PageQuery query, Expected expected) {
    this.stand = stand;
    this.token = token;
    this.query = query;
    this.expected = expected;
  }

  /** Of rows that were loaded. */
  static QueryCall of(Stand stand, String token, PageQuery query, Orders orders) {
    return new QueryCall(
        stand,
        token,
        query,
        missing ->
            orders.page(
                query, buyer -> missing.isEmpty() || !missing.contains(stand.shardOf(buyer))));
  }

  @Override
  public Judgement send() {
    Reply reply = stand.ask(query.json(), token);
    return () -> judge(reply);
  }

  Outcome judge(Reply reply) {
    if (reply.status() == 0) {
      return Outcome.wrong(
          "no-answer", "no answer came to " + query.json() + ": " + reply.failure());
    }
    if (reply.status() != OK) {
      return error(reply);
    }
    JsonNode body = reply.body();
    JsonNode completeness = body.path("completeness");
    List<ShardId> shards = shards(completeness.path("expected"));
    Set<ShardId> missing = missing(completeness);
    Map<ShardId, Integer> rows = new LinkedHashMap<>();
    List<Item> items = new ArrayList<>();
    for (JsonNode row : body.path("rows")) {
      Item item = item(row);
      items.add(item);
      rows.merge(stand.shardOf(item.buyerId()), 1, Integer::sum);
    }
    Optional<String> wrong = difference(body, items, missing);
    String code = missing.isEmpty() ? Outcome.OK : Outcome.PARTIAL;
    return new Outcome(
        code, shards, rows, true, wrong.map(what -> what + "; the query: " + query.json()));
  }

  private Outcome error(Reply reply) {
    JsonNode error = reply.body().path("error");
    String code = error.path("code").asText("HTTP " + reply.status());
    JsonNode completeness = error.path("completeness");
    boolean may =
        reply.status() == UNAVAILABLE
            || reply.status() == GATEWAY_TIMEOUT
            || (reply.status() == TOO_MANY && reply.retryAfter());
    if (!may) {
      return Outcome.wrong(
          code,
          "a right query got "
              + reply.status()
              + " "
              + code
              + ": "
              + error.path("message").asText()
              + "; the query: "
              + query.json());
    }
    if (completeness.isObject() && missing(completeness).isEmpty()) {
      return Outcome.wrong(code, code + " names no shard that is missing: " + query.json());
    }
    return Outcome.error(code, shards(completeness.path("expected")));
  }

  private Optional<String> difference(JsonNode body, List<Item> items, Set<ShardId> missing) {
    if (body.path("complete").asBoolean() != missing.isEmpty()) {
      return Optional.of("complete is " + body.path("complete") + ", missing are " + missing);
    }
    if (!missing.isEmpty() && !query.partial()) {
      return Optional.of("shards are missing (" + missing + ") that had to be there");
    }
    Page page = expected.page(missing);
    if (body.path("truncated").asBoolean() != page.truncated()) {
      return Optional.of("truncated is " + body.path("truncated") + ", and should not be");
    }
    return difference(items, page.items());
  }

  /** Empty when both are the same in the same order. */
  static Optional<String> difference(List<Item> found, List<Item> right) {
    for (int i = 0; i < Math.min(found.size(), right.size()); i++) {
      if (!found.get(i).equals(right.get(i))) {
        return Optional.of(
            "row " + (i + 1) + " is " + found.get(i) + " and should be " + right.get(i));
      }
    }
    return found.size() == right.size()
        ? Optional.empty()
        : Optional.of("there are " + found.size() + " rows and should be " + right.size());
  }

  private Item item(JsonNode row) {
    return new Item(
        row.path(query.table().id()).asLong(),
        row.path("buyer_id").asLong(),
        row.path(query.table().number()).asInt(),
        row.path(query.table().money()).asLong(),
        ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(row.path("created_at").asText())));
  }

  static List<ShardId> shards(JsonNode names) {
    List<ShardId> shards = new ArrayList<>();
    names.forEach(name -> shards.add(new ShardId(name.asText())));
    return shards;
  }

  private static Set<ShardId> missing(JsonNode completeness) {
    Set<ShardId> missing = new HashSet<>();
    completeness
        .path("missing")
        .forEach(shard -> missing.add(new ShardId(shard.path("shard").asText())));
    return missing;
  }
}
