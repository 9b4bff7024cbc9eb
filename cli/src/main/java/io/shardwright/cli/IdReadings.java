package io.shardwright.cli;

import io.shardwright.catalog.CatalogState;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.CodecColumn;
import io.shardwright.config.Configuration.GeneIdColumn;
import io.shardwright.config.Configuration.Group;
import io.shardwright.config.Configuration.IdColumn;
import io.shardwright.config.Configuration.OrderNumberColumn;
import io.shardwright.config.Configuration.SegmentColumn;
import io.shardwright.config.Configuration.SnowflakeColumn;
import io.shardwright.config.Configuration.UuidColumn;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.Base62;
import io.shardwright.ids.GeneId;
import io.shardwright.ids.HtOrderNumber;
import io.shardwright.ids.OrderNumber;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.ids.PublicIds;
import io.shardwright.ids.SnowflakeId;
import io.shardwright.ids.UuidV7;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a text means as an id, in each format that it can be of. */
final class IdReadings {
  private static final List<Integer> LAYOUTS = List.of(1024, 4096, 16_384);
  private static final Pattern LETTERS = Pattern.compile("([A-Z]{0,8})[0-9]+");

  private final String text;
  private final OptionalLong number;
  private final List<Reading> found = new ArrayList<>();

  /**
   * @param format in words
   * @param fields in the order in which they are shown
   */
  record Reading(String format, Map<String, Object> fields) {
    Map<String, Object> document() {
      Map<String, Object> document = Json.object("format", format);
      document.putAll(fields);
      return document;
    }
  }

  IdReadings(String text) {
    this.text = text;
    this.number = number(text);
  }

  List<Reading> found() {
    return List.copyOf(found);
  }

  void ofBuckets(int buckets) {
    number.ifPresent(id -> add(gene(id, buckets)));
    ofOrderNumber(new OrderNumberFormat(prefix(), buckets), "");
  }

  /** Formats that carry a time are left out when it is in the future. */
  void ofAnyFormat() {
    Instant latest = Instant.now().plus(GeneId.AHEAD_MAX);
    number.ifPresent(
        id -> {
          for (int buckets : LAYOUTS) {
            if (!GeneId.decode(id, GeneIdLayout.forBuckets(buckets)).createdAt().isAfter(latest)) {
              add(gene(id, buckets));
            }
          }
          if (!SnowflakeId.decode(id).createdAt().isAfter(latest)) {
            add(snowflake(id));
          }
        });
    if (!ofOrderNumber(new OrderNumberFormat(prefix(), 4096), " of 1024 or 4096 buckets")) {
      ofOrderNumber(new OrderNumberFormat(prefix(), 16_384), " of 16384 buckets");
    }
    uuid().ifPresent(this::add);
    HtOrderNumber.parse(text).ifPresent(ht -> add(adopted(ht)));
    base62().ifPresent(this::add);
  }

  void ofConfiguration(Configuration configuration, CatalogState state) {
    for (Group group : configuration.groups().values()) {
      for (IdColumn column : group.ids()) {
        read(column)
            .ifPresent(
                reading -> {
                  Map<String, Object> fields =
                      Json.object("group", group.name(), "column", column.column());
                  fields.putAll(reading.fields);
                  if (fields.get("bucket") instanceof Integer bucket) {
                    fields.put(
                        "shard",
                        state.maps().get(group.name()).shardOf(new BucketId(bucket)).name());
                  }
                  add(new Reading(reading.format, fields));
                });
      }
    }
  }

  void ofKeys(PublicIds keys) {
    try {
      PublicIds.PublicId id = keys.decode(text);
      add(
          new Reading(
              "public id", Json.object("keyVersion", id.keyVersion(), "number", "" + id.id())));
    } catch (ShardwrightException e) {
      // It is none of these keys.
    }
  }

  private Optional<Reading> read(IdColumn column) {
    if (column instanceof GeneIdColumn ids) {
      return number.stream().mapToObj(id -> gene(id, ids.genes())).findFirst();
    }
    if (column instanceof OrderNumberColumn orders) {
      return orders.format().parse(text).map(n -> orderNumber("order number", n));
    }
    if (column instanceof CodecColumn codec) {
      return codec.codec().decode(text).map(values -> codec(codec, values));
    }
    if (column instanceof SnowflakeColumn) {
      return number.stream().mapToObj(IdReadings::snowflake).findFirst();
    }
    if (column instanceof SegmentColumn) {
      return number.stream()
          .mapToObj(id -> new Reading("number of a sequence", Json.object("number", "" + id)))
          .findFirst();
    }
    return column instanceof UuidColumn ? uuid() : Optional.empty();
  }

  private static Reading gene(long value, int buckets) {
    GeneId id = GeneId.decode(value, GeneIdLayout.forBuckets(buckets));
    return new Reading(
        "gene id of " + buckets + " buckets",
        Json.object(
            "generation", id.version(),
            "createdAt", id.createdAt(),
            "bucket", id.gene().value(),
            "node", id.node(),
            "sequence", id.sequence()));
  }

  private static Reading snowflake(long value) {
    SnowflakeId id = SnowflakeId.decode(value);
    return new Reading(
        "snowflake id",
        Json.object("createdAt", id.createdAt(), "node", id.node(), "sequence", id.sequence()));
  }

  private boolean ofOrderNumber(OrderNumberFormat format, String buckets) {
    Optional<OrderNumber> order = format.parse(text);
    order.ifPresent(n -> add(orderNumber("order number" + buckets, n)));
    return order.isPresent();
  }

  private static Reading orderNumber(String format, OrderNumber order) {
    return new Reading(
        format,
        Json.object(
            "generation", order.version(),
            "createdAt", order.createdAt(),
            "bucket", order.gene().value(),
            "node", order.node(),
            "sequence", order.sequence()));
  }

  private static Reading codec(CodecColumn column, List<Long> values) {
    Map<String, Object> fields = Json.object();
    for (int i = 0; i < values.size(); i++) {
      fields.put(column.codec().columns().get(i), values.get(i).toString());
    }
    return new Reading("text of pattern " + column.codec(), fields);
  }

  private Optional<Reading> uuid() {
    try {
      UuidV7 uuid = UuidV7.parse(text);
      return Optional.of(
          new Reading(
              "UUID of version 7",
              Json.object("createdAt", uuid.createdAt(), "counter", uuid.counter())));
    } catch (ShardwrightException e) {
      return Optional.empty();
    }
  }

  private static Reading adopted(HtOrderNumber order) {
    return new Reading(
        "adopted order number HT",
        Json.object(
            "localTime", order.createdAt(), "oldShard", order.gene(), "random", order.random()));
  }

  private Optional<Reading> base62() {
    try {
      return Optional.of(
          new Reading("Base62 number", Json.object("number", "" + Base62.decode(text))));
    } catch (ShardwrightException e) {
      return Optional.empty();
    }
  }

  private String prefix() {
    Matcher letters = LETTERS.matcher(text);
    return letters.matches() ? letters.group(1) : "";
  }

  private void add(Reading reading) {
    found.add(reading);
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(IdCommand.number(text));
    } catch (ShardwrightException e) {
      return OptionalLong.empty();
    }
  }
}
