package io.shardwright.cli.loadtest;

import io.shardwright.cli.loadtest.LoadTestReport.Moment;
import io.shardwright.cli.loadtest.LoadTestReport.Requests;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Charts as inline SVG, {@value #WIDTH} units wide: one unit is about a pixel of a phone held
 * upright. Colours are classes of the page.
 */
final class Charts {
  private static final int WIDTH = 360;
  private static final int RIGHT = WIDTH - 8;

  /** Of a chart over time. */
  private static final int LEFT = 44;

  private static final int PANEL = 84;
  private static final int SERIES_ROW = 34;
  private static final int BAR_ROW = 18;
  private static final int BAR_LEFT = 70;
  private static final int BAR_RIGHT = 290;

  private Charts() {}

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String number(double value) {
    if (value >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  private static String open(int height, String title) {
    return format(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, height, escape(title));
  }

  private static String text(double x, double y, String anchor, String style, String text) {
    return format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>",
        x, y, anchor, style, escape(text));
  }

  private static String bar(double x, double y, double width, double height, String style) {
    return format(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>",
        x, y, Math.max(0, width), height, style);
  }

  private static String line(double x1, double y1, double x2, double y2, String style) {
    return format(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
        x1, y1, x2, y2, style);
  }

  /** From p50 to p99 of each series, on a logarithmic scale, with p95 in between. */
  static String times(List<Requests> series) {
    double least = series.stream().mapToDouble(one -> one.millis().p50()).min().orElse(1);
    double most = series.stream().mapToDouble(one -> one.millis().p99()).max().orElse(1);
    double from = Math.floor(Math.log10(Math.max(0.01, least)));
    double to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(0.02, most))));
    int height = series.size() * SERIES_ROW + 22;
    StringBuilder svg = new StringBuilder(open(height, "times of requests"));
    for (double power = from; power <= to; power++) {
      double x = place(power, from, to);
      svg.append(line(x, 0, x, height - 16, "grid"));
      String anchor = power == from ? "start" : power == to ? "end" : "middle";
      svg.append(text(x, height - 4, anchor, "axis", number(Math.pow(10, power)) + " ms"));
    }
    int y = 0;
    for (Requests one : series) {
      String style = one.errors().isEmpty() ? "ok" : "bad";
      double p50 = place(Math.log10(Math.max(0.01, one.millis().p50())), from, to);
      double p95 = place(Math.log10(Math.max(0.01, one.millis().p95())), from, to);
      double p99 = place(Math.log10(Math.max(0.01, one.millis().p99())), from, to);
      svg.append(text(2, y + 12, "start", "label", one.name()));
      svg.append(
          text(
              WIDTH - 2,
              y + 12,
              "end",
              "value",
              number(one.millis().p50()) + " to " + number(one.millis().p99()) + " ms"));
      svg.append(bar(p50, y + 18, Math.max(2, p99 - p50), 8, style));
      svg.append(line(p95, y + 16, p95, y + 28, "mark"));
      y += SERIES_ROW;
    }
    return svg.append("</svg>").toString();
  }

  private static double place(double power, double from, double to) {
    return 6 + (power - from) / (to - from) * (WIDTH - 12);
  }

  /** Requests and errors of each part of the time, and below how long they took. */
  static String timeline(List<Moment> moments) {
    int height = 2 * PANEL + 56;
    StringBuilder svg = new StringBuilder(open(height, "requests over time"));
    double most =
        moments.stream().mapToDouble(one -> one.answered() + one.errors()).max().orElse(1);
    double length = moments.size() > 1 ? moments.get(1).second() - moments.get(0).second() : 1;
    double step = (RIGHT - LEFT) / (double) moments.size();
    svg.append(text(2, 12, "start", "label", "Requests a second, errors in red"));
    int bottom = 18 + PANEL;
    scale(svg, most / length, bottom);
    for (int i = 0; i < moments.size(); i++) {
      Moment one = moments.get(i);
      double answered = one.answered() / Math.max(1, most) * PANEL;
      double errors = one.errors() / Math.max(1, most) * PANEL;
      double x = LEFT + i * step;
      svg.append(bar(x, bottom - answered, step - 1, answered, "ok"));
      svg.append(bar(x, bottom - answered - errors, step - 1, errors, "bad"));
    }
    double slowest = moments.stream().mapToDouble(Moment::maxMs).max().orElse(1);
    int below = bottom + 20 + PANEL;
    svg.append(
        text(2, bottom + 14, "start", "label", "Milliseconds: p50, and the slowest (dashed)"));
    scale(svg, slowest, below);
    svg.append(curve(moments, Moment::maxMs, slowest, below, "slowest"));
    svg.append(curve(moments, Moment::p50Ms, slowest, below, "half"));
    Moment last = moments.get(moments.size() - 1);
    svg.append(text(LEFT, below + 13, "start", "axis", "0 s"));
    svg.append(text(RIGHT, below + 13, "end", "axis", number(last.second() + length) + " s"));
    return svg.append("</svg>").toString();
  }

  private static void scale(StringBuilder svg, double most, int bottom) {
    svg.append(line(LEFT, bottom, RIGHT, bottom, "grid"));
    svg.append(line(LEFT, bottom - PANEL, RIGHT, bottom - PANEL, "grid"));
    svg.append(text(LEFT - 4, bottom, "end", "axis", "0"));
    svg.append(text(LEFT - 4, bottom - PANEL + 9, "end", "axis", number(most)));
  }

  /** Parts without requests have no point. */
  private static String curve(
      List<Moment> moments, ToDoubleFunction<Moment> value, double most, int bottom, String style) {
    StringBuilder points = new StringBuilder();
    double step = (RIGHT - LEFT) / (double) moments.size();
    for (int i = 0; i < moments.size(); i++) {
      Moment one = moments.get(i);
      if (one.answered() + one.errors() > 0) {
        double y = bottom - value.applyAsDouble(one) / Math.max(0.001, most) * PANEL;
        points.append(format("%.1f,%.1f ", LEFT + (i + 0.5) * step, y));
      }
    }
    return "<polyline points=\"" + points.toString().strip() + "\" class=\"" + style + "\"/>";
  }

  /** A bar for each shard, and their mean. */
  static String shards(String title, Map<String, Long> counts) {
    int height = counts.size() * BAR_ROW + 22;
    double most = Math.max(1, counts.values().stream().mapToLong(Long::longValue).max().orElse(1));
    double mean = counts.values().stream().mapToLong(Long::longValue).average().orElse(0);
    StringBuilder svg = new StringBuilder(open(height, title));
    svg.append(text(2, 12, "start", "label", title));
    int y = 18;
    for (Map.Entry<String, Long> one : counts.entrySet()) {
      double width = one.getValue() / most * (BAR_RIGHT - BAR_LEFT);
      svg.append(text(BAR_LEFT - 6, y + 12, "end", "axis", shortened(one.getKey())));
      svg.append(bar(BAR_LEFT, y + 2, width, BAR_ROW - 5, "ok"));
      svg.append(text(WIDTH - 2, y + 12, "end", "value", number(one.getValue())));
      y += BAR_ROW;
    }
    double x = BAR_LEFT + mean / most * (BAR_RIGHT - BAR_LEFT);
    svg.append(line(x, 18, x, y, "mark"));
    return svg.append("</svg>").toString();
  }

  private static String shortened(String name) {
    return name.length() <= 10 ? name : name.substring(0, 9) + "\u2026";
  }
}
