package io.shardwright.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Buyers as often as a real shop's customers: the customers of the Online Retail data by their
 * number of invoices (CC BY 4.0, see online-retail-customer-invoices.md). A binary search per draw.
 */
final class Skew {
  private static final String FILE = "online-retail-customer-invoices.csv";
  private static final Skew SKEW = read();

  private final long[] buyers;

  /** Orders up to and with this buyer. */
  private final long[] sums;

  private Skew(List<String> lines) {
    buyers = new long[lines.size()];
    sums = new long[lines.size()];
    long sum = 0;
    for (int i = 0; i < buyers.length; i++) {
      String[] fields = lines.get(i).split(",", -1);
      buyers[i] = Long.parseLong(fields[0]);
      sum += Long.parseLong(fields[1]);
      sums[i] = sum;
    }
  }

  static Skew ofOnlineRetail() {
    return SKEW;
  }

  private static Skew read() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(Skew.class.getResourceAsStream(FILE), StandardCharsets.UTF_8))) {
      return new Skew(reader.lines().skip(1).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int buyers() {
    return buyers.length;
  }

  long orders() {
    return sums[sums.length - 1];
  }

  long buyer(SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextLong(orders()) + 1);
    return buyers[found < 0 ? -found - 1 : found];
  }

  /** Share of each shard, from 0 to 1. */
  double[] balance(int shards) {
    double[] shares = new double[shards];
    for (int i = 0; i < sums.length; i++) {
      long orders = sums[i] - (i == 0 ? 0 : sums[i - 1]);
      shares[OrderTables.shard(OrderTables.bucket(buyers[i]), shards)] +=
          (double) orders / orders();
    }
    return shares;
  }

  /** Share of the buyer who comes most: the file's first. */
  double hottest() {
    return (double) sums[0] / orders();
  }
}
