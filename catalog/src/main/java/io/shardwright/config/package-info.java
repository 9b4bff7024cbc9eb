/**
 * The file shardwright.yaml (docs/configuration.md).
 *
 * <p>Main flow: {@link io.shardwright.config.ConfigurationReader} parses it and walks its nodes,
 * {@link io.shardwright.config.Problem} is one mistake with its place, and {@link
 * io.shardwright.config.Configuration} is the result.
 */
package io.shardwright.config;
