package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One way in which a condition pins the rows of a table to a bucket. */
sealed interface KeyAlternative {

  /** The bucket, or empty when no row can match these values. */
  Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters);

  /** What of the rows it says something about, for reasons. */
  String describe(Schema.Sharding sharding);

  /** All route key columns have a value. */
  record Key(List<Slot> components) implements KeyAlternative {
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
