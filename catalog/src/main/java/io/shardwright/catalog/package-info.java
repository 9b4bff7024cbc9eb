/**
 * The durable record of groups and bucket map versions (docs/catalog-format.md).
 *
 * <p>Main flow: {@link io.shardwright.catalog.Catalog} is read and published to, {@link
 * io.shardwright.catalog.CatalogState} is what one read saw, and {@link
 * io.shardwright.catalog.CatalogInstaller} creates the tables and version 1 of each map. {@link
 * io.shardwright.catalog.CatalogIds} gives out node numbers and blocks of sequences.
 */
package io.shardwright.catalog;
