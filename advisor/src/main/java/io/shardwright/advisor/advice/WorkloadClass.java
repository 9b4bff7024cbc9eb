package io.shardwright.advisor.advice;

import java.util.Locale;

/** How urgent a statement is. */
public enum WorkloadClass {
  /** Changes rows while somebody waits. */
  ONLINE_TRANSACTION(10),
  /** Reads while somebody waits. */
  ONLINE_QUERY(5),
  /** Lists of operators, reports, jobs. */
  BACK_OFFICE(1);

  private final double weight;

  WorkloadClass(double weight) {
    this.weight = weight;
  }

  /** Of one execution, unless the workload file says otherwise. */
  public double defaultWeight() {
    return weight;
  }

  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
