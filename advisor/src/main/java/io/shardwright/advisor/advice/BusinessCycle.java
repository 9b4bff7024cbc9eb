package io.shardwright.advisor.advice;

import io.shardwright.advisor.templates.Activity;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which days and hours a log covers, and when the back office works. All times are UTC.
 *
 * @param gaps what a whole business cycle has and the log has not
 * @param batches hours of the day in which most of the work is of the back office
 * @param peakToMeanWrites the hour with the most writes over the mean of all hours; 0 without
 */
public record BusinessCycle(List<String> gaps, List<Batch> batches, double peakToMeanWrites) {
  private static final Duration WEEK = Duration.ofDays(7);
  private static final int MONTH_DAYS = 28;
  private static final double BATCH_SHARE = 0.5;

  /** Hours with less than this part of the day's work are no window, whatever works in them. */
  private static final double BATCH_WORK_MIN = 0.01;

  public BusinessCycle {
    gaps = List.copyOf(gaps);
    batches = List.copyOf(batches);
  }

  /**
   * A batch window.
   *
   * @param from its first hour, 0 to 23
   * @param to the hour at which it ends, above {@code from} up to 24
   * @param share of the back office in the work of these hours
   */
  public record Batch(int from, int to, double share) {
    public String written() {
      return String.format(
          Locale.ROOT,
          "%02d:00 to %02d:00 UTC: %.0f%% of the work is of the back office",
          from,
          to,
          share * 100);
    }
  }

  static BusinessCycle of(Workload workload) {
    List<WorkloadHour> hours = workload.hours();
    if (hours.isEmpty()) {
      return new BusinessCycle(
          List.of("the log has no times: whether it covers a business cycle is not known"),
          List.of(),
          0);
    }
    double mean = hours.stream().mapToLong(WorkloadHour::writes).average().orElse(0);
    long most = hours.stream().mapToLong(WorkloadHour::writes).max().orElse(0);
    return new BusinessCycle(
        gaps(hours, workload.span().orElse(Duration.ZERO)),
        batches(workload),
        mean == 0 ? 0 : most / mean);
  }

  private static List<String> gaps(List<WorkloadHour> hours, Duration span) {
    List<String> gaps = new ArrayList<>();
    Instant first = hours.get(0).start();
    Instant last = hours.get(hours.size() - 1).start();
    if (span.compareTo(WEEK) < 0) {
      gaps.add(
          "the log covers "
              + span.toHours()
              + " hours, less than a week: jobs and days may be missing");
      return gaps;
    }
    long spanned = ChronoUnit.HOURS.between(first, last) + 1;
    if (hours.size() < spanned) {
      gaps.add(spanned - hours.size() + " of " + spanned + " hours have no statement");
    }
    Set<LocalDate> days = new HashSet<>();
    Set<DayOfWeek> weekdays = EnumSet.noneOf(DayOfWeek.class);
    boolean monthEnd = false;
    for (WorkloadHour hour : hours) {
      LocalDate day = LocalDate.ofInstant(hour.start(), ZoneOffset.UTC);
      days.add(day);
      weekdays.add(day.getDayOfWeek());
      monthEnd |= day.equals(day.with(TemporalAdjusters.lastDayOfMonth()));
    }
    if (weekdays.size() < DayOfWeek.values().length) {
      gaps.add("no statement of " + EnumSet.complementOf(EnumSet.copyOf(weekdays)));
    }
    if (days.size() < MONTH_DAYS || !monthEnd) {
      gaps.add(
          "the log has "
              + days.size()
              + " days"
              + (monthEnd ? "" : " and no end of a month")
              + ": monthly jobs such as settlements may be missing");
    }
    return gaps;
  }

  private static List<Batch> batches(Workload workload) {
    double[] all = new double[Activity.HOURS];
    double[] office = new double[Activity.HOURS];
    for (WorkloadTemplate template : workload.templates()) {
      List<Long> busy = template.template().activity().busyByHour();
      for (int hour = 0; hour < busy.size(); hour++) {
        all[hour] += busy.get(hour);
        office[hour] += template.workloadClass() == WorkloadClass.BACK_OFFICE ? busy.get(hour) : 0;
      }
    }
    double day = 0;
    for (double hour : all) {
      day += hour;
    }
    List<Batch> batches = new ArrayList<>();
    int from = 0;
    while (from < all.length) {
      int to = from;
      double work = 0;
      double batch = 0;
      while (to < all.length
          && all[to] > BATCH_WORK_MIN * day
          && office[to] > BATCH_SHARE * all[to]) {
        work += all[to];
        batch += office[to];
        to++;
      }
      if (to > from && to - from < Activity.HOURS) {
        batches.add(new Batch(from, to, batch / work));
      }
      from = Math.max(to, from + 1);
    }
    return batches;
  }
}
