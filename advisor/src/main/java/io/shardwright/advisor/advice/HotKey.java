package io.shardwright.advisor.advice;

/**
 * One of the keys with the most rows.
 *
 * @param name itself, or # and a digest
 */
public record HotKey(String name, long rows) {}
