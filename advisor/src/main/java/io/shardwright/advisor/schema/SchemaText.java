package io.shardwright.advisor.schema;

import io.shardwright.advisor.logs.LogFile;
import io.shardwright.advisor.logs.LogFormat.Family;
import io.shardwright.advisor.logs.SqlLogs;
import io.shardwright.advisor.templates.Templates;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.sql.TokenText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads tables from DDL of both databases: CREATE TABLE, CREATE INDEX, ALTER TABLE ... ADD. Columns
 * that are neither NOT NULL nor of the primary key may be NULL. What else a file holds is counted.
 * One thread.
 */
public final class SchemaText {
  private final Map<String, TableFacts> tables = new LinkedHashMap<>();
  private long others;

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
              + result.refusal().map(r -> " (line " + r.line() + ": " + r.why() + ")").orElse("")
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
    return new SchemaFacts(tables, Map.of(), others);
  }

  private void add(String sql, Family family) {
    try {
      TokenText tokens = Templates.tokens(sql, family);
      if (tokens.is(0, "CREATE") && !createTable(tokens) && !createIndex(tokens)) {
        others++;
      } else if (tokens.is(0, "ALTER") && tokens.is(1, "TABLE")) {
        alterTable(tokens);
      } else if (!tokens.is(0, "CREATE")) {
        others++;
      }
    } catch (ShardwrightException | IndexOutOfBoundsException e) {
      others++;
    }
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
    TableFacts table = table(nameOf(tokens, i));
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
    return true;
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

  private void alterTable(TokenText tokens) {
    int name = 2;
    while (tokens.is(name, "ONLY") || tokens.is(name, "IF") || tokens.is(name, "EXISTS")) {
      name++;
    }
    TableFacts table = table(nameOf(tokens, name));
    int from = behindName(tokens, name);
    for (int at = from; at <= tokens.size(); at++) {
      boolean ends = at == tokens.size() || (tokens.isSymbol(at, ",") && tokens.depth(at) == 0);
      if (ends) {
        if (tokens.is(from, "ADD")) {
          int element = tokens.is(from + 1, "COLUMN") ? from + 2 : from + 1;
          element(tokens, table, element, at);
        }
        from = at + 1;
      }
    }
  }

  private void element(TokenText tokens, TableFacts table, int start, int end) {
    int i = start;
    if (tokens.is(i, "CONSTRAINT")) {
      i = i + 1 < end && isKeyWord(tokens, i + 1) ? i + 1 : i + 2;
    }
    if (tokens.is(i, "PRIMARY")) {
      List<String> columns = names(tokens, open(tokens, i, end));
      table.notNull().addAll(columns);
      key(table, columns, true);
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
    table.types().put(column, tokens.text(i + 1).toLowerCase(Locale.ROOT));
    for (int at = i + 2; at < end; at++) {
      if (tokens.is(at, "NOT") && tokens.is(at + 1, "NULL")) {
        table.notNull().add(column);
      } else if (tokens.is(at, "PRIMARY")) {
        table.notNull().add(column);
        key(table, List.of(column), true);
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
