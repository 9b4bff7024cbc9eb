package io.shardwright.config;

/** A problem that does not know its place yet. */
record Mistake(String message, String instead) {}
