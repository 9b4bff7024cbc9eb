package io.shardwright.driver;

import io.shardwright.sql.Plan;

/** A plan and where its executions are counted. */
record Planned(Plan plan, ShapeCounters counters) {}
