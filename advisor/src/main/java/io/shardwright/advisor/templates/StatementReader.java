package io.shardwright.advisor.templates;

import io.shardwright.advisor.templates.Scope.Column;
import io.shardwright.advisor.templates.Scope.Source;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.TokenText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads which tables a statement touches and how it uses their columns, from its tokens: clauses
 * are found by reserved words at the depth of their query, conditions are taken apart by AND, OR
 * and NOT. Aliases, queries in FROM and WITH, and enclosing queries are resolved; without a schema
 * a column that is not qualified belongs to the only table of its query, else to an unknown one.
 * HAVING, window definitions and select lists are read for the queries inside of them only. One
 * statement.
 */
// Long because: SELECT, INSERT, UPDATE and DELETE share clauses and FROM, and read top-down in one
// place.
final class StatementReader {
  private static final Set<String> SELECT_CLAUSES =
      Set.of(
          "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR",
          "LOCK", "INTO", "QUALIFY");
  private static final Set<String> WRITE_CLAUSES =
      Set.of("SET", "FROM", "USING", "WHERE", "ORDER", "LIMIT", "RETURNING");
  private static final Set<String> SET_OPERATIONS = Set.of("UNION", "INTERSECT", "EXCEPT", "MINUS");
  private static final Set<String> JOINS =
      Set.of(
          "JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "OUTER", "NATURAL", "STRAIGHT_JOIN");
  private static final Set<String> BEHIND_TABLE =
      Set.of(
          "ON",
          "USING",
          "USE",
          "FORCE",
          "IGNORE",
          "PARTITION",
          "TABLESAMPLE",
          "SET",
          "WHERE",
          "WINDOW",
          "AS",
          "VALUES",
          "VALUE",
          "SELECT",
          "ORDER",
          "LIMIT",
          "RETURNING",
          "DEFAULT",
          "OVERRIDING");

  /** Behind THEN of a MERGE; a CASE before it has expressions there. */
  private static final Set<String> ACTIONS = Set.of("UPDATE", "INSERT", "DELETE", "DO");

  private static final int DEPTH_MAX = 60;

  private final TokenText tokens;
  private final Set<ColumnUse> uses = new LinkedHashSet<>();
  private final Set<String> reads = new LinkedHashSet<>();
  private final Set<String> writes = new LinkedHashSet<>();
  private final ConditionReader conditions;
  private boolean locks;
  private int depth;

  /** What a query gives: its columns by name, in order; null where it is no column of a table. */
  record Outputs(List<String> names, List<Column> columns, Optional<String> whole) {
    Source source(String alias, List<String> renamed) {
      Map<String, Column> map = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        map.put(i < renamed.size() ? renamed.get(i) : names.get(i), columns.get(i));
      }
      return new Source(alias, Optional.empty(), map, whole);
    }
  }

  private StatementReader(TokenText tokens) {
    this.tokens = tokens;
    this.conditions = new ConditionReader(tokens, this, uses);
  }

  /**
   * @throws ShardwrightException SW202 for a statement whose parts are not where they should be
   */
  static StatementUse read(TokenText tokens) {
    try {
      return new StatementReader(tokens).read();
    } catch (IndexOutOfBoundsException e) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_UNSUPPORTED, "the statement ends before its parts do", e);
    }
  }

  private StatementUse read() {
    StatementKind kind = kind(0);
    if (tokens.is(0, "COPY")) {
      copy();
      return new StatementUse(kind, reads, writes, locks, new ArrayList<>(uses));
    }
    switch (kind) {
      case SELECT -> query(0, tokens.size(), null);
      case INSERT, UPDATE, DELETE -> write(kind, 0, tokens.size(), new Scope(null));
      default -> {}
    }
    return new StatementUse(kind, reads, writes, locks, new ArrayList<>(uses));
  }

  private StatementKind kind(int from) {
    int i = from;
    while (tokens.isSymbol(i, "(")) {
      i++;
    }
    return switch (upper(i)) {
      case "SELECT", "VALUES", "TABLE" -> StatementKind.SELECT;
      case "WITH" -> kind(behindWith(i));
      case "INSERT", "REPLACE" -> StatementKind.INSERT;
      case "UPDATE", "MERGE" -> StatementKind.UPDATE;
      case "DELETE" -> StatementKind.DELETE;
      case "COPY" -> copies(i) ? StatementKind.INSERT : StatementKind.SELECT;
      case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "END", "ABORT", "XA" ->
          StatementKind.TRANSACTION;
      case "SET" ->
          Autocommit.set(tokens.text(i, tokens.size())).isPresent()
              ? StatementKind.TRANSACTION
              : StatementKind.OTHER;
      case "CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME", "COMMENT", "REINDEX" ->
          StatementKind.DDL;
      default -> StatementKind.OTHER;
    };
  }

  private String upper(int i) {
    return i < tokens.size() && tokens.kind(i) == TokenText.Kind.WORD
        ? tokens.text(i).toUpperCase(Locale.ROOT)
        : "";
  }

  private int behindWith(int with) {
    int i = tokens.is(with + 1, "RECURSIVE") ? with + 2 : with + 1;
    while (true) {
      while (!tokens.is(i, "AS")) {
        i = tokens.isSymbol(i, "(") ? tokens.closing(i) + 1 : i + 1;
        requireInside(i);
      }
      while (!tokens.isSymbol(i, "(")) {
        requireInside(++i);
      }
      i = tokens.closing(i) + 1;
      if (!tokens.isSymbol(i, ",")) {
        return i;
      }
      i++;
    }
  }

  private void requireInside(int i) {
    if (i >= tokens.size()) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_UNSUPPORTED, "the statement ends before its parts do");
    }
  }

  // Queries.

  /** A query with WITH, set operations and parentheses. */
  Outputs query(int from, int to, Scope around) {
    if (++depth > DEPTH_MAX) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_TOO_LARGE, "queries nest more than " + DEPTH_MAX + " deep");
    }
    try {
      Scope scope = new Scope(around);
      int start = from;
      if (tokens.is(from, "WITH")) {
        start = with(from, scope);
      }
      if (isWrite(start)) {
        write(kind(start), start, to, scope);
        return new Outputs(List.of(), List.of(), Optional.empty());
      }
      return parts(start, to, scope);
    } finally {
      depth--;
    }
  }

  private boolean isWrite(int i) {
    return tokens.is(i, "INSERT") || tokens.is(i, "UPDATE") || tokens.is(i, "DELETE");
  }

  private int with(int with, Scope scope) {
    boolean recursive = tokens.is(with + 1, "RECURSIVE");
    int i = recursive ? with + 2 : with + 1;
    while (true) {
      String name = tokens.name(i++);
      List<String> columns = List.of();
      if (tokens.isSymbol(i, "(")) {
        columns = names(i);
        i = tokens.closing(i) + 1;
      }
      while (!tokens.isSymbol(i, "(")) {
        requireInside(++i);
      }
      int close = tokens.closing(i);
      if (recursive) {
        scope.define(name, new Source(name, Optional.empty(), Map.of(), Optional.empty()));
      }
      Outputs outputs = query(i + 1, close, scope);
      scope.define(name, outputs.source(name, columns));
      i = close + 1;
      if (!tokens.isSymbol(i, ",")) {
        return i;
      }
      i++;
    }
  }

  /** The parts of UNION and its like; the first names the columns. */
  private Outputs parts(int from, int to, Scope around) {
    int base = tokens.depth(from);
    List<Integer> cuts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (tokens.depth(i) == base
          && SET_OPERATIONS.contains(upper(i))
          && !tokens.isSymbol(i - 1, ".")
          && !tokens.is(i - 1, "AS")) {
        cuts.add(i);
      }
    }
    Outputs first = null;
    int start = from;
    for (int n = 0; n <= cuts.size(); n++) {
      int end = n < cuts.size() ? cuts.get(n) : to;
      Outputs outputs = part(start, end, around);
      first = first == null ? outputs : first;
      start = end + 1;
      if (tokens.is(start, "ALL") || tokens.is(start, "DISTINCT")) {
        start++;
      }
    }
    return first;
  }

  private Outputs part(int from, int to, Scope around) {
    if (tokens.isSymbol(from, "(")) {
      return query(from + 1, tokens.closing(from), around);
    }
    if (tokens.is(from, "SELECT")) {
      return select(from, to, around);
    }
    if (tokens.is(from, "TABLE")) {
      Scope scope = new Scope(around);
      table(from + 1, to, scope, false);
      return new Outputs(List.of(), List.of(), scope.sources().get(0).table());
    }
    if (!tokens.is(from, "VALUES")) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_UNSUPPORTED, "a query begins with SELECT, VALUES, TABLE or WITH");
    }
    inner(from + 1, to, around);
    return new Outputs(List.of(), List.of(), Optional.empty());
  }

  private Outputs select(int from, int to, Scope around) {
    List<Integer> marks = clauses(from, to, SELECT_CLAUSES);
    Scope scope = new Scope(around);
    int head = marks.isEmpty() ? to : marks.get(0);
    List<int[]> conditionRanges = new ArrayList<>();
    for (int n = 0; n < marks.size(); n++) {
      if (tokens.is(marks.get(n), "FROM")) {
        from(marks.get(n) + 1, endOf(marks, n, to), scope, false, conditionRanges);
      }
    }
    Outputs outputs = outputs(from + 1, head, scope);
    conditionRanges.forEach(range -> conditions.read(range[0], range[1], scope));
    for (int n = 0; n < marks.size(); n++) {
      int mark = marks.get(n);
      int end = endOf(marks, n, to);
      switch (upper(mark)) {
        case "WHERE" -> conditions.read(mark + 1, end, scope);
        case "GROUP" -> listed(mark + 2, end, scope, outputs, ColumnRole.GROUP);
        case "ORDER" -> listed(mark + 2, end, scope, outputs, ColumnRole.ORDER);
        case "FOR", "LOCK" -> locks |= !tokens.is(mark + 1, "JSON") && !tokens.is(mark + 1, "XML");
        case "HAVING", "LIMIT", "OFFSET" -> inner(mark + 1, end, scope);
        default -> {}
      }
    }
    return outputs;
  }

  private static int endOf(List<Integer> marks, int n, int to) {
    return n + 1 < marks.size() ? marks.get(n + 1) : to;
  }

  /** Where clauses begin at the depth of the statement. */
  private List<Integer> clauses(int from, int to, Set<String> words) {
    int base = tokens.depth(from);
    List<Integer> marks = new ArrayList<>();
    for (int i = from + 1; i < to; i++) {
      if (tokens.depth(i) != base || !words.contains(upper(i))) {
        continue;
      }
      boolean name = tokens.isSymbol(i - 1, ".") || tokens.is(i - 1, "AS");
      boolean distinctFrom =
          tokens.is(i, "FROM")
              && tokens.is(i - 1, "DISTINCT")
              && (tokens.is(i - 2, "IS") || tokens.is(i - 2, "NOT"));
      boolean by = tokens.is(i, "GROUP") || tokens.is(i, "ORDER");
      boolean hint = tokens.is(i, "FOR") && (tokens.is(i - 1, "INDEX") || tokens.is(i - 1, "KEY"));
      boolean window = tokens.is(i, "WINDOW") && !tokens.is(i + 2, "AS");
      if (!name && !distinctFrom && !hint && !window && (!by || tokens.is(i + 1, "BY"))) {
        marks.add(i);
      }
    }
    return marks;
  }

  private Outputs outputs(int from, int to, Scope scope) {
    int start = from;
    while (tokens.is(start, "DISTINCT") || tokens.is(start, "ALL") || isOption(start)) {
      start++;
      if (tokens.is(start, "ON") && tokens.isSymbol(start + 1, "(")) {
        start = tokens.closing(start + 1) + 1;
      }
    }
    List<String> names = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    Optional<String> whole = Optional.empty();
    for (int[] item : items(start, to)) {
      inner(item[0], item[1], scope);
      int last = item[1] - 1;
      if (last < item[0]) {
        continue;
      }
      if (tokens.isSymbol(last, "*") && (last == item[0] || tokens.isSymbol(last - 1, "."))) {
        if (scope.sources().size() == 1) {
          whole = scope.sources().get(0).table().or(scope.sources().get(0)::whole);
        }
        continue;
      }
      boolean as = tokens.is(last - 1, "AS") && last - 1 > item[0];
      boolean bare =
          !as
              && last > item[0]
              && tokens.isName(last)
              && !tokens.isSymbol(last - 1, ".")
              && !Words.isNoColumn(tokens.text(last));
      int end = as ? last - 1 : bare ? last : item[1];
      columns.add(conditions.column(item[0], end, scope).orElse(null));
      names.add(tokens.isName(last) ? tokens.name(last) : "");
    }
    return new Outputs(names, columns, whole);
  }

  private boolean isOption(int i) {
    return upper(i).startsWith("SQL_")
        || tokens.is(i, "HIGH_PRIORITY")
        || tokens.is(i, "STRAIGHT_JOIN")
        || tokens.is(i, "DISTINCTROW");
  }

  /** Items of ORDER BY and GROUP BY: columns, names or numbers of the select list. */
  private void listed(int from, int to, Scope scope, Outputs outputs, ColumnRole role) {
    for (int[] item : items(from, to)) {
      int end = item[1];
      while (end > item[0] && isDirection(end - 1)) {
        end--;
      }
      inner(item[0], end, scope);
      if (end - item[0] == 1) {
        Optional<Column> output = output(item[0], outputs);
        if (output.isPresent()) {
          add(role, output.get());
          continue;
        }
        if (tokens.isName(item[0]) && outputs.names().contains(tokens.name(item[0]))) {
          continue;
        }
      }
      conditions.column(item[0], end, scope).ifPresent(column -> add(role, column));
    }
  }

  private Optional<Column> output(int i, Outputs outputs) {
    int n =
        tokens.kind(i) == TokenText.Kind.NUMBER && tokens.text(i).matches("\\d{1,4}")
            ? Integer.parseInt(tokens.text(i)) - 1
            : tokens.isName(i) ? outputs.names().indexOf(tokens.name(i)) : -1;
    return n >= 0 && n < outputs.columns().size()
        ? Optional.ofNullable(outputs.columns().get(n))
        : Optional.empty();
  }

  private boolean isDirection(int i) {
    return Set.of("ASC", "DESC", "NULLS", "FIRST", "LAST").contains(upper(i));
  }

  /** Ranges between the commas of a list. */
  List<int[]> items(int from, int to) {
    List<int[]> items = new ArrayList<>();
    if (from >= to) {
      return items;
    }
    int base = tokens.depth(from);
    int start = from;
    for (int i = from; i < to; i++) {
      if (tokens.depth(i) == base && tokens.isSymbol(i, ",")) {
        items.add(new int[] {start, i});
        start = i + 1;
      }
    }
    items.add(new int[] {start, to});
    return items;
  }

  /** Reads the queries inside of a range and nothing else of it. */
  void inner(int from, int to, Scope scope) {
    int i = from;
    while (i < to) {
      if (tokens.isSymbol(i, "(")) {
        int close = tokens.closing(i);
        if (isQuery(i + 1)) {
          query(i + 1, close, scope);
          i = close;
        }
      }
      i++;
    }
  }

  boolean isQuery(int i) {
    int start = i;
    while (tokens.isSymbol(start, "(")) {
      start++;
    }
    return tokens.is(start, "SELECT")
        || tokens.is(start, "WITH")
        || (start == i && tokens.is(i, "VALUES"));
  }

  void add(ColumnRole role, Column column) {
    uses.add(new ColumnUse(role, column.table(), column.name()));
  }

  // FROM.

  private void from(int from, int to, Scope scope, boolean written, List<int[]> conditionRanges) {
    int i = from;
    if (from >= to) {
      throw new ShardwrightException(ErrorCode.STATEMENT_UNSUPPORTED, "FROM names no table");
    }
    while (i < to) {
      if (tokens.isSymbol(i, ",") || JOINS.contains(upper(i))) {
        i++;
      } else if (tokens.is(i, "ON")) {
        int end = endOfOn(i + 1, to);
        conditionRanges.add(new int[] {i + 1, end});
        i = end;
      } else if (tokens.is(i, "USING") && tokens.isSymbol(i + 1, "(")) {
        using(i + 1, scope);
        i = tokens.closing(i + 1) + 1;
      } else if (tokens.isSymbol(i, "(") && !isQuery(i + 1)) {
        int close = tokens.closing(i);
        from(i + 1, close, scope, written, conditionRanges);
        i = close + 1;
      } else {
        i = table(i, to, scope, written);
      }
    }
  }

  private int endOfOn(int from, int to) {
    int base = tokens.depth(from - 1);
    for (int i = from; i < to; i++) {
      boolean function = tokens.isSymbol(i + 1, "(") && !tokens.is(i, "JOIN");
      if (tokens.depth(i) == base
          && !tokens.isSymbol(i - 1, ".")
          && (tokens.isSymbol(i, ",")
              || (JOINS.contains(upper(i)) && !function)
              || tokens.is(i, "ON"))) {
        return i;
      }
    }
    return to;
  }

  private void using(int open, Scope scope) {
    List<Source> sources = scope.sources();
    for (String name : names(open)) {
      if (sources.size() >= 2) {
        sources.get(sources.size() - 1).column(name).ifPresent(c -> add(ColumnRole.JOIN, c));
        if (sources.size() == 2) {
          sources.get(0).column(name).ifPresent(c -> add(ColumnRole.JOIN, c));
        } else {
          add(ColumnRole.JOIN, new Column(Optional.empty(), name));
        }
      }
    }
  }

  private List<String> names(int open) {
    List<String> names = new ArrayList<>();
    for (int[] item : items(open + 1, tokens.closing(open))) {
      if (tokens.isName(item[0])) {
        names.add(tokens.name(item[0]));
      }
    }
    return names;
  }

  /**
   * One table, query or function, with its alias and hints.
   *
   * @return the index behind it
   */
  private int table(int start, int to, Scope scope, boolean written) {
    int i = start;
    while (tokens.is(i, "ONLY") || tokens.is(i, "LATERAL")) {
      i++;
    }
    Source source;
    if (tokens.isSymbol(i, "(")) {
      int close = tokens.closing(i);
      Outputs outputs = query(i + 1, close, scope);
      source = outputs.source("", List.of());
      i = close + 1;
    } else {
      if (!tokens.isName(i)
          || (tokens.kind(i) == TokenText.Kind.WORD && Words.isNoColumn(tokens.text(i)))) {
        throw new ShardwrightException(
            ErrorCode.STATEMENT_UNSUPPORTED,
            "a name of a table is expected behind " + (i == 0 ? "nothing" : upper(i - 1)));
      }
      int end = i + 1;
      while (tokens.isSymbol(end, ".") && tokens.isName(end + 1)) {
        end += 2;
      }
      if (tokens.isSymbol(end, "(") && !written) {
        inner(end, tokens.closing(end) + 1, scope);
        source = new Source(tokens.name(end - 1), Optional.empty(), Map.of(), Optional.empty());
        end = tokens.closing(end) + 1;
        if (tokens.is(end, "WITH") && tokens.is(end + 1, "ORDINALITY")) {
          end += 2;
        }
      } else {
        source = named(i, end, scope, written);
        if (tokens.isSymbol(end, "*")) {
          end++;
        }
      }
      i = end;
    }
    return alias(i, to, source, scope, written);
  }

  private Source named(int from, int end, Scope scope, boolean written) {
    Optional<Source> query = end == from + 1 ? scope.defined(tokens.name(from)) : Optional.empty();
    if (query.isPresent() && !written) {
      return query.get();
    }
    String table = tableName(from, end);
    (written ? writes : reads).add(table);
    return Source.table(tokens.name(end - 1), table);
  }

  private String tableName(int from, int end) {
    StringBuilder name = new StringBuilder(tokens.tableName(end - 1));
    if (end - from >= 3) {
      String qualifier = tokens.tableName(end - 3);
      if (!qualifier.equals("public")) {
        name.insert(0, qualifier + ".");
      }
    }
    return name.toString();
  }

  private int alias(int start, int to, Source source, Scope scope, boolean written) {
    int i = start;
    if (tokens.is(i, "PARTITION") && tokens.isSymbol(i + 1, "(")) {
      i = tokens.closing(i + 1) + 1;
    }
    String alias = source.alias();
    List<String> renamed = List.of();
    boolean as = tokens.is(i, "AS");
    if (as) {
      i++;
    }
    if (i < to && tokens.isName(i) && (as || isAlias(i))) {
      alias = tokens.name(i++);
      if (tokens.isSymbol(i, "(") && !written) {
        renamed = names(i);
        i = tokens.closing(i) + 1;
      }
    }
    i = behindHints(i, to);
    Map<String, Column> outputs = source.outputs();
    if (!renamed.isEmpty()) {
      outputs = new HashMap<>();
      for (String name : renamed) {
        outputs.put(name, null);
      }
    }
    scope.add(new Source(alias, source.table(), outputs, source.whole()));
    return i;
  }

  private boolean isAlias(int i) {
    return tokens.kind(i) == TokenText.Kind.QUOTED
        || (!JOINS.contains(upper(i))
            && !BEHIND_TABLE.contains(upper(i))
            && !SELECT_CLAUSES.contains(upper(i)));
  }

  /** USE INDEX (...), TABLESAMPLE x (...). */
  private int behindHints(int start, int to) {
    int i = start;
    while (i < to && Set.of("USE", "FORCE", "IGNORE", "TABLESAMPLE").contains(upper(i))) {
      while (i < to && !tokens.isSymbol(i, "(")) {
        i++;
      }
      i = i < to ? tokens.closing(i) + 1 : i;
    }
    return i;
  }

  // Writes.

  private void write(StatementKind kind, int start, int to, Scope scope) {
    int i = tokens.is(start, "WITH") ? with(start, scope) : start;
    if (tokens.is(i, "MERGE")) {
      merge(i, to, scope);
      return;
    }
    switch (kind) {
      case INSERT -> insert(i, to, scope);
      case UPDATE -> update(i, to, scope);
      default -> delete(i, to, scope);
    }
  }

  private int behindOptions(int i, Predicate<Integer> more) {
    int at = i;
    while (more.test(at)
        || Set.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE")
            .contains(upper(at))) {
      at++;
    }
    return at;
  }

  private void insert(int start, int to, Scope scope) {
    int i = behindOptions(start + 1, at -> tokens.is(at, "INTO"));
    int end = i + 1;
    while (tokens.isSymbol(end, ".") && tokens.isName(end + 1)) {
      end += 2;
    }
    String table = tableName(i, end);
    writes.add(table);
    Scope target = new Scope(scope);
    String alias = tokens.name(end - 1);
    if (tokens.is(end, "AS") && tokens.isName(end + 1)) {
      alias = tokens.name(end + 1);
      end += 2;
    }
    target.add(Source.table(alias, table));
    if (tokens.is(end, "PARTITION") && tokens.isSymbol(end + 1, "(")) {
      end = tokens.closing(end + 1) + 1;
    }
    if (tokens.isSymbol(end, "(") && !isQuery(end + 1)) {
      names(end).forEach(name -> add(ColumnRole.INSERT, new Column(Optional.of(table), name)));
      end = tokens.closing(end) + 1;
    }
    while (end < to
        && (tokens.is(end, "OVERRIDING")
            || tokens.is(end, "USER")
            || tokens.is(end, "SYSTEM")
            || (tokens.is(end, "VALUE") && !tokens.isSymbol(end + 1, "(")))) {
      end++;
    }
    int tail = tail(end, to);
    if (tokens.is(end, "SET")) {
      assignments(end + 1, tail, target, ColumnRole.INSERT);
    } else if (tokens.is(end, "SELECT")
        || tokens.is(end, "WITH")
        || tokens.isSymbol(end, "(")
        || tokens.is(end, "TABLE")) {
      query(end, tail, scope);
    } else {
      inner(end, tail, scope);
    }
    conflict(tail, to, target);
  }

  /** Where ON DUPLICATE, ON CONFLICT or RETURNING begins; {@code to} without. */
  private int tail(int from, int to) {
    int base = tokens.depth(0);
    for (int i = from; i < to; i++) {
      boolean on =
          tokens.is(i, "ON") && (tokens.is(i + 1, "DUPLICATE") || tokens.is(i + 1, "CONFLICT"));
      if (on || (tokens.is(i, "RETURNING") && tokens.depth(i) == tokens.depth(from) && base >= 0)) {
        return i;
      }
    }
    return to;
  }

  private void conflict(int from, int to, Scope target) {
    for (int i = from; i < to; i++) {
      boolean duplicate = tokens.is(i, "UPDATE") && tokens.is(i - 1, "KEY");
      boolean conflict = tokens.is(i, "SET") && tokens.is(i - 1, "UPDATE");
      if (duplicate || conflict) {
        int end = to;
        for (int j = i; j < to; j++) {
          if (tokens.depth(j) == tokens.depth(i)
              && (tokens.is(j, "WHERE") || tokens.is(j, "RETURNING"))) {
            end = j;
            break;
          }
        }
        assignments(i + 1, end, target, ColumnRole.UPDATE_SET);
        return;
      }
    }
  }

  /** True for COPY ... FROM, which writes a table. */
  private boolean copies(int copy) {
    return !tokens.isSymbol(copy + 1, "(") && find("FROM", copy, tokens.size()) < tokens.size();
  }

  private void copy() {
    if (tokens.isSymbol(1, "(")) {
      query(2, tokens.closing(1), null);
      return;
    }
    int end = 2;
    while (tokens.isSymbol(end, ".") && tokens.isName(end + 1)) {
      end += 2;
    }
    String table = tableName(1, end);
    boolean written = copies(0);
    (written ? writes : reads).add(table);
    if (written && tokens.isSymbol(end, "(")) {
      names(end).forEach(name -> add(ColumnRole.INSERT, new Column(Optional.of(table), name)));
    }
  }

  private void merge(int start, int to, Scope scope) {
    int using = find("USING", start, to);
    int on = find("ON", using, to);
    int branch = branch(on, to);
    if (branch >= to) {
      throw new ShardwrightException(
          ErrorCode.STATEMENT_UNSUPPORTED, "a MERGE without USING, ON or WHEN MATCHED");
    }
    Scope all = new Scope(scope);
    List<int[]> conditionRanges = new ArrayList<>();
    int into = behindOptions(start + 1, at -> tokens.is(at, "INTO") || tokens.is(at, "ONLY"));
    from(into, using, all, true, conditionRanges);
    Scope target = new Scope(scope);
    all.sources().forEach(target::add);
    from(using + 1, on, all, false, conditionRanges);
    conditionRanges.forEach(range -> conditions.read(range[0], range[1], all));
    conditions.read(on + 1, branch, all);
    while (branch < to) {
      int next = branch(branch + 1, to);
      int then = find("THEN", branch, next);
      while (then < next && !ACTIONS.contains(upper(then + 1))) {
        then = find("THEN", then + 1, next);
      }
      int end = find("RETURNING", then, next);
      if (tokens.is(then + 1, "UPDATE")) {
        assignments(then + 3, end, target, ColumnRole.UPDATE_SET);
      } else if (tokens.is(then + 1, "INSERT") && tokens.isSymbol(then + 2, "(")) {
        Optional<String> table = target.sources().get(0).table();
        names(then + 2).forEach(name -> add(ColumnRole.INSERT, new Column(table, name)));
      }
      branch = next;
    }
  }

  /** The next WHEN MATCHED or WHEN NOT MATCHED; a CASE has other words there. */
  private int branch(int from, int to) {
    int i = find("WHEN", from, to);
    while (i < to
        && !tokens.is(i + 1, "MATCHED")
        && !(tokens.is(i + 1, "NOT") && tokens.is(i + 2, "MATCHED"))) {
      i = find("WHEN", i + 1, to);
    }
    return i;
  }

  /** The word outside of parentheses; {@code to} without. */
  private int find(String word, int from, int to) {
    int i = from;
    while (i < to && !(tokens.is(i, word) && tokens.depth(i) == 0)) {
      i++;
    }
    return i;
  }

  private void update(int start, int to, Scope scope) {
    List<Integer> marks = clauses(start, to, WRITE_CLAUSES);
    Optional<Integer> set = marks.stream().filter(i -> tokens.is(i, "SET")).findFirst();
    if (set.isEmpty()) {
      throw new ShardwrightException(ErrorCode.STATEMENT_UNSUPPORTED, "an UPDATE without SET");
    }
    Scope all = new Scope(scope);
    List<int[]> conditionRanges = new ArrayList<>();
    int first = behindOptions(start + 1, at -> tokens.is(at, "ONLY"));
    from(first, set.get(), all, true, conditionRanges);
    int targets = all.sources().size();
    // Columns of SET belong to the table that is updated, also beside those of FROM.
    Scope target = new Scope(scope);
    all.sources().stream().limit(Math.max(1, targets)).forEach(target::add);
    for (int n = 0; n < marks.size(); n++) {
      if (tokens.is(marks.get(n), "FROM")) {
        from(marks.get(n) + 1, endOf(marks, n, to), all, false, conditionRanges);
      }
    }
    assignments(
        set.get() + 1, endOf(marks, marks.indexOf(set.get()), to), target, ColumnRole.UPDATE_SET);
    if (targets > 1) {
      writtenAreAssigned(all);
    }
    conditionRanges.forEach(range -> conditions.read(range[0], range[1], all));
    tail(marks, to, all);
  }

  /** Of several tables of an UPDATE only those are written whose columns are set. */
  private void writtenAreAssigned(Scope all) {
    Set<String> assigned = new LinkedHashSet<>();
    boolean unknown = false;
    for (ColumnUse use : uses) {
      if (use.role() == ColumnRole.UPDATE_SET) {
        use.table().ifPresent(assigned::add);
        unknown |= use.table().isEmpty();
      }
    }
    if (!unknown) {
      for (Source source : all.sources()) {
        source
            .table()
            .filter(table -> !assigned.contains(table))
            .ifPresent(
                table -> {
                  writes.remove(table);
                  reads.add(table);
                });
      }
    }
  }

  private void tail(List<Integer> marks, int to, Scope scope) {
    for (int n = 0; n < marks.size(); n++) {
      int mark = marks.get(n);
      int end = endOf(marks, n, to);
      Outputs none = new Outputs(List.of(), List.of(), Optional.empty());
      switch (upper(mark)) {
        case "WHERE" -> conditions.read(mark + 1, end, scope);
        case "ORDER" -> listed(mark + 2, end, scope, none, ColumnRole.ORDER);
        case "RETURNING" -> inner(mark + 1, end, scope);
        default -> {}
      }
    }
  }

  private void assignments(int from, int to, Scope scope, ColumnRole role) {
    for (int[] item : items(from, to)) {
      int equals = item[0];
      while (equals < item[1]
          && !(tokens.isSymbol(equals, "=") && tokens.depth(equals) == tokens.depth(item[0]))) {
        equals++;
      }
      if (tokens.isSymbol(item[0], "(")) {
        for (int[] column : items(item[0] + 1, tokens.closing(item[0]))) {
          conditions.column(column[0], column[1], scope).ifPresent(c -> add(role, c));
        }
      } else {
        conditions.column(item[0], equals, scope).ifPresent(c -> add(role, c));
      }
      inner(equals, item[1], scope);
    }
  }

  private void delete(int start, int to, Scope scope) {
    List<Integer> marks = clauses(start, to, WRITE_CLAUSES);
    Scope all = new Scope(scope);
    List<int[]> conditionRanges = new ArrayList<>();
    int first = behindOptions(start + 1, at -> false);
    List<int[]> targets = new ArrayList<>();
    boolean named = !tokens.is(first, "FROM");
    for (int n = 0; n < marks.size(); n++) {
      int mark = marks.get(n);
      int end = endOf(marks, n, to);
      boolean isFrom = tokens.is(mark, "FROM");
      boolean isUsing = tokens.is(mark, "USING") && !tokens.isSymbol(mark + 1, "(");
      boolean targetsOfUsing =
          isFrom
              && n + 1 < marks.size()
              && tokens.is(end, "USING")
              && !tokens.isSymbol(end + 1, "(");
      if (isFrom && named) {
        targets.addAll(items(first, mark));
        from(mark + 1, end, all, false, conditionRanges);
      } else if (isFrom) {
        // PostgreSQL's table of DELETE ... USING is not repeated there; MySQL's is.
        from(mark + 1, end, all, true, conditionRanges);
        if (!targetsOfUsing && n + 1 < marks.size() && tokens.is(end, "USING")) {
          from(end, endOf(marks, n + 1, to), all, false, conditionRanges);
        }
      } else if (isUsing) {
        from(mark + 1, end, all, false, conditionRanges);
      }
    }
    for (int[] target : targets) {
      markWritten(target, all);
    }
    reads.removeAll(named ? Set.of() : writes);
    conditionRanges.forEach(range -> conditions.read(range[0], range[1], all));
    tail(marks, to, all);
  }

  private void markWritten(int[] target, Scope all) {
    int end = target[1];
    while (end > target[0] && !tokens.isName(end - 1)) {
      end--;
    }
    String alias = tokens.name(end - 1);
    for (Source source : all.sources()) {
      if (source.alias().equals(alias) && source.table().isPresent()) {
        writes.add(source.table().get());
        reads.remove(source.table().get());
      }
    }
  }
}
