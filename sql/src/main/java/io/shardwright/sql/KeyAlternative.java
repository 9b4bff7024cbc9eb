package io.shardwright.sql;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One way in which a condition pins the rows of a table to a bucket. */
sealed interface KeyAlternative {

  /** The bucket, or empty when no row can match these values. */
  Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters);

  /** True when a slot of it stands for several values. */
  boolean isOpen();

  /** The alternatives with single values that it stands for; empty when they are too many. */
  Optional<List<KeyAlternative>> bound(
      Schema.Sharding sharding, List<?> parameters, RouteContext context);

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
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
      return IndexedValues.expanded(components, sharding.function().types(), parameters)
          .map(tuples -> tuples.stream().<KeyAlternative>map(Key::new).toList());
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
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
      return KeyAlternative.bound(id, parameters, Gene::new);
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return "gene of " + sharding.id().orElseThrow().column();
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      return named(sharding, parameters).filter(sharding.function()::has);
    }

    /** Whether or not there is such a bucket. */
    Optional<BucketId> named(Schema.Sharding sharding, List<?> parameters) {
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

  /** A text that carries the key or the bucket has a value. */
  record CarriedKey(Schema.NumberColumn column, Slot text) implements KeyAlternative {
    /** A text of another format may be an adopted one, which the column's index finds. */
    @Override
    public boolean isOpen() {
      return text.isSeveral() || column.index().isPresent();
    }

    @Override
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
      Optional<List<Slot>> texts = text.expanded(KeyType.TEXT, parameters);
      if (texts.isEmpty()) {
        return Optional.empty();
      }
      List<KeyAlternative> all = new ArrayList<>();
      List<List<Slot>> adopted = new ArrayList<>();
      for (Slot one : texts.get()) {
        CarriedKey carrying = new CarriedKey(column.withoutIndex(), one);
        if (column.index().isPresent() && carrying.bucket(parameters).isEmpty()) {
          adopted.add(List.of(one));
        } else {
          all.add(carrying);
        }
      }
      if (adopted.isEmpty()) {
        return Optional.of(all);
      }
      return new Lookup(
              column.index().get(), new IndexedValues(column.index().get().types(), adopted))
          .bound(sharding, parameters, context)
          .map(
              found -> {
                all.addAll(found);
                return all;
              });
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return column.texts().carried() + " in " + column.column();
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      return bucket(parameters).filter(sharding.function()::has);
    }

    /** Empty when the text is not of the column's format. */
    Optional<BucketId> bucket(List<?> parameters) {
      return text.routeValue(KeyType.TEXT, parameters)
          .flatMap(KeyType.TEXT::canonical)
          .flatMap(value -> column.texts().bucket((String) value));
    }

    /** Whether the text may stand in a row of this bucket: it names it, or is adopted. */
    boolean fits(BucketId row, List<?> parameters) {
      return text.value(parameters) == null
          || bucket(parameters).map(row::equals).orElse(column.index().isPresent());
    }
  }

  /** bucket_id has a value. */
  record Bucket(Slot number) implements KeyAlternative {
    @Override
    public boolean isOpen() {
      return number.isSeveral();
    }

    @Override
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
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
          .filter(value -> value >= 0 && value < sharding.function().allBuckets())
          .map(value -> new BucketId(value.intValue()));
    }
  }

  /**
   * The key of a list index's view has a value: its entries are in one bucket, or in several, which
   * is told when it is bound.
   */
  record Entries(List<Slot> components) implements KeyAlternative {
    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
      List<KeyType> types = IndexedValues.compared(sharding.function().types());
      return new IndexedValues(types, List.of(components))
          .in(parameters)
          .map(
              tuples ->
                  Named.of(
                      describe(sharding),
                      tuples.stream().flatMap(v -> buckets(sharding, v).stream()).toList()));
    }

    private static List<BucketId> buckets(Schema.Sharding sharding, List<Object> values) {
      try {
        return sharding.entries().orElseThrow().of(values);
      } catch (ShardwrightException e) {
        throw sharding.unusable(values, e);
      }
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return "list index " + sharding.group() + " (" + String.join(", ", sharding.key()) + ")";
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      throw new ShardwrightException(ErrorCode.INVARIANT_BROKEN, "entries before their value");
    }
  }

  /** All columns of a lookup index have values; where their rows are is asked when it is bound. */
  record Lookup(Schema.LookupIndex index, IndexedValues values) implements KeyAlternative {
    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
      return values
          .in(parameters)
          .flatMap(asked -> lookUp(asked, context))
          .map(buckets -> Named.of(describe(sharding), buckets));
    }

    private Optional<Set<BucketId>> lookUp(List<List<Object>> asked, RouteContext context) {
      try {
        return context.lookUp(index, asked);
      } catch (ShardwrightException e) {
        throw index.unusable(asked, e);
      }
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return "lookup index " + index.name() + " (" + String.join(", ", index.columns()) + ")";
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      throw new ShardwrightException(ErrorCode.INVARIANT_BROKEN, "a look-up before its answer");
    }
  }

  /**
   * A bucket that an index names; empty: it names none.
   *
   * @param index for reasons
   */
  record Named(String index, Optional<BucketId> bucket) implements KeyAlternative {
    /** One for each bucket, or one that no row has. */
    static List<KeyAlternative> of(String index, Collection<BucketId> buckets) {
      return buckets.isEmpty()
          ? List.of(new Named(index, Optional.empty()))
          : buckets.stream()
              .<KeyAlternative>map(bucket -> new Named(index, Optional.of(bucket)))
              .toList();
    }

    @Override
    public boolean isOpen() {
      return false;
    }

    @Override
    public Optional<List<KeyAlternative>> bound(
        Schema.Sharding sharding, List<?> parameters, RouteContext context) {
      return Optional.of(List.of(this));
    }

    @Override
    public String describe(Schema.Sharding sharding) {
      return index;
    }

    @Override
    public Optional<BucketId> bucket(Schema.Sharding sharding, List<?> parameters) {
      return bucket;
    }
  }
}
