package io.shardwright.examples.orders;

/** Somebody else was faster, or the request contradicts what is stored: read again, then decide. */
public final class OrderConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OrderConflictException(String message) {
    super(message);
  }
}
