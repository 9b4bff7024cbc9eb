/**
 * What tells Flyway and Liquibase that this PostgreSQL is several: schema changes are not part of
 * transactions and sessions keep nothing, as on databases that both know well. Found through their
 * own extension mechanisms; start with {@link
 * io.shardwright.examples.migrations.FlywayDatabaseType} and {@link
 * io.shardwright.examples.migrations.LiquibaseDatabase}.
 */
package io.shardwright.examples.migrations;
