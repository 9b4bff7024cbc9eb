package io.shardwright.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors were computed by another program, in another language. */
class CursorCodecTest {
  private static final Path VECTORS = Path.of("../docs/vectors/cursor-v1.tsv");

  record Vector(CursorCodec codec, Cursor cursor, List<String> parts, String text) {}

  static Stream<Vector> vectors() throws IOException {
    return Files.readAllLines(VECTORS).stream()
        .filter(line -> !line.startsWith("#") && !line.startsWith("key\t"))
        .map(line -> line.split("\t", -1))
        .map(CursorCodecTest::vector);
  }

  private static Vector vector(String[] cells) {
    List<String> values =
        Arrays.stream(cells[4].split("\\|", -1))
            .map(value -> value.equals("\\N") ? null : value)
            .toList();
    return new Vector(
        codec(cells[0]),
        new Cursor(
            HexFormat.fromHexDigitsToLong(cells[5]),
            Long.parseLong(cells[2]),
            Boolean.parseBoolean(cells[1]),
            values),
        List.of(cells[3].split("\\|", -1)),
        cells[6]);
  }

  private static CursorCodec codec(String... keys) {
    return new CursorCodec(
        Arrays.stream(keys).map(key -> key.getBytes(StandardCharsets.UTF_8)).toList());
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void vector_isWrittenAndReadAsItWas(Vector vector) {
    Fingerprint print = new Fingerprint();
    vector.parts().forEach(print::add);

    assertThat(print.value()).isEqualTo(vector.cursor().fingerprint());
    assertThat(vector.codec().encode(vector.cursor())).isEqualTo(vector.text());
    assertThat(vector.codec().decode(vector.text(), vector.cursor().fingerprint()))
        .isEqualTo(vector.cursor());
  }

  @Test
  void vectors_areThere() throws IOException {
    assertThat(vectors()).hasSize(3);
  }

  @Test
  void fingerprint_tellsPartsApart() {
    assertThat(new Fingerprint().add("ab").add("c").value())
        .isNotEqualTo(new Fingerprint().add("a").add("bc").value())
        .isNotEqualTo(new Fingerprint().add("ab:1").add("c").value());
    assertThat(new Fingerprint().add(null).value()).isNotEqualTo(new Fingerprint().add("").value());
  }

  @Test
  void keys_theFirstSigns_allAreBelieved() {
    Cursor cursor = new Cursor(7, 1, false, List.of("x"));
    String text = codec("old key").encode(cursor);

    assertThat(codec("new key", "old key").decode(text, 7)).isEqualTo(cursor);
    assertThat(codec("new key", "old key").encode(cursor))
        .isEqualTo(codec("new key").encode(cursor));
    assertThatThrownBy(() -> codec("new key").decode(text, 7))
        .hasMessageStartingWith("SW802: the cursor was not signed by this gateway");
  }
}
