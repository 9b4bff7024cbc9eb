package io.shardwright.examples.orders;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * The invoices of the UCI Online Retail data set, read from its three compressed files in order of
 * their first lines. Holds a few invoices at a time; about 1 s for all. Immutable, thread-safe.
 */
public final class RetailData {
  public static final int INVOICES = 25_900;
  public static final int LINES = 541_909;

  private static final List<String> FILES =
      List.of(
          "online-retail-2010-12_2011-05.csv.gz",
          "online-retail-2011-06_2011-09.csv.gz",
          "online-retail-2011-10_2011-12.csv.gz");
  private static final List<String> HEADER =
      List.of(
          "InvoiceNo",
          "StockCode",
          "Description",
          "Quantity",
          "InvoiceDate",
          "UnitPrice",
          "CustomerID",
          "Country");

  /** Lines of one invoice may be mixed with others'; in the files they end within a minute. */
  private static final Duration INVOICE_SPAN_MAX = Duration.ofMinutes(10);

  private final Path directory;

  private RetailData(Path directory) {
    this.directory = directory;
  }

  /**
   * @param directory examples/orders/data of the repository
   * @throws ShardwrightException SW603 when a file is missing
   */
  public static RetailData in(Path directory) {
    for (String file : FILES) {
      if (!Files.isReadable(directory.resolve(file))) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "the data file "
                + directory.resolve(file)
                + " is missing; name the directory examples/orders/data of the repository");
      }
    }
    return new RetailData(directory);
  }

  /**
   * @param invoicesMax how many to read, the first ones
   */
  public void forEach(int invoicesMax, Consumer<Invoice> consumer) {
    Grouping grouping = new Grouping(invoicesMax, consumer);
    Times times = new Times();
    for (String file : FILES) {
      try (CsvReader<CsvRecord> csv =
          CsvReader.builder()
              .ofCsvRecord(
                  new InputStreamReader(
                      new GZIPInputStream(Files.newInputStream(directory.resolve(file))),
                      StandardCharsets.UTF_8))) {
        Iterator<CsvRecord> rows = csv.iterator();
        if (!rows.hasNext() || !rows.next().getFields().equals(HEADER)) {
          throw damaged(file, 1, "the header is not " + HEADER, null);
        }
        while (rows.hasNext() && !grouping.isFull()) {
          grouping.add(row(file, rows.next(), times));
        }
      } catch (IOException e) {
        throw damaged(file, 0, e.getMessage(), e);
      }
    }
    grouping.closeAll();
  }

  private record Row(
      String number, Instant at, String customer, String country, Invoice.Line line) {}

  private static Row row(String file, CsvRecord fields, Times times) {
    try {
      return new Row(
          fields.getField(0),
          times.parse(fields.getField(4)),
          fields.getField(6),
          fields.getField(7),
          new Invoice.Line(
              fields.getField(1),
              fields.getField(2),
              Integer.parseInt(fields.getField(3)),
              new BigDecimal(fields.getField(5))));
    } catch (RuntimeException e) {
      throw damaged(file, fields.getStartingLineNumber(), e.getMessage(), e);
    }
  }

  /** Neighbouring lines have the same time; parsing it once takes a third off the reading. */
  private static final class Times {
    private String text = "";
    private Instant instant = Instant.EPOCH;

    Instant parse(String next) {
      if (!next.equals(text)) {
        instant = LocalDateTime.parse(next.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
        text = next;
      }
      return instant;
    }
  }

  private static ShardwrightException damaged(String file, long line, String why, Exception cause) {
    return new ShardwrightException(
        ErrorCode.COMMAND_INVALID,
        "the data file " + file + " is damaged at line " + line + ": " + why + "; restore it",
        cause);
  }

  /** Collects lines into invoices and hands these on in the order of their first lines. */
  private static final class Grouping {
    private final int invoicesMax;
    private final Consumer<Invoice> consumer;
    private final Map<String, Open> open = new LinkedHashMap<>();
    private final Set<String> closed = new HashSet<>();

    Grouping(int invoicesMax, Consumer<Invoice> consumer) {
      this.invoicesMax = invoicesMax;
      this.consumer = consumer;
    }

    boolean isFull() {
      return closed.size() >= invoicesMax;
    }

    void add(Row row) {
      closeBefore(row.at.minus(INVOICE_SPAN_MAX));
      if (closed.contains(row.number)) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "the data files are damaged: invoice " + row.number + " goes on after its end");
      }
      open.computeIfAbsent(row.number, key -> new Open(row)).lines.add(row.line);
    }

    private void closeBefore(Instant time) {
      Iterator<Open> oldest = open.values().iterator();
      while (oldest.hasNext() && !isFull()) {
        Open invoice = oldest.next();
        if (!invoice.first.at.isBefore(time)) {
          return;
        }
        oldest.remove();
        close(invoice);
      }
    }

    void closeAll() {
      closeBefore(Instant.MAX);
    }

    private void close(Open invoice) {
      closed.add(invoice.first.number);
      consumer.accept(invoice.toInvoice());
    }
  }

  private static final class Open {
    final Row first;
    final List<Invoice.Line> lines = new ArrayList<>();

    Open(Row first) {
      this.first = first;
    }

    Invoice toInvoice() {
      Invoice.Kind kind =
          switch (first.number.charAt(0)) {
            case 'C' -> Invoice.Kind.CREDIT;
            case 'A' -> Invoice.Kind.ADJUSTMENT;
            default -> Invoice.Kind.SALE;
          };
      // Customers are written as decimals: 17850.0
      OptionalLong id =
          first.customer.isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(new BigDecimal(first.customer).longValueExact());
      return new Invoice(first.number, kind, id, first.country, first.at, lines);
    }
  }
}
