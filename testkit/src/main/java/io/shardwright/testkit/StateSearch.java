package io.shardwright.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Looks at every state of a model that can be reached, in the order of the number of steps, so that
 * the first wrong one has the shortest trace. With a goal it also finds the states from which no
 * steps but faults lead to it.
 *
 * <p>A state is known by 128 bits of hash of its encoding, so that some millions fit into the
 * memory of a test; two of a million being taken for one has a chance below 10^-25. Not
 * thread-safe.
 */
public final class StateSearch<S> {
  private final Model<S> model;
  private final int statesMax;
  private final Fingerprints seen = new Fingerprints();

  /** By number of the state: the state it was reached from, and by which of its steps. */
  private int[] from = new int[1 << 12];

  private short[] by = new short[1 << 12];

  /** Pairs of state and next state, for steps that are no faults. */
  private int[] edges = new int[1 << 12];

  private int edgeCount;
  private int[] goals = new int[16];
  private int goalCount;

  /** States are never changed once they were handed over. */
  public interface Model<S> {
    S start();

    /** Equal for states that are the same, different for others. */
    byte[] encode(S state);

    /** In an order that is the same at each call. */
    List<Step<S>> steps(S state);

    /** Called once for each state; null when it is right. */
    String violation(S state, List<Step<S>> steps);

    /** Whether this is where steps that are no faults must be able to lead. */
    default boolean isGoal(S state) {
      return true;
    }

    /** What a trace shows beside a step. */
    default String describe(S state) {
      return state.toString();
    }
  }

  /**
   * @param isFault what need not happen, so that it resolves nothing
   */
  public record Step<S>(String name, S next, boolean isFault) {}

  /**
   * @param violation null when all states are right
   * @param trace the steps to the wrong state
   */
  public record Result(int states, String violation, List<String> trace) {
    @Override
    public String toString() {
      return violation + " (" + states + " states), after\n  " + String.join("\n  ", trace);
    }
  }

  private record Numbered<S>(int number, S state) {}

  private StateSearch(Model<S> model, int statesMax) {
    this.model = model;
    this.statesMax = statesMax;
  }

  /**
   * @param statesMax so that a model that grew is found by this and not by waiting
   */
  public static <S> Result run(Model<S> model, int statesMax) {
    return new StateSearch<>(model, statesMax).run();
  }

  private Result run() {
    List<Numbered<S>> level = new ArrayList<>();
    seen.number(model.encode(model.start()));
    from[0] = -1;
    level.add(new Numbered<>(0, model.start()));
    while (!level.isEmpty()) {
      List<Numbered<S>> nextLevel = new ArrayList<>();
      for (Numbered<S> node : level) {
        List<Step<S>> steps = model.steps(node.state());
        String wrong = model.violation(node.state(), steps);
        if (wrong != null) {
          return new Result(seen.size(), wrong, trace(node.number()));
        }
        if (model.isGoal(node.state())) {
          addGoal(node.number());
        }
        follow(node.number(), steps, nextLevel);
      }
      level = nextLevel;
    }
    int hopeless = firstThatMissesTheGoal();
    return hopeless < 0
        ? new Result(seen.size(), null, List.of())
        : new Result(seen.size(), "it can never end any more", trace(hopeless));
  }

  private void follow(int number, List<Step<S>> steps, List<Numbered<S>> nextLevel) {
    for (int i = 0; i < steps.size(); i++) {
      Step<S> step = steps.get(i);
      int known = seen.size();
      int next = seen.number(model.encode(step.next()));
      if (next == known) {
        if (next >= statesMax) {
          throw new IllegalStateException("more than " + statesMax + " states: " + model);
        }
        if (next == from.length) {
          from = Arrays.copyOf(from, 2 * next);
          by = Arrays.copyOf(by, 2 * next);
        }
        from[next] = number;
        by[next] = (short) i;
        nextLevel.add(new Numbered<>(next, step.next()));
      }
      if (!step.isFault() && next != number) {
        addEdge(number, next);
      }
    }
  }

  private void addEdge(int number, int next) {
    if (edgeCount == edges.length) {
      edges = Arrays.copyOf(edges, 2 * edgeCount);
    }
    edges[edgeCount++] = number;
    edges[edgeCount++] = next;
  }

  private void addGoal(int number) {
    if (goalCount == goals.length) {
      goals = Arrays.copyOf(goals, 2 * goalCount);
    }
    goals[goalCount++] = number;
  }

  /** From the goals backwards; -1 when every state leads to one. */
  private int firstThatMissesTheGoal() {
    int count = seen.size();
    if (goalCount == count) {
      return -1;
    }
    int[] begins = new int[count + 1];
    for (int e = 0; e < edgeCount; e += 2) {
      begins[edges[e + 1] + 1]++;
    }
    for (int n = 0; n < count; n++) {
      begins[n + 1] += begins[n];
    }
    int[] before = new int[edgeCount / 2];
    int[] fill = Arrays.copyOf(begins, count);
    for (int e = 0; e < edgeCount; e += 2) {
      before[fill[edges[e + 1]]++] = edges[e];
    }
    boolean[] leads = new boolean[count];
    int[] queue = new int[count];
    int end = 0;
    for (int g = 0; g < goalCount; g++) {
      leads[goals[g]] = true;
      queue[end++] = goals[g];
    }
    for (int q = 0; q < end; q++) {
      for (int e = begins[queue[q]]; e < begins[queue[q] + 1]; e++) {
        if (!leads[before[e]]) {
          leads[before[e]] = true;
          queue[end++] = before[e];
        }
      }
    }
    for (int n = 0; n < count; n++) {
      if (!leads[n]) {
        return n;
      }
    }
    return -1;
  }

  /** The steps again, from the start. */
  private List<String> trace(int last) {
    List<Integer> path = new ArrayList<>();
    for (int n = last; from[n] >= 0; n = from[n]) {
      path.add((int) by[n]);
    }
    Collections.reverse(path);
    List<String> trace = new ArrayList<>();
    S state = model.start();
    for (int i : path) {
      Step<S> step = model.steps(state).get(i);
      state = step.next();
      trace.add(String.format("%-60s %s", step.name(), model.describe(state)));
    }
    return trace;
  }

  /** Numbers encodings in the order in which they come, by two hashes of 64 bits. */
  private static final class Fingerprints {
    private long[] ones = new long[1 << 13];
    private long[] others = new long[1 << 13];
    private int[] numbers = new int[1 << 13];
    private int size;

    int size() {
      return size;
    }

    int number(byte[] encoded) {
      long one = 0x9E3779B97F4A7C15L;
      long other = 0xC2B2AE3D27D4EB4FL;
      for (byte b : encoded) {
        one = mix((one ^ b) * 0xFF51AFD7ED558CCDL);
        other = mix((other + b) * 0x9FB21C651E98DF25L);
      }
      int at = (int) one & ones.length - 1;
      while (numbers[at] != 0) {
        if (ones[at] == one && others[at] == other) {
          return numbers[at] - 1;
        }
        at = at + 1 & ones.length - 1;
      }
      if (2 * size >= ones.length) {
        grow();
        return number(encoded);
      }
      put(at, one, other, ++size);
      return size - 1;
    }

    private static long mix(long h) {
      return h ^ h >>> 29;
    }

    private void put(int at, long one, long other, int number) {
      ones[at] = one;
      others[at] = other;
      numbers[at] = number;
    }

    private void grow() {
      long[] oldOnes = ones;
      long[] oldOthers = others;
      int[] oldNumbers = numbers;
      ones = new long[2 * oldOnes.length];
      others = new long[2 * oldOnes.length];
      numbers = new int[2 * oldOnes.length];
      for (int i = 0; i < oldOnes.length; i++) {
        if (oldNumbers[i] != 0) {
          int at = (int) oldOnes[i] & ones.length - 1;
          while (numbers[at] != 0) {
            at = at + 1 & ones.length - 1;
          }
          put(at, oldOnes[i], oldOthers[i], oldNumbers[i]);
        }
      }
    }
  }
}
