package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.QueryAnswer.Coverage;

/** Not all shards answered, and the caller wants all or nothing. */
public final class IncompleteException extends ShardwrightException {
  private static final long serialVersionUID = 1L;

  private final transient Coverage coverage;

  IncompleteException(Coverage coverage) {
    super(
        ErrorCode.QUERY_INCOMPLETE,
        coverage.answered().size()
            + " of "
            + coverage.expected().size()
            + " shards answered; missing: "
            + coverage.missing()
            + "; repeat the query, or take what there is by \"onPartial\": \"partial\"");
    this.coverage = coverage;
  }

  public Coverage coverage() {
    return coverage;
  }
}
