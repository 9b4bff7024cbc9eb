package io.shardwright.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Makes a value from recorded draws; see {@link Seeds#check}. A generator is a pure function of its
 * draws: no clock, no other random.
 */
@FunctionalInterface
public interface Gen<T> {
  T draw(Choices choices);

  /** Shrinks towards {@code min}. */
  static Gen<Integer> integers(int min, int max) {
    return longs(min, max).map(Long::intValue);
  }

  /** Shrinks towards {@code min}; max - min must fit a long. */
  static Gen<Long> longs(long min, long max) {
    return choices -> min + choices.below(Math.addExact(Math.subtractExact(max, min), 1));
  }

  /** Any long, small ones and edges (-1, both ends) often; shrinks towards 0. */
  static Gen<Long> anyLong() {
    return choices ->
        switch ((int) choices.below(8)) {
          case 5 -> -1L;
          case 6 -> Long.MAX_VALUE;
          case 7 -> Long.MIN_VALUE;
          case 3, 4 -> choices.below(100);
          default -> choices.bits();
        };
  }

  /** Shrinks towards the first. */
  static <T> Gen<T> oneOf(List<T> values) {
    List<T> copy = List.copyOf(values);
    return choices -> copy.get((int) choices.below(copy.size()));
  }

  /** Of any code points but surrogates, mostly ASCII; shrinks towards the empty text. */
  static Gen<String> texts(int lengthMax) {
    Gen<Integer> codePoint =
        choices ->
            switch ((int) choices.below(4)) {
              case 0, 1 -> (int) ('a' + choices.below(26));
              case 2 -> (int) choices.below(0xD800);
              default -> (int) (0xE000 + choices.below(0x110000 - 0xE000));
            };
    return lists(codePoint, 0, lengthMax)
        .map(
            points -> {
              StringBuilder text = new StringBuilder();
              points.forEach(text::appendCodePoint);
              return text.toString();
            });
  }

  /** Shrinks towards the shortest, then towards simple elements. */
  static <T> Gen<List<T>> lists(Gen<T> element, int sizeMin, int sizeMax) {
    return choices -> {
      List<T> list = new ArrayList<>();
      // A draw per element, not one size up front: an element can be cut out of the record whole.
      while (list.size() < sizeMin
          || (list.size() < sizeMax && choices.below(sizeMax + 1L - sizeMin) > 0)) {
        list.add(element.draw(choices));
      }
      return list;
    };
  }

  default <R> Gen<R> map(Function<? super T, ? extends R> function) {
    return choices -> function.apply(draw(choices));
  }

  default <R> Gen<R> flatMap(Function<? super T, Gen<R>> function) {
    return choices -> function.apply(draw(choices)).draw(choices);
  }
}
