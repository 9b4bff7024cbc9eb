package io.shardwright.advisor.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ShardwrightException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LogReadingTest {
  @TempDir Path directory;

  private Path slowLog(String name, long bytes) throws IOException {
    Path file = directory.resolve(name);
    SlowLogGenerator.write(file, bytes, bytes);
    return file;
  }

  private Path zipped(Path plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      Files.copy(plain, out);
    }
    return Files.write(directory.resolve("zipped"), bytes.toByteArray());
  }

  @Test
  void read_files_givesWhatOneThreadGives() throws IOException {
    Path first = slowLog("first", 4_000_000);
    Path script = Files.writeString(directory.resolve("script"), "SELECT 1;\nSELECT 2;\n");
    Path unknown = Files.writeString(directory.resolve("unknown"), "lorem ipsum\n");
    Path second = zipped(slowLog("second", 2_000_000));
    List<Path> files = List.of(first, script, unknown, second);
    List<String> expected = new ArrayList<>();
    List<LogFile> expectedResults = new ArrayList<>();
    for (Path file : files) {
      expectedResults.add(
          SqlLogs.readWithFormat(file, (record, format) -> expected.add(format + " " + record)));
    }
    List<String> records = new ArrayList<>();
    AtomicLong bytes = new AtomicLong();
    AtomicLong statements = new AtomicLong();

    List<LogFile> results =
        LogReading.read(
            files,
            (read, number) -> {
              assertThat(read).isGreaterThanOrEqualTo(bytes.get());
              bytes.set(read);
              statements.set(number);
            },
            (record, format) -> records.add(format + " " + record));

    assertThat(results).isEqualTo(expectedResults);
    assertThat(records).isEqualTo(expected).hasSizeGreaterThan(10_000);
    assertThat(bytes.get())
        .isEqualTo(
            Files.size(first) + Files.size(script) + Files.size(unknown) + Files.size(second));
    assertThat(statements.get()).isLessThanOrEqualTo(records.size());
  }

  @Test
  void read_fileThatIsNotThere_isRefusedBehindTheRecordsBefore() throws IOException {
    Path script = Files.writeString(directory.resolve("script"), "SELECT 1;\nSELECT 2;\n");
    Path missing = directory.resolve("missing");
    List<LogRecord> records = new ArrayList<>();

    assertThatThrownBy(
            () ->
                LogReading.read(
                    List.of(script, missing), (b, s) -> {}, (record, f) -> records.add(record)))
        .isInstanceOf(ShardwrightException.class)
        .hasMessageContaining("missing cannot be read: there is no such file");
    assertThat(records).hasSize(2);
  }

  @Test
  @Timeout(20)
  void read_readerThatFails_tellsWhy() throws IOException {
    Path script = Files.writeString(directory.resolve("script"), "SELECT 1;\n");

    assertThatThrownBy(
            () ->
                LogReading.read(
                    List.of(script),
                    (bytes, statements) -> {
                      throw new ArithmeticException("of the reader");
                    },
                    (record, format) -> {}))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("of the reader");
  }

  @Test
  void read_sinkThatFails_endsTheReader() throws Exception {
    Path log = slowLog("log", 12_000_000);
    List<Thread> readers = new ArrayList<>();

    assertThatThrownBy(
            () ->
                LogReading.read(
                    List.of(log),
                    (bytes, statements) -> {
                      if (readers.isEmpty()) {
                        readers.add(Thread.currentThread());
                      }
                    },
                    (record, format) -> {
                      throw new IllegalArgumentException("no more");
                    }))
        .hasMessage("no more");

    readers.get(0).join();
  }
}
