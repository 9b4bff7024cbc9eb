/**
 * ShardingSphere-JDBC as an opponent of the benchmarks, on a class path of its own.
 *
 * <p>Small because: the benchmarks drive it through {@link javax.sql.DataSource} like everyone
 * else.
 */
package io.shardwright.bench.shardingsphere;
