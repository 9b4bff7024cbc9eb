package io.shardwright.cli;

/** A failure that a command has already put into words, and perhaps already printed. */
final class FailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;
  private final boolean printed;

  FailedException(Failure failure, boolean printed, Throwable cause) {
    super(failure.message(), cause);
    this.failure = failure;
    this.printed = printed;
  }

  Failure failure() {
    return failure;
  }

  boolean isPrinted() {
    return printed;
  }
}
