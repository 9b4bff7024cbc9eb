package io.shardwright.ids;

import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.BucketId;
import java.util.List;
import java.util.Optional;

/** A strict format of texts that tell the bucket of their row. */
public sealed interface BucketText {
  /** Empty when the text is not of the format. */
  Optional<BucketId> bucket(String text);

  /** What of the row a text carries, for messages. */
  String carried();

  /** What a text of the format is, for messages. */
  String rule();

  /**
   * Texts that carry the route key.
   *
   * @param key the codec's columns that are the route key, in key order
   * @param function of keys of whole numbers
   */
  record OfKey(KeyCodec codec, List<String> key, BucketFunction function) implements BucketText {
    public OfKey {
      key = List.copyOf(key);
    }

    @Override
    public Optional<BucketId> bucket(String text) {
      return codec.decode(text, key).flatMap(function::bucket);
    }

    @Override
    public String carried() {
      return "route key";
    }

    @Override
    public String rule() {
      return "of the format '" + codec + "'";
    }
  }

  /**
   * Order numbers, which carry the bucket itself.
   *
   * @param generation those of another one name other buckets
   */
  record OfOrder(OrderNumberFormat format, int generation) implements BucketText {
    @Override
    public Optional<BucketId> bucket(String text) {
      return format
          .parse(text)
          .filter(number -> number.version() == generation)
          .map(OrderNumber::gene);
    }

    @Override
    public String carried() {
      return "bucket";
    }

    @Override
    public String rule() {
      return "an order number of generation "
          + generation
          + ", with the prefix '"
          + format.prefix()
          + "', a bucket below "
          + format.buckets()
          + " and its check digit";
    }
  }
}
