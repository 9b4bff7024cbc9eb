package io.shardwright.advisor.review;

import static io.shardwright.advisor.review.ConfigurationChecks.GATEWAY;
import static io.shardwright.advisor.review.Observation.count;
import static io.shardwright.advisor.review.Observation.error;
import static io.shardwright.advisor.review.Observation.good;
import static io.shardwright.advisor.review.Observation.listed;
import static io.shardwright.advisor.review.Observation.missing;
import static io.shardwright.advisor.review.Observation.warning;

import io.shardwright.config.QueryRules;
import io.shardwright.config.QueryRules.Purpose;
import io.shardwright.config.QueryRules.QueryTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What section query of the file shows: questions over all shards. */
final class GatewayChecks {
  private static final Duration LONG_SPAN = Duration.ofDays(366);

  private static final Pattern CHANGE =
      Pattern.compile("(?i).*(update|modif|change|mtime|last_).*");

  private static final String NO_GATEWAY = "the file has no query section";

  private GatewayChecks() {}

  static List<Observation> gateway(Facts facts) {
    return List.of(
        facts
            .configuration()
            .query()
            .map(
                query ->
                    good(
                        "the gateway asks all shards at once within %d ms, %d rows a page, %d such"
                                .formatted(
                                    query.limits().timeout().toMillis(),
                                    query.limits().rows(),
                                    query.limits().rate())
                            + " queries in a second"))
            .orElseGet(() -> missing(NO_GATEWAY, GATEWAY)));
  }

  static List<Observation> stableOrder(Facts facts) {
    return List.of(
        facts
            .configuration()
            .query()
            .map(
                query ->
                    good(
                        "every order of the gateway ends with the id of its table: "
                            + listed(
                                query.tables().entrySet().stream()
                                    .map(table -> table.getKey() + " " + table.getValue().id())
                                    .toList())))
            .orElseGet(() -> missing(NO_GATEWAY, GATEWAY)));
  }

  static List<Observation> exports(Facts facts) {
    return List.of(
        facts
            .configuration()
            .query()
            .map(
                query ->
                    query.directory().isPresent()
                        ? good(
                            "exports are jobs, at most %d rows in a second each"
                                .formatted(query.exports().rate()))
                        : missing(
                            "the gateway makes no exports: query.directory is not set",
                            "set query.directory, or declare how lists are exported"))
            .orElseGet(() -> missing(NO_GATEWAY, GATEWAY)));
  }

  static List<Observation> timeColumns(Facts facts) {
    Optional<QueryRules> query = facts.configuration().query();
    if (query.isEmpty()) {
      return List.of(missing(NO_GATEWAY, GATEWAY));
    }
    List<Observation> all = new ArrayList<>();
    for (Map.Entry<String, QueryTable> table : query.get().tables().entrySet()) {
      Map<Purpose, String> times = table.getValue().times();
      Optional<Map.Entry<Purpose, String>> confused =
          times.entrySet().stream()
              .filter(
                  time ->
                      time.getKey() != Purpose.UPDATED
                          && (CHANGE.matcher(time.getValue()).matches()
                              || time.getValue().equals(times.get(Purpose.UPDATED))))
              .findFirst();
      if (confused.isPresent()) {
        all.add(
            error(
                "query.tables.%s answers '%s' by %s, which moves with every change"
                    .formatted(
                        table.getKey(), confused.get().getKey().word(), confused.get().getValue()),
                "name the column that is written once"));
      } else if (!times.containsKey(Purpose.CREATED)) {
        all.add(
            warning(
                "query.tables.%s has no time of creation: %s".formatted(table.getKey(), times),
                "name its column under times.created"));
      } else {
        all.add(good("query.tables.%s: times %s".formatted(table.getKey(), times)));
      }
    }
    return all;
  }

  static List<Observation> timeBounds(Facts facts) {
    return List.of(
        facts.configuration().query().isPresent()
            ? good("the gateway takes UTC ranges with their start and without their end")
            : missing(NO_GATEWAY, GATEWAY));
  }

  static List<Observation> spans(Facts facts) {
    Optional<QueryRules> query = facts.configuration().query();
    if (query.isEmpty()) {
      return List.of(missing(NO_GATEWAY, GATEWAY));
    }
    List<Observation> all = new ArrayList<>();
    query
        .get()
        .tables()
        .forEach(
            (name, table) -> {
              String text =
                  "query.tables.%s: at most %d hours of time and %d rows"
                      .formatted(name, table.span().toHours(), query.get().limits().rows());
              all.add(
                  table.span().compareTo(LONG_SPAN) > 0
                      ? warning(text, "set query.tables." + name + ".span to 31 days or less")
                      : good(text));
            });
    return all;
  }

  static List<Observation> completeness(Facts facts) {
    return List.of(
        facts.configuration().query().isPresent()
            ? good(
                "answers of the gateway say whether they are complete, which shards are missing and"
                    + " as of when")
            : missing(NO_GATEWAY, GATEWAY));
  }

  static List<Observation> overload(Facts facts) {
    Optional<QueryRules> query = facts.configuration().query();
    if (query.isEmpty()) {
      return List.of(missing(NO_GATEWAY, GATEWAY));
    }
    return List.of(
        good(
            "a shard has %d ms to answer the gateway; roles have at most %s at a time"
                .formatted(
                    query.get().limits().shardTimeout().toMillis(),
                    query.get().access().roles().values().stream()
                        .map(role -> role.name() + " " + role.concurrency())
                        .toList())),
        query.get().access().tokens().isEmpty()
            ? warning(
                "the gateway has no tokens: nobody's share of it is bounded",
                "declare query.roles and query.tokens")
            : good(count(query.get().access().tokens().size(), "token") + " of the gateway"));
  }
}
