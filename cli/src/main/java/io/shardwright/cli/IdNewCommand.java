package io.shardwright.cli;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.GeneIdGenerator;
import io.shardwright.ids.NodeLease;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.ids.OrderNumberGenerator;
import io.shardwright.ids.SnowflakeGenerator;
import io.shardwright.ids.SnowflakeId;
import io.shardwright.ids.UuidV7Generator;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.GeneIdLayout;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** New ids, for scripts and tests. Leases no node number: the caller vouches for it. */
@Command(
    name = "new",
    description = {
      "Print new ids, one on each line.",
      "Example: shardwright id new gene --buckets 4096 --bucket 659 --node 63"
    })
final class IdNewCommand implements Callable<Integer> {
  private static final int COUNT_MAX = 1_000_000;

  private final Console console;

  /** What can be made. */
  enum Type {
    gene,
    order_number,
    snowflake,
    uuid7
  }

  @Parameters(paramLabel = "TYPE", description = "${COMPLETION-CANDIDATES}.")
  private Type type;

  @Option(names = "--buckets", paramLabel = "V", description = "Buckets of the group.")
  private Integer buckets;

  @Option(names = "--bucket", paramLabel = "B", description = "The bucket, 0 to V-1.")
  private Integer bucket;

  @Option(
      names = "--node",
      paramLabel = "N",
      description = "A node number that nobody else uses: nothing checks that it is free.")
  private Integer node;

  @Option(names = "--generation", paramLabel = "G", description = "Of the group; default 0.")
  private int generation;

  @Option(names = "--prefix", description = "Of order numbers: up to 8 letters A-Z.")
  private String prefix = "";

  @Option(names = "--count", paramLabel = "N", description = "How many; default 1.")
  private int count = 1;

  IdNewCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Supplier<Object> ids = ids();
    int wanted = within("--count", count, 1, COUNT_MAX);
    for (int i = 0; i < wanted; i++) {
      console.println(ids.get().toString());
    }
    return ExitCode.OK.number();
  }

  private Supplier<Object> ids() {
    InstantSource clock = InstantSource.system();
    return switch (type) {
      case uuid7 -> new UuidV7Generator(clock, new SecureRandom())::next;
      case snowflake -> new SnowflakeGenerator(lease(SnowflakeId.NODES), clock)::next;
      case gene -> {
        int of = within("--buckets", buckets, 1, 65_536);
        if (!GeneIdLayout.existsFor(of)) {
          throw invalid("--buckets " + of + ": gene ids exist for 1024, 4096 and 16384 buckets");
        }
        GeneIdLayout layout = GeneIdLayout.forBuckets(of);
        BucketId in = new BucketId(within("--bucket", bucket, 0, of - 1));
        GeneIdGenerator generator =
            new GeneIdGenerator(
                layout,
                within("--generation", generation, 0, layout.versions() - 1),
                lease(layout.nodes()),
                clock);
        yield () -> generator.next(in);
      }
      case order_number -> {
        int of = within("--buckets", buckets, 1, 65_536);
        BucketId in = new BucketId(within("--bucket", bucket, 0, of - 1));
        OrderNumberGenerator generator =
            new OrderNumberGenerator(
                new OrderNumberFormat(prefix, of),
                within("--generation", generation, 0, 9),
                lease(OrderNumberFormat.NODES),
                clock);
        yield () -> generator.next(in);
      }
    };
  }

  private NodeLease lease(int nodes) {
    return NodeLease.fixed(within("--node", node, 0, nodes - 1));
  }

  private static int within(String option, Integer value, int min, int max) {
    if (value == null || value < min || value > max) {
      throw invalid(
          option
              + (value == null ? " is missing" : " " + value)
              + ": give a whole number from "
              + min
              + " to "
              + max);
    }
    return value;
  }

  private static ShardwrightException invalid(String message) {
    return new ShardwrightException(ErrorCode.COMMAND_INVALID, message);
  }
}
