package io.shardwright.lookup.model;

import io.shardwright.testkit.StateSearch;
import io.shardwright.testkit.StateSearch.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A small world, of which every state is looked at.
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

  Result run(Mutation mutation) {
    Set<String> ends = new TreeSet<>();
    StateSearch.Result result = StateSearch.run(new AllSteps(this, mutation, ends), statesMax);
    return new Result(result.states(), result.violation(), result.trace(), ends);
  }

  private record AllSteps(Search search, Mutation mutation, Set<String> ends)
      implements StateSearch.Model<World> {

    @Override
    public World start() {
      return search.begin(mutation);
    }

    @Override
    public byte[] encode(World world) {
      return world.encode();
    }

    @Override
    public List<Step<World>> steps(World world) {
      return search.steps(mutation, world);
    }

    @Override
    public String violation(World world, List<Step<World>> steps) {
      String wrong = world.violation(mutation);
      if (wrong == null && isStuck(world, steps)) {
        wrong = "nothing can go on";
      }
      if (wrong == null && world.allEnded()) {
        ends.add(world.rowsAsText());
      }
      return wrong;
    }

    @Override
    public String toString() {
      return search.toString();
    }
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

  private List<Step<World>> steps(Mutation mutation, World world) {
    List<Step<World>> steps = new ArrayList<>();
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
  private static boolean isStuck(World world, List<Step<World>> steps) {
    return !world.allEnded()
        && steps.stream().noneMatch(step -> step.name().startsWith("W") && !step.isFault());
  }

  @Override
  public String toString() {
    return start + ", writers " + scripts + (sweeps ? ", sweeper" : "") + (reads ? ", reader" : "");
  }
}
