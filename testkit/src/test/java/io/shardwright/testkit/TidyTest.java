package io.shardwright.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TidyTest {
  @TempDir Path root;

  @BeforeEach
  void createPom() throws IOException {
    Files.writeString(root.resolve("pom.xml"), "<module>one</module>");
  }

  @Test
  void ourSources_areTidy() throws IOException {
    assertThat(Tidy.check(repository())).isEmpty();
  }

  @Test
  void check_aTidyModule_findsNothing() throws IOException {
    write("one", "io.shardwright.one", "A", "");
    write("one", "io.shardwright.one", "B", "");
    write("one", "io.shardwright.one", "C", "");

    assertThat(Tidy.check(root)).isEmpty();
  }

  @Test
  void check_fifteenModules_namesTheBudget() throws IOException {
    Files.writeString(
        root.resolve("pom.xml"), "<module>m</module>".repeat(15) + "<module>examples/x</module>");

    assertThat(Tidy.check(root)).singleElement().asString().contains("15 modules");
  }

  @Test
  void check_aSmallPackage_asksForAReason() throws IOException {
    write("one", "io.shardwright.one", "A", "");
    assertThat(Tidy.check(root)).singleElement().asString().contains("has 1 files");

    write("one", "io.shardwright.one", "package-info", "// Small because: it is a seam");
    assertThat(Tidy.check(root)).isEmpty();
  }

  @Test
  void check_packagesByKindOrTooDeep_areFound() throws IOException {
    for (String name : new String[] {"A", "B", "C"}) {
      write("one", "io.shardwright.one.util", name, "");
      write("one", "io.shardwright.one.a.b.c", name, "");
    }

    assertThat(Tidy.check(root))
        .hasSize(6)
        .anyMatch(f -> f.contains("name it by capability"))
        .anyMatch(f -> f.contains("move it up"));
  }

  @Test
  void check_emptyNames_areFoundInMainOnly() throws IOException {
    write("one", "io.shardwright.one", "RowFactory", "");
    write("one", "io.shardwright.one", "AbstractRow", "");
    write("one", "io.shardwright.one", "Rows", "");
    Path test = root.resolve("one/src/test/java/RowHelper.java");
    Files.createDirectories(test.getParent());
    Files.writeString(test, "class RowHelper {}");

    assertThat(Tidy.check(root)).hasSize(2).allMatch(f -> f.contains("says nothing"));
  }

  @Test
  void check_longFilesAndBodies_wantAReason() throws IOException {
    write("one", "io.shardwright.one", "A", "  // x\n".repeat(401));
    write(
        "one",
        "io.shardwright.one",
        "B",
        "  int f(\n      int a) {\n" + "    a++;\n".repeat(61) + "  }\n");
    write(
        "one",
        "io.shardwright.one",
        "C",
        "  int f(int a) {\n    // Long because: a table\n" + "    a++;\n".repeat(61) + "  }\n");

    assertThat(Tidy.check(root))
        .hasSize(2)
        .anyMatch(f -> f.contains("A.java:1 has 404 lines"))
        .anyMatch(f -> f.contains("B.java:4 is a body of 61 lines"));
  }

  @Test
  void check_forbiddenCalls_nameTheReplacement() throws IOException {
    write("one", "io.shardwright.one", "A", "  void f() { Thread.sleep(1); }\n");
    write("one", "io.shardwright.one", "B", "  long t = System.currentTimeMillis();\n");
    write("one", "io.shardwright.one", "C", "  Object r = new Random();\n");
    write("one", "io.shardwright.one", "D", "  // TODO later\n");

    assertThat(Tidy.check(root))
        .hasSize(4)
        .anyMatch(f -> f.contains("step a TestingClock"))
        .anyMatch(f -> f.contains("inject an InstantSource"))
        .anyMatch(f -> f.contains("a seed"))
        .anyMatch(f -> f.contains("leaves work open"));
  }

  @Test
  void check_pathsOfAMachine_areFoundInDocumentsToo() throws IOException {
    Files.writeString(
        root.resolve("README.md"), "see /home/me/x\nand src/home/y\nand /etc/hosts\n");

    assertThat(Tidy.check(root)).singleElement().asString().startsWith("README.md:1");
  }

  private void write(String module, String packageName, String name, String members)
      throws IOException {
    Path file =
        root.resolve(module)
            .resolve("src/main/java")
            .resolve(packageName.replace('.', '/'))
            .resolve(name + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, "package " + packageName + ";\nclass " + name + " {\n" + members + "}\n");
  }

  /** Maven runs tests in the module's directory, an IDE perhaps in the root. */
  private static Path repository() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(here.resolve("testkit/src"))) {
      here = here.getParent();
    }
    return here;
  }
}
