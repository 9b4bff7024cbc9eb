package io.shardwright.driver;

class HeatTest extends HeatContract {}
