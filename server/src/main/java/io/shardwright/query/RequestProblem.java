package io.shardwright.query;

/**
 * A mistake of a request.
 *
 * @param at JSON pointer, such as {@code /where/0/column}
 * @param problem what is wrong with it
 * @param instead what to write
 */
public record RequestProblem(String at, String problem, String instead) {
  @Override
  public String toString() {
    return (at.isEmpty() ? "the request" : at) + " " + problem + "; " + instead;
  }
}
