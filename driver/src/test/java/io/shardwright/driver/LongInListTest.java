package io.shardwright.driver;

class LongInListTest extends LongInListContract {}
