package io.shardwright.examples.orders;

import java.nio.file.Path;

final class TestingData {
  /** Maven runs tests in the module's directory. */
  static final RetailData RETAIL = RetailData.in(Path.of("data"));

  private TestingData() {}
}
