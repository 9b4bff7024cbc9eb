package io.shardwright.bench.compare;

import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Tells in a recording when the process had its turn. */
@Name(TurnEvent.NAME)
@Label("Turn")
@StackTrace(false)
final class TurnEvent extends Event {
  static final String NAME = "shardwright.bench.Turn";

  @Label("Workload")
  String workload;
}
