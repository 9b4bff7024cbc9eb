package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.util.List;
import java.util.stream.Collectors;

/** A request with mistakes; nothing was sent to a shard. */
public final class RequestRefusedException extends ShardwrightException {
  private static final long serialVersionUID = 1L;

  private final transient List<RequestProblem> problems;

  RequestRefusedException(List<RequestProblem> problems) {
    super(
        ErrorCode.QUERY_INVALID,
        "the query is not asked: "
            + problems.stream().map(RequestProblem::toString).collect(Collectors.joining(" | ")));
    this.problems = List.copyOf(problems);
  }

  /** In the order in which they were found; at least one. */
  public List<RequestProblem> problems() {
    return problems;
  }
}
