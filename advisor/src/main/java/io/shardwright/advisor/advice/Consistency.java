package io.shardwright.advisor.advice;

import java.util.Locale;

/** What a statement sees, from the strictest to the loosest. */
public enum Consistency {
  STRONG("what was committed, in one transaction"),
  READ_YOUR_WRITES("at least what the caller wrote"),
  EACH_SHARD("what each shard had committed when it was asked, not one moment of all"),
  RECORDED_POSITION("what each shard had at a position that the result names"),
  BOUNDED_STALENESS("a copy that is late by a watermark");

  private final String meaning;

  Consistency(String meaning) {
    this.meaning = meaning;
  }

  public String meaning() {
    return meaning;
  }

  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
