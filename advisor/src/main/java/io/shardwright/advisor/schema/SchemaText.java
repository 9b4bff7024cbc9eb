package io.shardwright.advisor.schema;

import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.Masked;
import io.shardwright.advisor.logs.SqlLogs;
import io.shardwright.advisor.templates.Templates;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.TokenText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads tables from DDL of both databases: CREATE TABLE, CREATE INDEX, ALTER TABLE with ADD,
 * MODIFY, CHANGE and ALTER COLUMN. Columns that are neither NOT NULL nor of the primary key may be
 * NULL. Statements on tables that are not understood are counted; what else a file holds tells
 * nothing of keys. One thread.
 */
// Long because: one method for each form of DDL, read beside each other.
public final class SchemaText {
  /** Of ALTER TABLE: what changes neither columns nor keys. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of("OWNER", "ENABLE", "DISABLE", "CLUSTER", "REPLICA", "VALIDATE", "AUTO_INCREMENT");

  private static final Set<String> COLUMN_WITHOUT_EFFECT =
      Set.of("DEFAULT", "STATISTICS", "STORAGE", "COMPRESSION", "GENERATED");

  /** Behind the first word of a type. */
  private static final Set<String> TYPE_WORDS =
      Set.of(
          "VARYING",
          "PRECISION",
          "UNSIGNED",
          "SIGNED",
          "ZEROFILL",
          "WITH",
          "WITHOUT",
          "TIME",
          "ZONE");

  private final Map<String, TableFacts> tables = new LinkedHashMap<>();

  /** The columns of primary keys, which are never NULL. */
  private final Map<String, Set<String>> primary = new HashMap<>();

  private long left;
  private String firstLeft;

  private SchemaText() {}

  /**
   * @throws ShardwrightException SW603 for a file that cannot be read or has no CREATE TABLE
   */
  public static SchemaFacts read(Path file) {
    SchemaText schema = new SchemaText();
    LogFile result =
        SqlLogs.readWithFormat(file, (record, format) -> schema.add(record.sql(), format.family()));
    if (schema.tables.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          file
              + " has no CREATE TABLE that can be read"
              + result.refusal().map(r -> " (" + r.told() + ")").orElse("")
              + "; give a file of SQL statements, each ended by a semicolon");
    }
    return schema.facts();
  }

  /** The same of statements. */
  public static SchemaFacts of(String... statements) {
    SchemaText schema = new SchemaText();
    for (String statement : statements) {
      schema.add(statement, Family.UNKNOWN);
    }
    return schema.facts();
  }

  private SchemaFacts facts() {
    return new SchemaFacts(tables, Map.of(), left, Optional.ofNullable(firstLeft));
  }

  private void add(String sql, Family family) {
    try {
      if (!understood(Templates.tokens(sql, family))) {
        left(sql);
      }
    } catch (ShardwrightException | IndexOutOfBoundsException e) {
      left(sql);
    }
  }

  private void left(String sql) {
    left++;
    if (firstLeft == null) {
      firstLeft = Masked.text(sql);
    }
  }

  /** False for a statement on tables, columns or keys of which a part was not read. */
  private boolean understood(TokenText tokens) {
    if (tokens.is(0, "CREATE")) {
      return createTable(tokens) || createIndex(tokens) || !isOfTables(tokens);
    }
    if (tokens.is(0, "ALTER") && tokens.is(1, "TABLE")) {
      return alterTable(tokens);
    }
    boolean changes = tokens.is(0, "RENAME") && tokens.is(1, "TABLE");
    return !changes && !(tokens.is(0, "DROP") && tokens.is(1, "INDEX"));
  }

  /** A partition has the columns and keys of its table. */
  private static boolean isOfTables(TokenText tokens) {
    int table = 1;
    while (table < 4 && !tokens.is(table, "TABLE")) {
      table++;
    }
    int behind = tokens.is(table + 1, "IF") ? table + 4 : table + 1;
    return table < 4 && !tokens.is(behindName(tokens, behind), "PARTITION");
  }

  private TableFacts table(String name) {
    return tables.computeIfAbsent(
        name,
        n ->
            new TableFacts(
                n,
                new LinkedHashMap<>(),
                new LinkedHashSet<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>()));
  }

  private boolean createTable(TokenText tokens) {
    int i = 1;
    while (i < tokens.size() && !tokens.is(i, "TABLE")) {
      if (i > 3) {
        return false;
      }
      i++;
    }
    if (i >= tokens.size()) {
      return false;
    }
    i++;
    if (tokens.is(i, "IF")) {
      i += 3;
    }
    int open = behindName(tokens, i);
    if (!tokens.isSymbol(open, "(")) {
      return false;
    }
    elements(tokens, table(nameOf(tokens, i)), open);
    return true;
  }

  /** Of a list in parentheses. */
  private void elements(TokenText tokens, TableFacts table, int open) {
    int close = tokens.closing(open);
    int from = open + 1;
    for (int at = open + 1; at <= close; at++) {
      boolean ends =
          at == close || (tokens.isSymbol(at, ",") && tokens.depth(at) == tokens.depth(open) + 1);
      if (ends) {
        element(tokens, table, from, at);
        from = at + 1;
      }
    }
  }

  private boolean createIndex(TokenText tokens) {
    boolean unique = tokens.is(1, "UNIQUE");
    if (!tokens.is(unique ? 2 : 1, "INDEX")) {
      return false;
    }
    int on = 2;
    while (on < tokens.size() && !tokens.is(on, "ON")) {
      on++;
    }
    int name = tokens.is(on + 1, "ONLY") ? on + 2 : on + 1;
    TableFacts table = table(nameOf(tokens, name));
    int open = behindName(tokens, name);
    while (open < tokens.size() && !tokens.isSymbol(open, "(")) {
      open++;
    }
    boolean partial = false;
    for (int i = tokens.closing(open); i < tokens.size(); i++) {
      partial |= tokens.is(i, "WHERE");
    }
    key(table, names(tokens, open), unique && !partial);
    return true;
  }

  /** False when a part of it is not read. */
  private boolean alterTable(TokenText tokens) {
    int name = 2;
    while (tokens.is(name, "ONLY") || tokens.is(name, "IF") || tokens.is(name, "EXISTS")) {
      name++;
    }
    String table = nameOf(tokens, name);
    int from = behindName(tokens, name);
    boolean understood = true;
    for (int at = from; at <= tokens.size(); at++) {
      boolean ends = at == tokens.size() || (tokens.isSymbol(at, ",") && tokens.depth(at) == 0);
      if (ends) {
        understood &= action(tokens, table, from, at);
        from = at + 1;
      }
    }
    return understood;
  }

  private boolean action(TokenText tokens, String table, int from, int end) {
    if (tokens.kind(from) != TokenText.Kind.WORD) {
      return false;
    }
    int column = behindIf(tokens, tokens.is(from + 1, "COLUMN") ? from + 2 : from + 1);
    switch (tokens.text(from).toUpperCase(Locale.ROOT)) {
      case "ADD" -> {
        if (tokens.isSymbol(column, "(")) {
          elements(tokens, table(table), column);
        } else {
          element(tokens, table(table), column, end);
        }
        return true;
      }
      case "MODIFY" -> {
        redefine(tokens, table(table), column, end);
        return true;
      }
      case "CHANGE" -> {
        rename(table(table), tokens.name(column), tokens.name(column + 1));
        redefine(tokens, table(table), column + 1, end);
        return true;
      }
      case "ALTER" -> {
        return alterColumn(tokens, table(table), column, end);
      }
      default -> {
        return WITHOUT_EFFECT.contains(tokens.text(from).toUpperCase(Locale.ROOT));
      }
    }
  }

  private static int behindIf(TokenText tokens, int i) {
    if (!tokens.is(i, "IF")) {
      return i;
    }
    return tokens.is(i + 1, "NOT") ? i + 3 : i + 2;
  }

  private boolean alterColumn(TokenText tokens, TableFacts table, int i, int end) {
    String column = tokens.name(i);
    boolean set = tokens.is(i + 1, "SET");
    if ((set || tokens.is(i + 1, "DROP")) && tokens.is(i + 2, "NOT") && tokens.is(i + 3, "NULL")) {
      if (set) {
        table.notNull().add(column);
      } else {
        table.notNull().remove(column);
      }
      return true;
    }
    int type = set && tokens.is(i + 2, "DATA") ? i + 3 : i + 1;
    if (tokens.is(type, "TYPE")) {
      table.types().put(column, type(tokens, type + 1, end));
      return true;
    }
    boolean rest = set || tokens.is(i + 1, "DROP");
    return (rest && COLUMN_WITHOUT_EFFECT.contains(tokens.text(i + 2).toUpperCase(Locale.ROOT)))
        || (tokens.is(i + 1, "ADD") && tokens.is(i + 2, "GENERATED"));
  }

  /** What is not said again is gone, but for keys. */
  private void redefine(TokenText tokens, TableFacts table, int i, int end) {
    String column = tokens.name(i);
    if (!primary.getOrDefault(table.name(), Set.of()).contains(column)) {
      table.notNull().remove(column);
    }
    column(tokens, table, i, end);
  }

  private void rename(TableFacts table, String from, String to) {
    if (from.equals(to)) {
      return;
    }
    Map<String, String> types = new LinkedHashMap<>(table.types());
    table.types().clear();
    types.forEach((column, type) -> table.types().put(column.equals(from) ? to : column, type));
    for (Set<String> columns :
        List.of(table.notNull(), primary.computeIfAbsent(table.name(), n -> new HashSet<>()))) {
      if (columns.remove(from)) {
        columns.add(to);
      }
    }
    table.unique().replaceAll(key -> renamed(key, from, to));
    table.indexes().replaceAll(key -> renamed(key, from, to));
    for (TableFacts other : tables.values()) {
      other
          .foreignKeys()
          .replaceAll(
              key ->
                  new TableFacts.ForeignKey(
                      other.name().equals(table.name())
                          ? renamed(key.columns(), from, to)
                          : key.columns(),
                      key.table(),
                      key.table().equals(table.name())
                          ? renamed(key.referenced(), from, to)
                          : key.referenced()));
    }
  }

  private static List<String> renamed(List<String> columns, String from, String to) {
    return columns.stream().map(column -> column.equals(from) ? to : column).toList();
  }

  private void element(TokenText tokens, TableFacts table, int start, int end) {
    int i = start;
    if (tokens.is(i, "CONSTRAINT")) {
      i = i + 1 < end && isKeyWord(tokens, i + 1) ? i + 1 : i + 2;
    }
    if (tokens.is(i, "PRIMARY")) {
      List<String> columns = names(tokens, open(tokens, i, end));
      primary(table, columns);
    } else if (tokens.is(i, "UNIQUE")) {
      key(table, names(tokens, open(tokens, i, end)), true);
    } else if (tokens.is(i, "FOREIGN")) {
      int open = open(tokens, i, end);
      reference(tokens, table, names(tokens, open), tokens.closing(open) + 1, end);
    } else if (tokens.is(i, "KEY") || tokens.is(i, "INDEX")) {
      key(table, names(tokens, open(tokens, i, end)), false);
    } else if (!isKeyWord(tokens, i) && tokens.isName(i) && i + 1 < end) {
      column(tokens, table, i, end);
    }
  }

  private static boolean isKeyWord(TokenText tokens, int i) {
    return tokens.kind(i) == TokenText.Kind.WORD
        && Set.of(
                "PRIMARY",
                "UNIQUE",
                "FOREIGN",
                "KEY",
                "INDEX",
                "CHECK",
                "FULLTEXT",
                "SPATIAL",
                "EXCLUDE",
                "LIKE",
                "PERIOD",
                "PARTITION")
            .contains(tokens.text(i).toUpperCase(Locale.ROOT));
  }

  private void column(TokenText tokens, TableFacts table, int i, int end) {
    String column = tokens.name(i);
    table.types().put(column, type(tokens, i + 1, end));
    for (int at = i + 2; at < end; at++) {
      if (tokens.is(at, "NOT") && tokens.is(at + 1, "NULL")) {
        table.notNull().add(column);
      } else if (tokens.is(at, "PRIMARY")) {
        primary(table, List.of(column));
      } else if (tokens.is(at, "UNIQUE")) {
        key(table, List.of(column), true);
      } else if (tokens.is(at, "REFERENCES")) {
        reference(tokens, table, List.of(column), at, end);
        return;
      }
    }
  }

  private static void reference(
      TokenText tokens, TableFacts table, List<String> columns, int references, int end) {
    int name = references + 1;
    int open = behindName(tokens, name);
    List<String> referenced =
        open < end && tokens.isSymbol(open, "(") ? names(tokens, open) : columns;
    table.foreignKeys().add(new TableFacts.ForeignKey(columns, nameOf(tokens, name), referenced));
  }

  /** With what is in parentheses behind its words, and whether it is an array. */
  private static String type(TokenText tokens, int start, int end) {
    StringBuilder type = new StringBuilder(tokens.text(start));
    int i = start + 1;
    while (i < end) {
      if (tokens.isSymbol(i, ".")) {
        type.append('.').append(tokens.text(i + 1));
        i += 2;
      } else if (tokens.isSymbol(i, "(")) {
        int close = tokens.closing(i);
        type.append(tokens.text(i, close + 1));
        i = close + 1;
      } else if (tokens.isSymbol(i, "[") || tokens.is(i, "ARRAY")) {
        return ColumnType.of(type + "[]");
      } else if (isOfType(tokens, i)) {
        type.append(' ').append(tokens.text(i++));
      } else {
        break;
      }
    }
    return ColumnType.of(type.toString());
  }

  private static boolean isOfType(TokenText tokens, int i) {
    return tokens.kind(i) == TokenText.Kind.WORD
        && TYPE_WORDS.contains(tokens.text(i).toUpperCase(Locale.ROOT));
  }

  private void primary(TableFacts table, List<String> columns) {
    table.notNull().addAll(columns);
    primary.computeIfAbsent(table.name(), n -> new HashSet<>()).addAll(columns);
    key(table, columns, true);
  }

  private static void key(TableFacts table, List<String> columns, boolean unique) {
    table.indexes().add(columns);
    if (unique) {
      table.unique().add(columns);
    }
  }

  private static int open(TokenText tokens, int from, int end) {
    for (int i = from; i < end; i++) {
      if (tokens.isSymbol(i, "(")) {
        return i;
      }
    }
    throw new IndexOutOfBoundsException("no parenthesis");
  }

  /** The first name of each part; an expression gives a name that is no column. */
  private static List<String> names(TokenText tokens, int open) {
    List<String> names = new ArrayList<>();
    int close = tokens.closing(open);
    boolean first = true;
    for (int i = open + 1; i < close; i++) {
      if (tokens.depth(i) == tokens.depth(open) + 1 && tokens.isSymbol(i, ",")) {
        first = true;
      } else if (first) {
        first = false;
        names.add(
            (tokens.isName(i) && !tokens.isSymbol(i + 1, "(")) || prefixed(tokens, i)
                ? tokens.name(i)
                : "(expression)");
      }
    }
    return names;
  }

  /** MySQL: {@code name(10)} indexes the beginning of a text. */
  private static boolean prefixed(TokenText tokens, int i) {
    return tokens.isName(i)
        && tokens.isSymbol(i + 1, "(")
        && tokens.kind(i + 2) == TokenText.Kind.NUMBER;
  }

  private static int behindName(TokenText tokens, int i) {
    return tokens.isSymbol(i + 1, ".") ? i + 3 : i + 1;
  }

  /** As statements name tables: with a qualifier but for public. */
  private static String nameOf(TokenText tokens, int i) {
    if (!tokens.isSymbol(i + 1, ".")) {
      return tokens.tableName(i);
    }
    String qualifier = tokens.tableName(i);
    String name = tokens.tableName(i + 2);
    return qualifier.equals("public") ? name : qualifier + "." + name;
  }
}
