package io.shardwright.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetailDataTest {
  private static final String HEADER =
      "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n";

  @Test
  void forEach_all_givesThePublishedCountsAndTheExactTotal() {
    List<Invoice> invoices = read(TestingData.RETAIL, Integer.MAX_VALUE);

    assertThat(invoices).hasSize(RetailData.INVOICES);
    assertThat(invoices.stream().mapToLong(i -> i.lines().size()).sum())
        .isEqualTo(RetailData.LINES);
    assertThat(invoices.stream().map(Invoice::amount).reduce(BigDecimal.ZERO, BigDecimal::add))
        .isEqualByComparingTo("9747747.934");
    assertThat(count(invoices, Invoice.Kind.SALE)).isEqualTo(22_061);
    assertThat(count(invoices, Invoice.Kind.CREDIT)).isEqualTo(3_836);
    assertThat(count(invoices, Invoice.Kind.ADJUSTMENT)).isEqualTo(3);
    assertThat(invoices.stream().filter(i -> i.customer().isEmpty())).hasSize(3_710);
    assertThat(invoices.stream().map(Invoice::country).distinct()).hasSize(38);
    Set<String> numbers = new HashSet<>();
    assertThat(invoices).allMatch(i -> numbers.add(i.number()));
    assertThat(invoices).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
  }

  @Test
  void forEach_first_isTheFirstInvoiceOfTheFiles() {
    Invoice first = read(TestingData.RETAIL, 1).get(0);

    assertThat(first.number()).isEqualTo("536365");
    assertThat(first.at()).isEqualTo(Instant.parse("2010-12-01T08:26:00Z"));
    assertThat(first.customer()).isEqualTo(OptionalLong.of(17850));
    assertThat(first.country()).isEqualTo("United Kingdom");
    assertThat(first.lines()).hasSize(7);
    assertThat(first.amount()).isEqualByComparingTo("139.12");
    assertThat(first.lines().get(0))
        .isEqualTo(
            new Invoice.Line(
                "85123A", "WHITE HANGING HEART T-LIGHT HOLDER", 6, new BigDecimal("2.55")));
  }

  @Test
  void forEach_withALimit_givesThePrefix() {
    assertThat(read(TestingData.RETAIL, 300))
        .hasSize(300)
        .isEqualTo(read(TestingData.RETAIL, 500).subList(0, 300));
  }

  @Test
  void forEach_mixedLines_areCollected(@TempDir Path directory) throws Exception {
    write(
        directory,
        HEADER
            + "1,a,x,1,2011-01-01 10:00:00,1.00,,France\n"
            + "2,b,y,1,2011-01-01 10:01:00,2.00,7.0,Spain\n"
            + "1,c,z,2,2011-01-01 10:01:00,0.005,,France\n");

    List<Invoice> invoices = read(RetailData.in(directory), 10);

    assertThat(invoices).extracting(Invoice::number).containsExactly("1", "2");
    assertThat(invoices.get(0).amount()).isEqualByComparingTo("1.01");
  }

  @Test
  void forEach_aDamagedLine_isNamed(@TempDir Path directory) throws Exception {
    write(directory, HEADER + "1,a,x,one,2011-01-01 10:00:00,1.00,,France\n");

    assertRefused(() -> read(RetailData.in(directory), 10), "damaged at line 2");
  }

  @Test
  void forEach_anotherHeader_isNamed(@TempDir Path directory) throws Exception {
    write(directory, "a,b\n");

    assertRefused(() -> read(RetailData.in(directory), 10), "header");
  }

  @Test
  void in_aDirectoryWithoutTheFiles_saysWhichIsMissing(@TempDir Path directory) {
    assertRefused(() -> RetailData.in(directory), "online-retail-2010-12_2011-05.csv.gz");
  }

  private static void assertRefused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ShardwrightException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.COMMAND_INVALID))
        .hasMessageContaining(words);
  }

  /** Three files of the right names; the first has the content, the others the header alone. */
  private static void write(Path directory, String content) throws Exception {
    String text = content;
    for (String file :
        List.of(
            "online-retail-2010-12_2011-05.csv.gz",
            "online-retail-2011-06_2011-09.csv.gz",
            "online-retail-2011-10_2011-12.csv.gz")) {
      try (GZIPOutputStream out =
          new GZIPOutputStream(Files.newOutputStream(directory.resolve(file)))) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      text = HEADER;
    }
  }

  private static List<Invoice> read(RetailData data, int max) {
    List<Invoice> invoices = new ArrayList<>();
    data.forEach(max, invoices::add);
    return invoices;
  }

  private static long count(List<Invoice> invoices, Invoice.Kind kind) {
    return invoices.stream().filter(i -> i.kind() == kind).count();
  }
}
