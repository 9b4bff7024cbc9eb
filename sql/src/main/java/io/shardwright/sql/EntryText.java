package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.Facts.Place;
import io.shardwright.sql.ListRead.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A statement that reads the keys of rows from the view of a list index. It has conditions of
 * another statement, and the order of a page.
 *
 * @param text without a limit
 * @param parameters for each of its {@code ?} the number (0-based) of the other statement's
 */
record EntryText(String text, List<Integer> parameters) {

  /** Clauses that a page may have: each of its rows is a row of the table. */
  private static final Set<String> OTHER_THAN_PAGE =
      Set.of("GROUP", "HAVING", "WINDOW", "FOR", "LOCK", "PROCEDURE", "INTO");

  String sql(long rows) {
    return text + " LIMIT " + rows;
  }

  /** All rows that may be meant: by those conditions that entries can decide. */
  static Optional<EntryText> ofAll(Subject subject, ListIndex index) {
    ColumnUse use = new ColumnUse(subject.tokens(), subject.blocks());
    List<Range> conditions =
        use.conditionsOn(subject.root(), subject.block(), index::holds).stream()
            .filter(condition -> !use.qualifiesBySchema(condition))
            .toList();
    if (conditions.isEmpty()) {
      return Optional.empty();
    }
    Builder builder = new Builder(subject, index);
    conditions.forEach(builder::condition);
    return Optional.of(builder.build());
  }

  /** Those of a page: by the whole condition and the order. Empty where it is no page of rows. */
  static Optional<EntryText> ofPage(Subject subject, ListIndex index) {
    ColumnUse use = new ColumnUse(subject.tokens(), subject.blocks());
    if (!isPage(subject) || use.qualifiesBySchema(new Range(0, subject.tokens().size()))) {
      return Optional.empty();
    }
    SqlTokens tokens = subject.tokens();
    Block block = subject.block();
    Optional<Clauses.Clause> where = block.clauses.find("WHERE");
    boolean decided =
        where.filter(w -> use.isOnlyOf(w.range(), block, subject.root(), index::holds)).isPresent();
    if (!decided) {
      return Optional.empty();
    }
    Builder builder = new Builder(subject, index);
    builder.condition(where.get().range());
    List<Range> order =
        block.clauses.find("ORDER").map(c -> c.range().items(tokens)).orElse(List.of());
    try {
      SelectList items = SelectList.of(tokens, block);
      for (Range item : order) {
        Range written = OrderItem.of(tokens, item).expression();
        Range meant = items.ordered(written).map(items::expression).orElse(written);
        if (tokens.hasParameter(meant)
            || !use.isOnlyOf(meant, block, subject.root(), index::holds)) {
          return Optional.empty();
        }
        builder.order(meant, new Range(written.to(), item.to()));
      }
    } catch (ShardwrightException e) {
      // What the order means is not told by the text.
      return Optional.empty();
    }
    return Optional.of(builder.build());
  }

  private static boolean isPage(Subject subject) {
    SqlTokens tokens = subject.tokens();
    Block block = subject.block();
    Range list = block.clauses.head().range();
    boolean ties = block.clauses.window().filter(w -> tokens.isAt(w.to() - 1, "TIES")).isPresent();
    return subject.kind() == Plan.Kind.SELECT
        && subject.blocks().all().size() == 1
        && subject.blocks().top().isPresent()
        && block.sources.size() == 1
        && !ties
        && OTHER_THAN_PAGE.stream().noneMatch(clause -> block.clauses.find(clause).isPresent())
        && WindowSlots.arePlain(tokens, subject.blocks())
        && !SelectList.of(tokens, block).distinct()
        && !tokens.hasWord(list, "OVER")
        && !tokens.isAt(list.from(), "DISTINCT")
        && Functions.calls(tokens, list).stream().allMatch(tokens.functions()::isScalar);
  }

  private static final class Builder {
    private final Subject subject;
    private final StringBuilder text = new StringBuilder("SELECT ");
    private final List<Integer> parameters = new ArrayList<>();
    private String beforeCondition = " WHERE ";
    private String beforeOrder = " ORDER BY ";

    Builder(Subject subject, ListIndex index) {
      this.subject = subject;
      Dialect dialect = subject.tokens().dialect();
      String qualifier = subject.root().qualifier;
      text.append(qualifier).append('.').append(ListIndex.ROW_BUCKET);
      for (String column : index.primaryKey()) {
        text.append(", ").append(qualifier).append('.').append(dialect.quote(column));
      }
      text.append(" FROM ").append(dialect.quote(index.view())).append(" AS ").append(qualifier);
    }

    void condition(Range condition) {
      text.append(beforeCondition).append('(');
      copy(condition);
      text.append(')');
      beforeCondition = " AND ";
    }

    /**
     * @param direction DESC, NULLS LAST; may be empty
     */
    void order(Range expression, Range direction) {
      text.append(beforeOrder);
      copy(expression);
      if (direction.size() > 0) {
        text.append(' ');
        copy(direction);
      }
      beforeOrder = ", ";
    }

    private void copy(Range range) {
      SqlTokens tokens = subject.tokens();
      Place place = range.place(tokens);
      int last = tokens.parametersBefore(place.to());
      for (int i = tokens.parametersBefore(place.from()); i < last; i++) {
        parameters.add(i);
      }
      text.append(tokens.text(place.from(), place.to()));
    }

    EntryText build() {
      return new EntryText(text.toString(), List.copyOf(parameters));
    }
  }
}
