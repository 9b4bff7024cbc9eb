package io.shardwright.testkit;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks a property for many seeds. The first case that fails is made simpler as long as it still
 * fails, and reported with its seed; {@code -Dshardwright.seed=N} runs that seed alone, {@code
 * -Dshardwright.seed.first=N} starts the series elsewhere.
 *
 * <p>Shrinking works on the recorded draws ({@link Choices}): runs of draws are cut out, then each
 * draw is lowered by bisection, until a whole round brings nothing.
 */
public final class Seeds {
  /** Property executions while shrinking; enough for some hundred draws. */
  private static final int SHRINK_RUNS_MAX = 20_000;

  private Seeds() {}

  /**
   * @param property throws any exception or {@link AssertionError} when it does not hold
   */
  public static <T> void check(int seedCount, Gen<T> generator, Consumer<? super T> property) {
    Long only = Long.getLong("shardwright.seed");
    long first = only != null ? only : Long.getLong("shardwright.seed.first", 1);
    int count = only != null ? 1 : seedCount;
    for (long seed = first; seed < first + count; seed++) {
      Failure<T> failure = run(Choices.ofSeed(seed), generator, property);
      if (failure != null) {
        Failure<T> smallest = new Shrinking<>(generator, property, failure).smallest();
        throw new AssertionError(
            "seed "
                + seed
                + " (repeat: -Dshardwright.seed="
                + seed
                + ") fails for\n  "
                + smallest.value
                + "\nshrunken from\n  "
                + failure.value
                + "\nwith "
                + smallest.cause,
            smallest.cause);
      }
    }
  }

  /** Like {@link #check}, for a property that is true or false. */
  public static <T> void checkThat(int seedCount, Gen<T> generator, Predicate<? super T> property) {
    check(
        seedCount,
        generator,
        value -> {
          if (!property.test(value)) {
            throw new AssertionError("the property is false");
          }
        });
  }

  private static final class Failure<T> {
    final long[] draws;
    final T value;
    final Throwable cause;

    Failure(long[] draws, T value, Throwable cause) {
      this.draws = draws;
      this.value = value;
      this.cause = cause;
    }
  }

  /** The failure of one case, or null when the property holds. */
  private static <T> Failure<T> run(
      Choices choices, Gen<T> generator, Consumer<? super T> property) {
    T value = generator.draw(choices);
    try {
      property.accept(value);
      return null;
    } catch (RuntimeException | AssertionError e) {
      return new Failure<>(choices.drawn(), value, e);
    }
  }

  private static final class Shrinking<T> {
    private final Gen<T> generator;
    private final Consumer<? super T> property;
    private Failure<T> best;
    private int runs;
    private int improvements;

    Shrinking(Gen<T> generator, Consumer<? super T> property, Failure<T> found) {
      this.generator = generator;
      this.property = property;
      this.best = found;
    }

    Failure<T> smallest() {
      int before;
      do {
        before = improvements;
        cutOut();
        lower();
      } while (improvements > before && runs < SHRINK_RUNS_MAX);
      return best;
    }

    private void cutOut() {
      for (int length = Math.max(1, best.draws.length / 2); length > 0; length /= 2) {
        for (int from = best.draws.length - length; from >= 0; from--) {
          if (from + length <= best.draws.length) {
            long[] shorter = new long[best.draws.length - length];
            System.arraycopy(best.draws, 0, shorter, 0, from);
            System.arraycopy(best.draws, from + length, shorter, from, shorter.length - from);
            improve(shorter);
          }
        }
      }
    }

    private void lower() {
      for (int i = 0; i < best.draws.length; i++) {
        if (best.draws[i] == 0 || replace(i, 0)) {
          continue;
        }
        // Bisection between a draw for which the property holds and one for which it fails; all
        // draws count as unsigned.
        long holds = 0;
        while (i < best.draws.length && Long.compareUnsigned(best.draws[i] - 1, holds) > 0) {
          long middle = holds + ((best.draws[i] - holds) >>> 1);
          if (!replace(i, middle)) {
            holds = middle;
          }
        }
      }
    }

    private boolean replace(int index, long value) {
      long[] changed = best.draws.clone();
      changed[index] = value;
      return improve(changed);
    }

    private boolean improve(long[] draws) {
      if (runs++ >= SHRINK_RUNS_MAX) {
        return false;
      }
      Failure<T> failure = run(Choices.replay(draws), generator, property);
      if (failure == null || !isSimpler(failure.draws, best.draws)) {
        return false;
      }
      best = failure;
      improvements++;
      return true;
    }

    /** Shorter first, then smaller at the first difference: so shrinking ends. */
    private static boolean isSimpler(long[] one, long[] other) {
      if (one.length != other.length) {
        return one.length < other.length;
      }
      int difference = Arrays.mismatch(one, other);
      return difference >= 0 && Long.compareUnsigned(one[difference], other[difference]) < 0;
    }
  }
}
