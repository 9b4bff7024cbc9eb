package io.shardwright.driver;

import io.shardwright.driver.CorpusStatement.Expected;
import io.shardwright.driver.CorpusStatement.Fixed;
import io.shardwright.driver.CorpusStatement.Reach;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the statements of src/test/resources/corpus, whose README tells the format. Strict: a
 * header that is misspelt would leave something unchecked.
 */
final class Corpus {
  static final Path DIRECTORY = Path.of("src/test/resources/corpus");

  private static final Set<String> HEADERS =
      Set.of("params", "today", "fails", "fixed", "only", "keys", "plain", "postgres", "mariadb");

  private final String database;
  private final String file;
  private final List<CorpusStatement> statements = new ArrayList<>();
  private final Map<String, List<String>> headers = new LinkedHashMap<>();
  private final StringBuilder text = new StringBuilder();
  private Optional<String> onlyDatabase = Optional.empty();
  private String family;
  private String construct;
  private Expected wanted;
  private int line;
  private int firstLine;

  private Corpus(String database, String file) {
    this.database = database;
    this.file = file;
  }

  /** Those of all files that are meant for the database, "postgres" or "mariadb". */
  static List<CorpusStatement> statements(String database) {
    List<CorpusStatement> all = new ArrayList<>();
    for (Path file : files()) {
      all.addAll(parse(database, file.getFileName().toString(), read(file)));
    }
    return all;
  }

  static List<Path> files() {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files.filter(f -> f.toString().endsWith(".sql")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<CorpusStatement> parse(String database, String file, String content) {
    Corpus corpus = new Corpus(database, file);
    for (String line : content.split("\n", -1)) {
      corpus.line++;
      corpus.line(line.stripTrailing());
    }
    if (corpus.text.length() > 0 || !corpus.headers.isEmpty()) {
      throw corpus.mistake("the last statement does not end with ;");
    }
    return corpus.statements;
  }

  private void line(String line) {
    if (text.length() > 0 || !(line.isEmpty() || line.startsWith("--"))) {
      statementLine(line);
    } else if (line.isEmpty()) {
      if (!headers.isEmpty()) {
        throw mistake("headers stand directly above their statement");
      }
    } else if (!line.startsWith("---")) {
      readHeader(line);
    }
  }

  private void readHeader(String line) {
    int colon = line.indexOf(": ");
    if (!line.startsWith("-- ") || colon < 0) {
      throw mistake("a header is '-- name: value', a remark begins with ---");
    }
    String name = line.substring(3, colon);
    String value = line.substring(colon + 2).strip();
    switch (name) {
      case "family" -> family = value;
      case "database" -> onlyDatabase = Optional.of(value);
      case "construct" -> {
        construct = value;
        wanted = null;
      }
      case "class" -> wanted = expected(value);
      default -> {
        if (!HEADERS.contains(name)) {
          throw mistake("no header is named '" + name + "'");
        }
        headers.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
      }
    }
  }

  private Expected expected(String value) {
    if (value.startsWith("refused ")) {
      return Expected.refused(code(value.substring("refused ".length())));
    }
    return Arrays.stream(Reach.values())
        .filter(reach -> reach.word().equals(value) && reach != Reach.NOWHERE)
        .findFirst()
        .map(reach -> new Expected(reach, ""))
        .orElseThrow(() -> mistake("no class is named '" + value + "'"));
  }

  private String code(String code) {
    if (!code.matches("SW\\d{3}")) {
      throw mistake("'" + code + "' is not a code such as SW202");
    }
    return code;
  }

  private void statementLine(String line) {
    if (text.length() == 0) {
      firstLine = this.line;
    }
    text.append(text.length() == 0 ? "" : "\n").append(line);
    if (line.endsWith(";")) {
      text.setLength(text.length() - 1);
      if (family == null || construct == null || wanted == null) {
        throw mistake("family, construct and class stand above a statement");
      }
      if (header("only").or(() -> onlyDatabase).map(database::equals).orElse(true)) {
        statements.add(statement(header(database).orElse(text.toString())));
      }
      text.setLength(0);
      headers.clear();
    }
  }

  private CorpusStatement statement(String written) {
    String sql = CorpusValues.withIds(written);
    Expected expected = forDatabase("today").map(this::expected).orElse(wanted);
    return new CorpusStatement(
        file + ":" + firstLine,
        family,
        construct,
        expected,
        wanted,
        sql,
        header("plain").map(CorpusValues::withIds).orElse(sql),
        header("params").map(CorpusValues::parse).orElse(List.of()),
        forDatabase("fails"),
        header("fixed").map(this::fixed).orElse(defaultFixed(sql)),
        header("keys").map(keys -> List.of(keys.split(", "))).orElse(List.of()));
  }

  private static Fixed defaultFixed(String sql) {
    return CorpusStatement.orderBy(sql).isPresent() ? Fixed.ROWS : Fixed.NOTHING;
  }

  private Fixed fixed(String value) {
    return switch (value) {
      case "nothing" -> Fixed.NOTHING;
      case "rows" -> Fixed.ROWS;
      default -> new Fixed(false, Stream.of(value.split(", ")).map(Integer::valueOf).toList());
    };
  }

  private Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw mistake("two headers " + name);
    }
    return values.stream().findFirst();
  }

  /** "VALUE" for every database, "VALUE on mariadb" for one, which wins. */
  private Optional<String> forDatabase(String name) {
    String suffix = " on " + database;
    List<String> values = headers.getOrDefault(name, List.of());
    return values.stream()
        .filter(value -> value.endsWith(suffix))
        .map(value -> value.replace(suffix, ""))
        .findFirst()
        .or(() -> values.stream().filter(value -> !value.contains(" on ")).findFirst());
  }

  private IllegalArgumentException mistake(String what) {
    return new IllegalArgumentException(file + ":" + line + ": " + what);
  }
}
