/**
 * What is known of tables: {@link io.shardwright.advisor.schema.SchemaFacts}, read from DDL by
 * {@link io.shardwright.advisor.schema.SchemaText}, from a database by {@link
 * io.shardwright.advisor.schema.LiveDatabase}.
 */
package io.shardwright.advisor.schema;
