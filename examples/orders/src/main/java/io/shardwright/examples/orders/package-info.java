/**
 * An order platform on Shardwright, written as a user would: plain JDBC against one {@link
 * javax.sql.DataSource}.
 *
 * <p>Main flow: {@link io.shardwright.examples.orders.RetailData} reads real invoices, {@link
 * io.shardwright.examples.orders.RetailOrders} turns them into orders, {@link
 * io.shardwright.examples.orders.OrderService} writes them, {@link
 * io.shardwright.examples.orders.OrderQueries} reads them.
 */
package io.shardwright.examples.orders;
