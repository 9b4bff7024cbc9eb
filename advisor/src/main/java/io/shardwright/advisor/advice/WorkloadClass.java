package io.shardwright.advisor.advice;

import java.util.Locale;

/** How urgent a statement is. */
public enum WorkloadClass {
  /** Changes rows while somebody waits. */
  ONLINE_TRANSACTION(10, Consistency.STRONG),
  /** Reads while somebody waits. */
  ONLINE_QUERY(5, Consistency.READ_YOUR_WRITES),
  /** Lists of operators, reports, jobs. */
  BACK_OFFICE(1, Consistency.BOUNDED_STALENESS);

  private final double weight;
  private final Consistency needs;

  WorkloadClass(double weight, Consistency needs) {
    this.weight = weight;
    this.needs = needs;
  }

  /** What its statements have to see, unless somebody knows better. */
  public Consistency needs() {
    return needs;
  }

  /** Of one execution, unless the workload file says otherwise. */
  public double defaultWeight() {
    return weight;
  }

  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
