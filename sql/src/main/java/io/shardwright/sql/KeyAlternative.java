package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One way in which a condition pins the rows of a table to a bucket. */
sealed interface KeyAlternative {

  /** The bucket, or empty when no row can match these values. */
  Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters);

  /** True when a slot of it stands for several values. */
  boolean isOpen();

  /** The alternatives with single values that it stands for; empty when they are too many. */
  Optional<List<KeyAlternative>> bound(Schema.Sharding sharding, List<?> parameters);

  private static Optional<List<KeyAlternative>> bound(
      Slot slot, List<?> parameters, Function<Slot, KeyAlternative> make) {
    return slot.expanded(KeyType.INTEGER, parameters)
        .map(slots -> slots.stream().map(make).toList());
  }

  /** What of the rows it says something about, for reasons. */
  String describe(Schema.Sharding sharding);

  /** All route key columns have a value. */
  record Key(List<Slot> components) implements KeyAlternative {
    @Override
    public boolean isOpen() {
      return components.stream().anyMatch(Slot::isSeveral);
    }

    @Override
    public Optional<List<KeyAlternative>> bound(Schema.Sharding sharding, List<?> parameters) {
      List<List<Slot>> tuples = List.of(List.of());
      List<KeyType> types = sharding.function().types();
      for (int i = 0; i < components.size(); i++) {
        Optional<List<Slot>> values = components.get(i).expanded(types.get(i), parameters);
        if (values.isEmpty()
            || (long) tuples.size() * values.get().size() > KeyCondition.ALTERNATIVES_MAX) {
          return Optional.empty();
        }
        tuples = KeyCondition.product(tuples, values.get());
      }
      return Optional.of(tuples.stream().<KeyAlternative>map(Key::new).toList());
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return "route key (" + String.join(", ", sharding.key()) + ")";
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      List<Object> values = new ArrayList<>(components.size());
      List<KeyType> types = sharding.function().types();
      for (int i = 0; i < components.size(); i++) {
        Optional<Object> value = components.get(i).routeValue(types.get(i), parameters);
        if (value.isEmpty()) {
          return Optional.empty();
        }
        values.add(value.get());
      }
      try {
        return sharding.function().bucket(values);
      } catch (ShardwrightException e) {
        throw sharding.unusable(values, e);
      }
    }
  }

  /** The gene id column has a value. */
  record Gene(Slot id) implements KeyAlternative {
    @Override
    public boolean isOpen() {
      return id.isSeveral();
    }

    @Override
    public Optional<List<KeyAlternative>> bound(Schema.Sharding sharding, List<?> parameters) {
      return KeyAlternative.bound(id, parameters, Gene::new);
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return "gene of " + sharding.id().orElseThrow().column();
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      Schema.GeneIdColumn column =
          sharding
              .id()
              .orElseThrow(
                  () ->
                      new ShardwrightException(
                          ErrorCode.INVARIANT_BROKEN, "no gene id column in " + sharding.group()));
      // Negative numbers are no gene ids, but the CHECK on the shards holds for any stored number.
      return id.routeValue(KeyType.INTEGER, parameters)
          .flatMap(KeyType.INTEGER::canonical)
          .map(value -> column.bucket((Long) value));
    }
  }

  /** bucket_id has a value. */
  record Bucket(Slot number) implements KeyAlternative {
    @Override
    public boolean isOpen() {
      return number.isSeveral();
    }

    @Override
    public Optional<List<KeyAlternative>> bound(Schema.Sharding sharding, List<?> parameters) {
      return KeyAlternative.bound(number, parameters, Bucket::new);
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return "bucket_id";
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      return number
          .routeValue(KeyType.INTEGER, parameters)
          .flatMap(KeyType.INTEGER::canonical)
          .map(value -> (Long) value)
          .filter(value -> value >= 0 && value < sharding.function().buckets())
          .map(value -> new BucketId(value.intValue()));
    }
  }
}
