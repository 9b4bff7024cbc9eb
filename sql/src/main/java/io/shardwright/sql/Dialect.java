package io.shardwright.sql;

import io.shardwright.routing.KeyType;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What the databases do differently, as far as the planner must know. Part of the {@link Schema}.
 * Immutable.
 */
public abstract sealed class Dialect permits PostgreSqlDialect, MariaDbDialect {
  private final Keywords keywords;
  private final FunctionNames functions;
  private final ValueForms values;
  private final Catalogs catalogs;

  Dialect(Keywords keywords, FunctionNames functions, ValueForms values, Catalogs catalogs) {
    this.keywords = keywords;
    this.functions = functions;
    this.values = values;
    this.catalogs = catalogs;
  }

  /** PostgreSQL 17. */
  public static Dialect postgreSql() {
    return PostgreSqlDialect.INSTANCE;
  }

  /**
   * MariaDB 11.4, with the lexical rules of its default sql_mode (no ANSI_QUOTES, PIPES_AS_CONCAT,
   * NO_BACKSLASH_ESCAPES, HIGH_NOT_PRECEDENCE or ORACLE) in strict mode. Tables are compared as
   * they are written, as with lower_case_table_names = 0; with another setting some spellings are
   * refused.
   *
   * @param database the name of the database that the shards' urls lead to, which may qualify a
   *     table
   */
  public static Dialect mariaDb(String database) {
    return new MariaDbDialect(database);
  }

  final Keywords keywords() {
    return keywords;
  }

  final FunctionNames functions() {
    return functions;
  }

  final ValueForms values() {
    return values;
  }

  final Catalogs catalogs() {
    return catalogs;
  }

  // Text.

  /** A scanner of one text by the database's lexical rules. */
  abstract Lexer lexer(String sql);

  /**
   * Refuses, before anything else is read, what this database understands and the planner does not.
   */
  abstract void refuseUnknown(SqlTokens tokens);

  /** True for a {@code ?} that can only be an operator between two values. */
  abstract boolean isQuestionOperator(SqlTokens tokens, int index);

  /** Refuses DDL of this database alone that must not go to every shard or into the log. */
  abstract void refuseDdl(Schema schema, SqlTokens tokens);

  /** True for a SHOW that every shard answers alike. */
  abstract boolean showsAlike(SqlTokens tokens);

  // Names.

  /** The name of a column, alias or function as it is compared: unquoted, folded. */
  abstract String fold(String identifier);

  /** A column's name as the database stores it, folded so that it equals what statements write. */
  abstract String foldStored(String name);

  /** The same of a table or of what qualifies one. */
  abstract String foldTable(String identifier);

  /** True for the folded qualifier that names the place where the tables are. */
  abstract boolean isHome(String qualifier);

  /** A name as an identifier that every context takes. */
  abstract String quote(String name);

  /** The output column's name that an alias gives. */
  abstract String label(String alias);

  /** The output column's name of an expression without alias. */
  abstract String label(SqlTokens tokens, Range expression);

  /** True when a name of the statement, as it is written there, means an output column. */
  abstract boolean isSameName(String label, String written);

  // Clauses.

  /** True for a word behind SELECT that changes no value. */
  final boolean isSelectOption(SqlTokens tokens, int index) {
    return keywords.selectOptions().contains(tokens.get(index).keyword())
        || (!keywords.selectOptions().isEmpty() && tokens.isAt(index, "DISTINCTROW"));
  }

  /** True for a string that names an output column. */
  abstract boolean isStringAlias(SqlTokens tokens, int index);

  /** True for the USING at {@code index} of a DELETE that belongs to a join. */
  abstract boolean isJoinUsing(SqlTokens tokens, int index);

  /** True for the name in FROM that stands for no table. */
  abstract boolean isNoTable(SqlTokens.Token name);

  /** True when JOIN needs neither ON nor USING, and CROSS JOIN may have them. */
  abstract boolean joinsWithoutCondition();

  /** True when an output column without alias is called as its expression is written. */
  abstract boolean namesColumnsByText();

  /** True when a write with RETURNING also tells how many rows it changed. */
  abstract boolean countsReturnedRows();

  /** True when a quotient has more digits inside an aggregate than as a value of its own. */
  abstract boolean roundsQuotients();

  /** True when UPDATE and DELETE may name several tables, of which they write some. */
  abstract boolean writesJoins();

  /** The token behind {@code PARTITION (p0, p1)}; partitions are alike on every shard. */
  final int behindPartitions(SqlTokens tokens, int at) {
    return keywords.joins().contains("PARTITION")
            && tokens.isAt(at, "PARTITION")
            && tokens.isSymbolAt(at + 1, "(")
        ? tokens.closing(at + 1) + 1
        : at;
  }

  /** True when NULLs come first where ORDER BY does not say. */
  abstract boolean nullsFirst(boolean descending);

  /** True when LIMIT NULL means all rows. */
  abstract boolean nullIsNoLimit();

  /**
   * True when {@code a IN (1, 3) AND b IN (2, 4)} is read as all four ranges of an index on a and
   * b, however long the lists are.
   */
  abstract boolean multipliesLists();

  // Values.

  /** The value of a number as it is written, or empty for a form that is not understood. */
  abstract Optional<Object> number(String text);

  /** The value of a string as it is written, or empty for one with a prefix. */
  abstract Optional<Object> string(String text);

  /** The value of a word that is one, such as TRUE. */
  abstract Optional<Object> constant(String word);

  /** The type of a cast that keeps a route value, by the type's name in lower case. */
  abstract Optional<KeyType> castType(String type);

  /** True for a cast to this type, in lower case, that changes no value of a key column's type. */
  abstract boolean keepsValues(KeyType column, String type);

  /** True when {@code <=>} is equality that NULLs have, too. */
  abstract boolean comparesNulls();

  /**
   * The value that a key column equals when it is compared with this one.
   *
   * @throws io.shardwright.errors.ShardwrightException SW302 when several values of the column may
   *     be equal to it
   */
  abstract Object compared(KeyType column, Object value);

  /** The value that a key column has when this one is stored. */
  abstract Object stored(KeyType column, Object value);

  // The last step of a statement over several shards.

  /** What one shard's last statement looks like where it is not alike everywhere. */
  abstract LastStepForm lastStep();

  /**
   * True when a column that is not grouped by has any value of its group, so that two runs of a
   * statement may differ.
   */
  abstract boolean picksFromGroups();

  static Optional<Object> decimal(String text) {
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
