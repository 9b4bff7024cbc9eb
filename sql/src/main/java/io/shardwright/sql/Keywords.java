package io.shardwright.sql;

import static io.shardwright.sql.FunctionNames.words;

import java.util.Set;

/**
 * Words that have a meaning where they stand, in upper case.
 *
 * @param clauses those that start a clause of a query block
 * @param joins those that go on with a FROM clause, and are no alias
 * @param beforeItem those in front of a table that say how it is read
 * @param beforeOperand words of expressions that another operand follows
 * @param selectOptions those between SELECT and the select list that change no value
 * @param ddl first words of statements that change the schema
 * @param writeOptions those between INSERT, UPDATE or DELETE and the tables
 */
record Keywords(
    Set<String> clauses,
    Set<String> joins,
    Set<String> beforeItem,
    Set<String> beforeOperand,
    Set<String> selectOptions,
    Set<String> writeOptions,
    Set<String> ddl) {

  private static final String CLAUSES =
      "FROM USING SET WHERE GROUP HAVING WINDOW ORDER LIMIT OFFSET FETCH FOR RETURNING INTO ";
  private static final String JOINS = "JOIN LEFT RIGHT INNER CROSS NATURAL ON USING ";
  private static final String BEFORE_OPERAND =
      "IS NOT AND OR DISTINCT COLLATE CASE ELSE THEN WHEN OVER LIKE FROM BETWEEN IN ANY ALL SOME"
          + " ESCAPE BY AS INTERVAL ";

  private static final String DDL = "CREATE ALTER DROP GRANT REVOKE TRUNCATE ";

  static final Keywords POSTGRESQL =
      new Keywords(
          words(CLAUSES),
          words(JOINS + "FULL TABLESAMPLE"),
          words("LATERAL ONLY"),
          words(BEFORE_OPERAND + "ZONE ILIKE SIMILAR TO AT TIME OPERATOR SYMMETRIC"),
          Set.of(),
          Set.of(),
          words(DDL + "COMMENT REINDEX"));

  static final Keywords MARIADB =
      new Keywords(
          words(CLAUSES + "LOCK PROCEDURE"),
          words(JOINS + "STRAIGHT_JOIN USE FORCE IGNORE PARTITION"),
          Set.of(),
          words(BEFORE_OPERAND + "XOR DIV MOD REGEXP RLIKE BINARY SOUNDS DATE TIME TIMESTAMP"),
          words(
              "HIGH_PRIORITY STRAIGHT_JOIN SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT"
                  + " SQL_CACHE SQL_NO_CACHE"),
          words("LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK IGNORE"),
          words(DDL + "RENAME"));
}
