package io.shardwright.cli.loadtest;

/** One request. */
interface Call {
  /** Sends, and waits for what comes back; the time of this counts. Does not throw. */
  Judgement send();

  /** What is left to be done when the time was taken. */
  interface Judgement {
    Outcome judge();
  }
}
