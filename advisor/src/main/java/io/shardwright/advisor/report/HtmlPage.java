package io.shardwright.advisor.report;

import java.util.List;
import java.util.Locale;

/**
 * Builds one HTML page that needs neither network nor scripts and reads on a phone. Every text is
 * escaped. Charts are inline SVG, {@value #WIDTH} units wide: about a pixel each on a phone held
 * upright. Not thread-safe.
 */
// Long because: the parts of a page are one vocabulary.
public final class HtmlPage {
  private static final int WIDTH = 360;
  private static final int BAR_HEIGHT = 110;
  private static final int SHARE_ROW = 36;

  /** More bars than these could not be told apart. */
  private static final int BARS_MAX = 180;

  /** More names of bars than these would overlap. */
  private static final int NAMED_MAX = 24;

  private static final String TOP =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      """;

  private static final String STYLE =
      """
      <style>
      body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#1b2733;background:#fff}
      h1{font-size:1.5rem;margin-bottom:.3rem}h2{font-size:1.25rem;margin-top:2.2rem;border-top:1px solid #d8dee6;padding-top:1rem}
      h3{font-size:1.05rem;margin:1.4rem 0 .3rem}
      svg{width:100%;max-width:34rem;height:auto;display:block}
      svg text{font:11px system-ui,sans-serif;fill:#1b2733}
      .fine{fill:#2a6f97}.more{fill:#8fb8d0}.bad{fill:#b3261e}.off{fill:#c3cbd4}
      .mean{stroke:#1b2733;stroke-dasharray:5 4}
      table{border-collapse:collapse;width:100%;font-size:.88rem}
      .wide{overflow-x:auto}
      td,th{padding:.3rem .5rem;text-align:right;border-bottom:1px solid #e6eaf0;vertical-align:top}
      td:first-child,th:first-child,td.text,th.text{text-align:left}
      td.text{min-width:14rem;overflow-wrap:anywhere}
      .verdict{border-left:4px solid #2a6f97;background:#eef4f8;padding:.6rem .8rem}
      .uneven{border-color:#b3261e;background:#fbeceb}
      .open{color:#b3261e;font-weight:600}
      small,.soft{color:#52606d}
      summary{cursor:pointer;margin:.6rem 0}
      ul{padding-left:1.2rem;margin:.3rem 0}li{overflow-wrap:anywhere}
      code{font-size:.85em;overflow-wrap:anywhere}
      </style></head><body>
      """;

  private final StringBuilder html = new StringBuilder(1 << 15);

  public HtmlPage(String title) {
    html.append(TOP);
    element("title", "", title);
    html.append(STYLE);
    heading(1, title);
  }

  /** How something is told apart by colour. */
  public enum Tone {
    FINE,
    MORE,
    BAD,
    OFF;

    private String style() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One bar of a chart; {@code told} is read out and shown when it is pointed at. */
  public record Bar(String name, double value, String told, Tone tone) {}

  /** Bars on top of each other; as many values as the chart has tones. */
  public record Stack(String name, List<Double> values, String told) {
    public Stack {
      values = List.copyOf(values);
    }
  }

  /** A cell of a table. */
  public record Cell(String text, boolean wide) {
    /** A number or a word. */
    public static Cell of(String text) {
      return new Cell(text, false);
    }

    /** A text that may break into lines. */
    public static Cell wide(String text) {
      return new Cell(text, true);
    }
  }

  public HtmlPage heading(int level, String text) {
    return element("h" + level, "", text);
  }

  public HtmlPage paragraph(String text) {
    return element("p", "", text);
  }

  public HtmlPage soft(String text) {
    return element("p", "soft", text);
  }

  public HtmlPage open(String text) {
    return element("p", "open", text);
  }

  /** What the reader came for. */
  public HtmlPage verdict(String text, boolean good) {
    return element("p", good ? "verdict" : "verdict uneven", text);
  }

  private HtmlPage element(String tag, String style, String text) {
    html.append('<').append(tag);
    if (!style.isEmpty()) {
      html.append(" class=\"").append(style).append('"');
    }
    html.append('>').append(escaped(text)).append("</").append(tag).append(">\n");
    return this;
  }

  public HtmlPage list(List<String> texts) {
    if (!texts.isEmpty()) {
      html.append("<ul>");
      texts.forEach(text -> element("li", "", text));
      html.append("</ul>\n");
    }
    return this;
  }

  /** What comes until {@link #endDetails} is folded under the text. */
  public HtmlPage beginDetails(String text) {
    html.append("<details>");
    return element("summary", "", text);
  }

  public HtmlPage endDetails() {
    html.append("</details>\n");
    return this;
  }

  public HtmlPage table(List<Cell> header, List<List<Cell>> rows) {
    html.append("<div class=\"wide\"><table>");
    row("th", header);
    rows.forEach(row -> row("td", row));
    html.append("</table></div>\n");
    return this;
  }

  private void row(String tag, List<Cell> cells) {
    html.append("<tr>");
    for (Cell cell : cells) {
      html.append('<').append(tag).append(cell.wide() ? " class=\"text\">" : ">");
      html.append(escaped(cell.text())).append("</").append(tag).append('>');
    }
    html.append("</tr>\n");
  }

  /** Upright bars from zero, with a line at {@code mean}; at most {@value #BARS_MAX}. */
  public HtmlPage bars(String label, List<Bar> bars, double mean) {
    List<Bar> shown = bars.subList(0, Math.min(BARS_MAX, bars.size()));
    double most = shown.stream().mapToDouble(Bar::value).max().orElse(0);
    double scale = most > 0 ? BAR_HEIGHT / most : 0;
    double step = (double) WIDTH / Math.max(1, shown.size());
    svg(BAR_HEIGHT + 18, label);
    for (int i = 0; i < shown.size(); i++) {
      Bar bar = shown.get(i);
      double height = bar.value() * scale;
      rect(i * step + step * 0.1, BAR_HEIGHT - height, step * 0.8, height, bar.tone(), bar.told());
      name(shown.size(), i, step, bar.name());
    }
    double y = BAR_HEIGHT - mean * scale;
    format("<line x1=\"0\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"mean\"/>", WIDTH, y, y);
    html.append("</svg>\n");
    if (shown.size() < bars.size()) {
      element("small", "", "The first " + shown.size() + " of " + bars.size() + ".");
    }
    return this;
  }

  /** Upright stacks from zero. */
  public HtmlPage stacks(String label, List<Stack> stacks, List<Tone> tones) {
    double most =
        stacks.stream()
            .mapToDouble(s -> s.values().stream().mapToDouble(v -> v).sum())
            .max()
            .orElse(0);
    double scale = most > 0 ? BAR_HEIGHT / most : 0;
    double step = (double) WIDTH / Math.max(1, stacks.size());
    svg(BAR_HEIGHT + 18, label);
    for (int i = 0; i < stacks.size(); i++) {
      double y = BAR_HEIGHT;
      for (int part = 0; part < tones.size(); part++) {
        double height = stacks.get(i).values().get(part) * scale;
        y -= height;
        double x = i * step + step * 0.1;
        rect(x, y, step * 0.8, height, tones.get(part), stacks.get(i).told());
      }
      name(stacks.size(), i, step, stacks.get(i).name());
    }
    html.append("</svg>\n");
    return this;
  }

  private void name(int bars, int place, double step, String name) {
    if (bars <= NAMED_MAX) {
      format(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
          place * step + step / 2, BAR_HEIGHT + 14, escaped(name));
    }
  }

  /** Lying bars, each under its name; {@code full} is the value of a bar over the whole width. */
  public HtmlPage shares(String label, List<Bar> bars, double full) {
    svg(bars.size() * SHARE_ROW, label);
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int y = i * SHARE_ROW;
      format(
          "<text x=\"0\" y=\"%d\">%s: %s</text>", y + 12, escaped(bar.name()), escaped(bar.told()));
      double width = full > 0 ? Math.min(WIDTH, Math.max(1, bar.value() / full * WIDTH)) : 1;
      rect(0, y + 17, width, 12, bar.tone(), bar.told());
    }
    html.append("</svg>\n");
    return this;
  }

  private void svg(int height, String label) {
    format(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
        WIDTH, Math.max(1, height), escaped(label));
  }

  private void rect(double x, double y, double width, double height, Tone tone, String told) {
    format(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"><title>%s</title>"
            + "</rect>%n",
        x, y, width, height, tone.style(), escaped(told));
  }

  private void format(String format, Object... values) {
    html.append(String.format(Locale.ROOT, format, values));
  }

  /** The whole page. */
  public String end() {
    return html + "</body></html>\n";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
