package io.shardwright.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where the sides' time and bytes go: a recording of the JDK's Flight Recorder for each process,
 * and PROFILE.md with what stands out in them. What happens outside of the process's turns is left
 * out there, such as opening and idling.
 */
final class Profile {
  private static final int LINES = 40;
  private static final int CALLERS = 4;
  private static final String NONE = "-";
  private static final Set<String> IDLE =
      Set.of("ThreadPoolExecutor.getTask", "ForkJoinPool.awaitWork");

  private final Path directory;
  private final Map<String, Path> recordings = new LinkedHashMap<>();
  private final StringBuilder text = new StringBuilder();

  Profile(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory).toAbsolutePath();
  }

  /** Options for a process that writes its recording when it ends. */
  List<String> options(String process) {
    Path file = directory.resolve(process + ".jfr");
    recordings.put(process, file);
    return List.of(
        "-XX:FlightRecorderOptions=stackdepth=128",
        "-Xlog:jfr+startup=off",
        "-XX:StartFlightRecording:settings=profile,dumponexit=true,filename=" + file);
  }

  /** Reads what the processes have recorded; they have ended. Returns PROFILE.md. */
  Path write() throws IOException {
    line("# Profiles");
    line("");
    line(
        "By Flight Recorder, of the turns alone; open the .jfr files with JDK Mission Control"
            + " or `jfr`. `by` is the first frame of Shardwright's or ShardingSphere's own, or of"
            + " the benchmark when there is none.");
    for (Map.Entry<String, Path> recording : recordings.entrySet()) {
      line("");
      line("## " + recording.getKey());
      // Events are not in the order of their times.
      NavigableMap<Instant, Instant> turns = new TreeMap<>();
      read(
          recording.getValue(),
          event -> {
            if (event.getEventType().getName().equals(TurnEvent.NAME)) {
              turns.put(event.getStartTime(), event.getEndTime());
            }
          });
      List<Table> tables = tables();
      read(
          recording.getValue(),
          event -> {
            Map.Entry<Instant, Instant> turn = turns.floorEntry(event.getStartTime());
            if (turn != null && !event.getStartTime().isAfter(turn.getValue()) && !isIdle(event)) {
              tables.forEach(table -> table.add(event));
            }
          });
      tables.forEach(this::print);
    }
    return Files.writeString(directory.resolve("PROFILE.md"), text);
  }

  private static void read(Path recording, Consumer<RecordedEvent> reader) throws IOException {
    try (RecordingFile events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        reader.accept(events.readEvent());
      }
    }
  }

  /** A thread of a pool that waits for work. */
  private static boolean isIdle(RecordedEvent event) {
    return event.getStackTrace() != null
        && event.getStackTrace().getFrames().stream().map(Profile::method).anyMatch(IDLE::contains);
  }

  /** Events of one type, summed by what they name. */
  private static final class Table {
    private final String title;
    private final String type;
    private final Function<RecordedEvent, String> name;
    private final ToLongFunction<RecordedEvent> weight;
    private final Map<String, Long> sums = new HashMap<>();
    private long all;

    Table(
        String title,
        String type,
        Function<RecordedEvent, String> name,
        ToLongFunction<RecordedEvent> weight) {
      this.title = title;
      this.type = type;
      this.name = name;
      this.weight = weight;
    }

    void add(RecordedEvent event) {
      if (event.getEventType().getName().equals(type) && event.getStackTrace() != null) {
        long size = weight.applyAsLong(event);
        sums.merge(name.apply(event) + " | " + own(event), size, Long::sum);
        all += size;
      }
    }
  }

  private static List<Table> tables() {
    return List.of(
        new Table("Running: samples", "jdk.ExecutionSample", Profile::top, event -> 1),
        new Table(
            "Allocated: bytes",
            "jdk.ObjectAllocationSample",
            event -> className(event, "objectClass") + " in " + top(event),
            event -> event.getLong("weight")),
        new Table(
            "Waiting for monitors: microseconds",
            "jdk.JavaMonitorEnter",
            event -> className(event, "monitorClass") + " in " + callers(event),
            Profile::micros),
        new Table(
            "Parked: microseconds, of waits of 10 ms and more",
            "jdk.ThreadPark",
            Profile::callers,
            Profile::micros));
  }

  private void print(Table table) {
    line("");
    line("### " + table.title + " (" + String.format(Locale.ROOT, "%,d", table.all) + ")");
    line("");
    line("| % | where | by |");
    line("|---|---|---|");
    table.sums.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(LINES)
        .forEach(
            sum ->
                line(
                    String.format(
                        Locale.ROOT,
                        "| %.1f | %s |",
                        100.0 * sum.getValue() / table.all,
                        sum.getKey())));
  }

  private static String top(RecordedEvent event) {
    List<RecordedFrame> frames = event.getStackTrace().getFrames();
    return frames.isEmpty() ? NONE : method(frames.get(0));
  }

  private static String className(RecordedEvent event, String field) {
    RecordedClass type = event.getClass(field);
    return type == null ? NONE : type.getName();
  }

  private static long micros(RecordedEvent event) {
    return event.getDuration().toNanos() / 1_000;
  }

  /** The first frames that are not the waiting itself. */
  private static String callers(RecordedEvent event) {
    List<String> names =
        event.getStackTrace().getFrames().stream()
            .filter(
                frame -> !frame.getMethod().getType().getName().matches(".*(Unsafe|LockSupport)"))
            .limit(CALLERS)
            .map(Profile::method)
            .toList();
    return String.join(" < ", names);
  }

  private static String own(RecordedEvent event) {
    String benchmark = NONE;
    for (RecordedFrame frame : event.getStackTrace().getFrames()) {
      String type = frame.getMethod().getType().getName();
      if (type.startsWith("io.shardwright.bench.")) {
        benchmark = benchmark.equals(NONE) ? line(frame) : benchmark;
      } else if (type.startsWith("io.shardwright.")
          || type.startsWith("org.apache.shardingsphere.")) {
        return line(frame);
      }
    }
    return benchmark;
  }

  private static String method(RecordedFrame frame) {
    String type = frame.getMethod().getType().getName();
    return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethod().getName();
  }

  private static String line(RecordedFrame frame) {
    return method(frame) + ":" + frame.getLineNumber();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
