package io.shardwright.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardwright.query.QueryRequest.Consistency;
import io.shardwright.query.QueryRequest.OnPartial;
import io.shardwright.query.QueryRequest.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A request for rows, from JSON. */
final class RequestReader extends RequestFields {
  private static final List<String> FIELDS =
      List.of(
          "group",
          "table",
          "select",
          "time",
          "where",
          "order",
          "limit",
          "consistency",
          "onPartial",
          "count",
          "timeoutMs",
          "cursor",
          "settlement",
          "writeToken");
  private static final List<String> SETTLEMENT_FIELDS =
      List.of("number", "rerun", "differenceFrom");
  private static final List<String> ORDER_FIELDS = List.of("column", "dir");
  private static final String COUNT =
      "write none, exact, estimate, or at-least:N with 1 to " + Count.AT_LEAST_MAX;

  private RequestReader(RequestProblems problems) {
    super(problems);
  }

  /**
   * @param problems hears of each mistake
   * @return empty when it is no JSON object
   */
  static Optional<QueryRequest> read(byte[] json, RequestProblems problems) {
    return object(json, problems).map(root -> new RequestReader(problems).request(root));
  }

  private QueryRequest request(JsonNode root) {
    allow("", root, FIELDS);
    return new QueryRequest(
        text("/group", root.get("group"), NAME),
        required("/table", root.get("table"), NAME).orElse(""),
        select(root.get("select")),
        time(root.get("time")),
        where(root.get("where")),
        order(root.get("order")),
        integer("/limit", root.get("limit"), Integer.MAX_VALUE).orElse(QueryRequest.LIMIT_DEFAULT),
        word("/consistency", root.get("consistency"), Consistency.values(), Consistency::word)
            .orElse(Consistency.SHARD_LATEST),
        word("/onPartial", root.get("onPartial"), OnPartial.values(), OnPartial::word)
            .orElse(OnPartial.FAIL),
        count(text("/count", root.get("count"), COUNT).orElse("none")),
        timeout(root.get("timeoutMs")),
        text("/cursor", root.get("cursor"), "give the cursor of the page before, or null"),
        settlement(root),
        text("/writeToken", root.get("writeToken"), "give what writeToken() returned"));
  }

  private SettlementChoice settlement(JsonNode root) {
    JsonNode node = root.get("settlement");
    if (isNull(node)) {
      return SettlementChoice.LAST;
    }
    if (!root.path("consistency").asText().equals(Consistency.SETTLEMENT.word())) {
      problems.add(
          "/settlement",
          "is there without that consistency",
          "write \"consistency\": \"settlement\"");
    }
    if (!node.isObject()) {
      problems.add("/settlement", "is no object", "write {\"number\": 1} or {\"rerun\": true}");
      return SettlementChoice.LAST;
    }
    allow("/settlement", node, SETTLEMENT_FIELDS);
    JsonNode rerun = node.get("rerun");
    if (!isNull(rerun) && !rerun.isBoolean()) {
      problems.add("/settlement/rerun", "is neither true nor false", "write true or false");
    }
    OptionalLong number =
        integer("/settlement/number", node.get("number"), Integer.MAX_VALUE)
            .map(value -> OptionalLong.of(value))
            .orElse(OptionalLong.empty());
    return new SettlementChoice(
        number, !isNull(rerun) && rerun.asBoolean(), from(node.get("differenceFrom")));
  }

  private long from(JsonNode node) {
    if (isNull(node)) {
      return 0;
    }
    if (!node.isIntegralNumber() || !node.canConvertToLong() || node.longValue() < 0) {
      problems.add("/settlement/differenceFrom", "is no whole number from 0", "write one");
      return 0;
    }
    return node.longValue();
  }

  private Count count(String word) {
    Optional<Count> count = Count.of(word);
    if (count.isEmpty()) {
      problems.add("/count", "is '" + shortened(word) + "'", COUNT);
    }
    return count.orElse(Count.NONE);
  }

  private List<Order> order(JsonNode node) {
    List<Order> order = new ArrayList<>();
    if (isNull(node)) {
      return order;
    }
    if (!node.isArray()) {
      problems.add(
          "/order", "is no list", "write [{\"column\": \"created_at\", \"dir\": \"desc\"}]");
      return order;
    }
    for (int i = 0; i < node.size(); i++) {
      String at = "/order/" + i;
      JsonNode entry = node.get(i);
      if (!entry.isObject()) {
        problems.add(at, "is no object", "write {\"column\": \"created_at\", \"dir\": \"desc\"}");
        continue;
      }
      allow(at, entry, ORDER_FIELDS);
      String direction =
          word(at + "/dir", entry.get("dir"), new String[] {"asc", "desc"}, word -> word)
              .orElse("asc");
      required(at + "/column", entry.get("column"), NAME)
          .ifPresent(column -> order.add(new Order(column, direction.equals("desc"))));
    }
    return order;
  }
}
