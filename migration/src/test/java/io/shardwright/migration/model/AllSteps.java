package io.shardwright.migration.model;

import io.shardwright.testkit.StateSearch;
import io.shardwright.testkit.StateSearch.Step;
import java.util.ArrayList;
import java.util.List;

/** The model of moves of docs/decisions/moves.md, in one small world. */
record AllSteps(Scenario scenario, Mutation mutation) implements StateSearch.Model<World> {

  static StateSearch.Result search(Scenario scenario, Mutation mutation, int statesMax) {
    return StateSearch.run(new AllSteps(scenario, mutation), statesMax);
  }

  @Override
  public World start() {
    return World.begin(scenario);
  }

  @Override
  public byte[] encode(World world) {
    return world.encode();
  }

  @Override
  public List<Step<World>> steps(World world) {
    List<Step<World>> steps = new ArrayList<>();
    if (world.wrong != null) {
      return steps;
    }
    for (int w = 0; w < world.workers.length; w++) {
      new MoverSteps(mutation, world, w, steps).find();
    }
    for (int w = 0; w < world.writers.length; w++) {
      new ClientSteps(mutation, world, w, steps).find();
    }
    for (int r = 0; r < world.routers.length; r++) {
      new RouterSteps(mutation, world, r, steps).find();
    }
    new FaultSteps(mutation, world, steps).find();
    return steps;
  }

  @Override
  public String violation(World world, List<Step<World>> steps) {
    return world.violation();
  }

  /** Complete or undone. */
  @Override
  public boolean isGoal(World world) {
    return world.movesHaveEnded();
  }

  @Override
  public String toString() {
    return scenario + (mutation == Mutation.NONE ? "" : ", " + mutation);
  }
}
