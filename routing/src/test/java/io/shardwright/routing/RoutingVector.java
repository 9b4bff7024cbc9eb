package io.shardwright.routing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One line of docs/vectors/routing-v1.tsv.
 *
 * @param canonical in hex
 */
record RoutingVector(
    List<KeyType> types,
    List<Object> values,
    String canonical,
    long hash,
    int buckets,
    BucketId bucket) {

  static final Path DIRECTORY = Path.of("..", "docs", "vectors");

  static List<RoutingVector> all() {
    return rows("routing-v1.tsv").map(RoutingVector::parse).toList();
  }

  /** The cells of each line below the comments and the heading. */
  static Stream<String[]> rows(String file) {
    try {
      return Files.readAllLines(DIRECTORY.resolve(file)).stream()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(line -> line.split("\t", -1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RoutingVector parse(String[] cells) {
    List<KeyType> types =
        Arrays.stream(cells[0].split(","))
            .map(name -> KeyType.valueOf(name.toUpperCase(Locale.ROOT)))
            .toList();
    String[] texts = cells[1].split("\\|", -1);
    Object[] values = new Object[types.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = types.get(i) == KeyType.BYTES ? HexFormat.of().parseHex(texts[i]) : texts[i];
    }
    return new RoutingVector(
        types,
        List.of(values),
        cells[2],
        Long.parseUnsignedLong(cells[3], 16),
        Integer.parseInt(cells[4]),
        new BucketId(Integer.parseInt(cells[5])));
  }

  @Override
  public String toString() {
    return types + " " + values + " mod " + buckets;
  }
}
