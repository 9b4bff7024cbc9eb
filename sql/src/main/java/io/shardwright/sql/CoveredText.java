package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.ListRead.Subject;
import io.shardwright.sql.Schema.Table;
import java.util.Optional;

/**
 * A SELECT that entries can answer alone, with the view in place of the table: it has the table
 * once, and names no column that the entries lack or must not show.
 */
final class CoveredText {
  private CoveredText() {}

  static Optional<String> of(Subject subject, ListIndex index) {
    return isCovered(subject, index) ? Optional.of(onView(subject, index)) : Optional.empty();
  }

  private static boolean isCovered(Subject subject, ListIndex index) {
    SqlTokens tokens = subject.tokens();
    Table table = subject.root().table.orElseThrow();
    ColumnUse use = new ColumnUse(tokens, subject.blocks());
    return subject.kind() == Plan.Kind.SELECT
        && subject.blocks().all().size() == 1
        && subject.blocks().top().isPresent()
        && subject.block().sources.stream().allMatch(s -> s == subject.root() || isReference(s))
        && !subject.blocks().lock()
        && !use.allColumns(subject.root(), subject.block())
        && !use.qualifiesBySchema(new Range(0, tokens.size()))
        && !use.names(ListIndex.ROW_BUCKET)
        && table.columns().stream()
            .allMatch(column -> index.shows(column.name()) || !use.names(column.name()))
        && tokens.dialect().catalogs().rowColumns().stream().noneMatch(use::names)
        && isPlain(tokens, subject.root())
        && !needsPrimaryKey(subject);
  }

  private static boolean isReference(Source source) {
    return source.table.filter(Table::isReference).isPresent();
  }

  /** A name with or without an alias, and nothing that tells the database how to read the table. */
  private static boolean isPlain(SqlTokens tokens, Source source) {
    Range place = source.place;
    int alias = tokens.isAt(place.from() + 1, "AS") ? place.from() + 2 : place.from() + 1;
    boolean aliased = alias == place.to() - 1 && tokens.get(alias).isName();
    return (place.size() == 1 || aliased)
        && tokens.tableName(place.from()).equals(source.table.orElseThrow().name());
  }

  /** GROUP BY of the primary key decides all columns of the table, and not those of a view. */
  private static boolean needsPrimaryKey(Subject subject) {
    try {
      GroupedColumns.requireWithoutKey(subject.tokens(), subject.root(), subject.block());
      return false;
    } catch (ShardwrightException e) {
      return true;
    }
  }

  private static String onView(Subject subject, ListIndex index) {
    SqlTokens tokens = subject.tokens();
    Facts.Place place = subject.root().place.place(tokens);
    return tokens.text(0, place.from())
        + tokens.dialect().quote(index.view())
        + " AS "
        + subject.root().qualifier
        + tokens.text(place.to(), tokens.sql().length());
  }
}
