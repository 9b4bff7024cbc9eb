package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The values in {@code ANY (array)}, where the array's form is known. */
final class ArrayElements {
  /** Of an array as text: an element that needs no quotes. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.+-]+");

  private final SqlTokens tokens;
  private final Optional<KeyType> cast;

  private ArrayElements(SqlTokens tokens, Optional<KeyType> cast) {
    this.tokens = tokens;
    this.cast = cast;
  }

  /**
   * Of {@code ANY (?)}, {@code ANY (ARRAY[1, 2])} and {@code ANY ('{1,2}')}, also with a cast to an
   * array type behind; none for other forms.
   *
   * @param quantifiers ANY and its like that stand in front
   */
  static List<Slot> of(SqlTokens tokens, Range right, Set<String> quantifiers) {
    Range argument = new Range(right.from() + 1, right.to());
    if (!quantifiers.contains(tokens.get(right.from()).keyword())
        || !argument.isParenthesised(tokens)) {
      return List.of();
    }
    Range array = argument.unwrapped(tokens);
    int type = array.to() - 3;
    boolean written =
        type > array.from()
            && tokens.isSymbolAt(type - 1, "::")
            && tokens.isSymbolAt(type + 1, "[")
            && tokens.isSymbolAt(type + 2, "]");
    if (!written) {
      return new ArrayElements(tokens, Optional.empty()).elements(array);
    }
    Optional<KeyType> cast = tokens.dialect().castType(tokens.name(type));
    return cast.isPresent()
        ? new ArrayElements(tokens, cast).elements(new Range(array.from(), type - 1))
        : List.of();
  }

  private List<Slot> elements(Range array) {
    int first = array.from();
    boolean constructor =
        tokens.isAt(first, "ARRAY")
            && tokens.isSymbolAt(first + 1, "[")
            && tokens.closing(first + 1) == array.to() - 1;
    if (constructor) {
      List<Range> items = new Range(first + 2, array.to() - 1).items(tokens);
      List<Slot> values = items.stream().flatMap(i -> Slot.of(tokens, i, cast).stream()).toList();
      return values.size() == items.size() ? values : List.of();
    }
    if (array.size() != 1) {
      return List.of();
    }
    return switch (tokens.get(first).kind()) {
      case PARAMETER ->
          Slot.of(tokens, array, cast)
              .map(slot -> List.<Slot>of(new Slot.Elements((Slot.Parameter) slot)))
              .orElse(List.of());
      case STRING ->
          tokens.dialect().string(tokens.get(first).text()).map(this::text).orElse(List.of());
      default -> List.of();
    };
  }

  private List<Slot> text(Object literal) {
    String text = literal.toString().strip();
    if (!text.startsWith("{") || !text.endsWith("}")) {
      return List.of();
    }
    List<Slot> values = new ArrayList<>();
    for (String written : text.substring(1, text.length() - 1).split(",", -1)) {
      String element = written.strip();
      if (!PLAIN.matcher(element).matches()) {
        return List.of();
      }
      Object value = element.equalsIgnoreCase("NULL") ? null : element;
      values.add(new Slot.Literal(value, cast, tokens.dialect()));
    }
    return values;
  }
}
