package io.shardwright.lookup.model;

import io.shardwright.testkit.StateSearch.Step;
import java.util.Arrays;
import java.util.List;

/** What the sweeper and the reader can do next. */
final class BesideSteps {
  private final Mutation mutation;
  private final World world;
  private final List<Step<World>> steps;

  BesideSteps(Mutation mutation, World world, List<Step<World>> steps) {
    this.mutation = mutation;
    this.world = world;
    this.steps = steps;
  }

  private void step(String name, World next) {
    steps.add(new Step<>(name, next, false));
  }

  /**
   * Takes any candidate, waits for the claim, reads the row, removes by the token it began with.
   */
  void sweep() {
    String name =
        "sweeper ("
            + World.valueName(world.sweptValue)
            + ", "
            + World.rowName(world.sweptRow)
            + ")";
    switch (world.sweeping) {
      case 0 -> pick();
      case 1 -> {
        boolean claimed = world.isClaimed(world.sweptRow, world.sweptValue, World.NOBODY);
        boolean waits = claimed && mutation != Mutation.SWEEPER_DOES_NOT_WAIT;
        if (waits || world.rows[world.sweptRow] == world.sweptValue) {
          step(name + (waits ? ": its wait times out" : ": alive"), idle(world.copy()));
        } else {
          World next = world.copy();
          next.sweeping = 2;
          step(name + ": dead", next);
        }
      }
      default -> {
        if (world.lock[world.sweptValue] == World.NOBODY) {
          World next = world.copy();
          next.remove(mutation, world.sweptValue, world.sweptRow, world.sweptToken);
          step(name + ": removed if its token is " + world.sweptToken, idle(next));
        }
      }
    }
  }

  private static World idle(World next) {
    next.sweeping = 0;
    next.sweptValue = 0;
    next.sweptRow = 0;
    next.sweptToken = 0;
    return next;
  }

  private void pick() {
    for (int value = World.X; value <= World.Y; value++) {
      for (int slot = 0; slot < World.SLOTS; slot++) {
        if (world.slotRow[value][slot] != 0) {
          World next = world.copy();
          next.sweeping = 1;
          next.sweptValue = (byte) value;
          next.sweptRow = (byte) (world.slotRow[value][slot] - 1);
          next.sweptToken = world.slotToken[value][slot];
          step(
              "sweeper picks ("
                  + World.valueName(value)
                  + ", "
                  + World.rowName(next.sweptRow)
                  + ", token "
                  + next.sweptToken
                  + ")",
              next);
        }
      }
    }
  }

  void read() {
    switch (world.reader.at) {
      case 0 -> {
        World next = world.copy();
        next.reader.begin(next.rows);
        step("reader reads the candidates", readCandidates(next));
      }
      case 1 -> {
        for (int shard = 0; shard < World.SHARDS; shard++) {
          if ((world.reader.shardsLeft & 1 << shard) != 0) {
            readRows(shard);
          }
        }
      }
      case 2 -> {
        World next = world.copy();
        readCandidates(next);
        boolean same = Arrays.equals(next.reader.tokens, world.reader.tokens);
        if (same) {
          next.reader.answer(Reader.NONE);
        }
        step("reader reads the candidates again: " + (same ? "the same, none" : "others"), next);
      }
      default -> {}
    }
  }

  private static World readCandidates(World next) {
    Reader reader = next.reader;
    reader.shardsLeft = 0;
    for (int row = 0; row < World.ROWS; row++) {
      int slot = next.slotOf(World.X, row);
      reader.tokens[row] = slot < 0 ? 0 : next.slotToken[World.X][slot];
      reader.shardsLeft |= slot < 0 ? 0 : 1 << World.shardOf(row);
    }
    reader.at = 1;
    if (reader.shardsLeft == 0) {
      reader.answer(Reader.NONE);
    }
    return next;
  }

  private void readRows(int shard) {
    World next = world.copy();
    next.reader.shardsLeft &= ~(1 << shard);
    String found = "nothing";
    for (int row = 0; row < World.ROWS; row++) {
      boolean asked = world.reader.tokens[row] != 0 && World.shardOf(row) == shard;
      if (asked && next.rows[row] == World.X) {
        next.reader.answer(row);
        found = World.rowName(row);
      }
    }
    if (next.reader.at == 1 && next.reader.shardsLeft == 0) {
      next.reader.at = 2;
      if (mutation == Mutation.READER_DOES_NOT_READ_AGAIN) {
        next.reader.answer(Reader.NONE);
      }
    }
    step("reader reads the rows on shard " + shard + ": " + found, next);
  }
}
