package io.shardwright.lookup.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Looks at every state that can be reached, in the order of the number of steps, so that the first
 * wrong one has the shortest trace.
 *
 * @param scripts one for each writer
 * @param faults whether writers crash and lose sessions
 */
record Search(
    World start,
    List<List<Op>> scripts,
    boolean sweeps,
    boolean reads,
    boolean faults,
    int statesMax) {

  /**
   * @param violation null when all states are right
   * @param trace the steps to the wrong state
   * @param ends the rows that there may be when all writers have ended
   */
  record Result(int states, String violation, List<String> trace, Set<String> ends) {
    @Override
    public String toString() {
      return violation + ", after\n  " + String.join("\n  ", trace);
    }
  }

  private record Node(World world, Node from, String step) {}

  Result run(Mutation mutation) {
    Set<ByteBuffer> seen = new HashSet<>();
    Set<String> ends = new TreeSet<>();
    List<Node> level = new ArrayList<>();
    World first = begin(mutation);
    level.add(new Node(first, null, ""));
    seen.add(ByteBuffer.wrap(first.encode()));
    while (!level.isEmpty()) {
      List<Node> nextLevel = new ArrayList<>();
      for (Node node : level) {
        List<Step> steps = steps(mutation, node.world());
        String wrong = node.world().violation(mutation);
        if (wrong == null && isStuck(node.world(), steps)) {
          wrong = "nothing can go on";
        }
        if (wrong != null) {
          return new Result(seen.size(), wrong, trace(node), ends);
        }
        if (node.world().allEnded()) {
          ends.add(node.world().rowsAsText());
        }
        for (Step step : steps) {
          if (seen.add(ByteBuffer.wrap(step.next().encode()))) {
            nextLevel.add(new Node(step.next(), node, step.name()));
          }
        }
        if (seen.size() > statesMax) {
          throw new IllegalStateException("more than " + statesMax + " states: " + this);
        }
      }
      level = nextLevel;
    }
    return new Result(seen.size(), null, List.of(), ends);
  }

  private World begin(Mutation mutation) {
    World world = start.copy();
    for (int w = 0; w < scripts.size(); w++) {
      Op op = scripts.get(w).get(0);
      boolean entryFirst =
          new WriterSteps(mutation, world, w, scripts.get(w), List.of()).entryFirst(op);
      world.writers[w].at = entryFirst ? Writer.At.FIRST_CANDIDATE : Writer.At.STATEMENT;
    }
    return world;
  }

  private List<Step> steps(Mutation mutation, World world) {
    List<Step> steps = new ArrayList<>();
    for (int w = 0; w < scripts.size(); w++) {
      new WriterSteps(mutation, world, w, scripts.get(w), steps).find();
    }
    if (!faults) {
      steps.removeIf(Step::isFault);
    }
    BesideSteps beside = new BesideSteps(mutation, world, steps);
    if (sweeps) {
      beside.sweep();
    }
    if (reads) {
      beside.read();
    }
    return steps;
  }

  /** Crashes, the sweeper and the reader resolve nothing. */
  private static boolean isStuck(World world, List<Step> steps) {
    return !world.allEnded()
        && steps.stream().noneMatch(step -> step.name().startsWith("W") && !step.isFault());
  }

  private static List<String> trace(Node last) {
    List<String> trace = new ArrayList<>();
    for (Node node = last; node.from() != null; node = node.from()) {
      trace.add(String.format("%-60s %s", node.step(), node.world()));
    }
    Collections.reverse(trace);
    return trace;
  }

  @Override
  public String toString() {
    return start + ", writers " + scripts + (sweeps ? ", sweeper" : "") + (reads ? ", reader" : "");
  }
}
