package io.shardwright.driver;

class WriteTokenTest extends WriteTokenContract {}
