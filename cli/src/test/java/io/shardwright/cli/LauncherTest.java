package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real launcher script as a process, in a copy of the repository's layout whose class path is
 * that of this test, with programs of the test's own in place of mvn and java where they matter.
 */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "sed",
          "find",
          "ls",
          "head",
          "dirname",
          "basename",
          "readlink",
          "cat",
          "mkdir",
          "rm",
          "tr",
          "grep",
          "awk",
          "mv",
          "sleep");
  private static final FileTime OLD = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
  private static final FileTime NEWER = FileTime.from(Instant.parse("2026-01-02T00:00:00Z"));

  @TempDir private Path directory;
  private Path repository;
  private Path tools;

  @BeforeEach
  void layOut() throws IOException {
    repository = Files.createDirectories(directory.resolve("a repository"));
    tools = Files.createDirectories(directory.resolve("tools"));
    for (String tool : TOOLS) {
      forward(tool, find(tool));
    }
    forward("java", Path.of(System.getProperty("java.home"), "bin", "java"));
    forward("javac", Path.of(System.getProperty("java.home"), "bin", "javac"));
    Files.copy(Path.of("..", "shardwright"), repository.resolve("shardwright"));
    executable(repository.resolve("shardwright"));
    Files.setLastModifiedTime(Files.createFile(repository.resolve("pom.xml")), OLD);
    Path source = Files.createDirectories(repository.resolve("routing/src/main"));
    Files.setLastModifiedTime(Files.createFile(source.resolve("A.java")), OLD);
    Files.setLastModifiedTime(source, OLD);
    Path jar =
        Files.createDirectories(repository.resolve("cli/target/lib"))
            .resolveSibling("shardwright-cli-1.jar");
    classPath(jar);
    Files.setLastModifiedTime(jar, NEWER);
  }

  @Test
  void run_throughASymbolicLink_fromAnotherDirectory_withSpaces() throws Exception {
    Path link =
        Files.createSymbolicLink(directory.resolve("sw"), Path.of("a repository/shardwright"));
    Shell.Run run = launch(Map.of(), link, "id", "decode", "5", "--buckets", "1024");
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    assertThat(run.lines()).contains("sequence    5");
  }

  @Test
  void run_relativeConfiguration_isRelativeToTheCaller() throws Exception {
    Files.writeString(directory.resolve("my file.yaml"), "version: 2\n");
    Shell.Run run =
        launch(Map.of(), repository.resolve("shardwright"), "apply", "-c", "my file.yaml");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).startsWith("error: SW101: my file.yaml has");
  }

  @Test
  void run_withoutLocale_takesArgumentsAndPrintsInUtf8() throws Exception {
    Shell.Run run =
        launch(Map.of(), repository.resolve("shardwright"), "apply", "-c", "\u8ba2\u5355.yaml");
    assertThat(run.err()).contains("\u8ba2\u5355.yaml does not exist");
  }

  @Test
  void run_javaOptions_areTheUsers() throws Exception {
    Map<String, String> options = Map.of("SHARDWRIGHT_JAVA_OPTS", "-Xmx64m -XshowSettings:vm");
    Shell.Run run = launch(options, repository.resolve("shardwright"), "version");
    assertThat(run.err()).contains("Max. Heap Size: 64.00M");
  }

  @Test
  void build_newerSource_runsMavenOnce_andNotAgain() throws Exception {
    program(
        "mvn",
        "case $1 in -v) echo 'Apache Maven 3.8.1 (x)' ;;"
            + " *) echo \"$@\" >>calls; mkdir -p cli/target/lib ;; esac");
    Files.setLastModifiedTime(
        Files.createFile(repository.resolve("routing/src/main/B.java")),
        FileTime.from(Instant.parse("2026-01-03T00:00:00Z")));
    Shell.Run run = launch(Map.of(), repository.resolve("shardwright"), "version");
    assertThat(run.exit()).isZero();
    assertThat(run.err()).startsWith("building Shardwright").endsWith(" done\n").hasLineCount(1);
    assertThat(launch(Map.of(), repository.resolve("shardwright"), "version").err()).isEmpty();
    assertThat(Files.readAllLines(repository.resolve("calls"))).hasSize(1);
    assertThat(repository.resolve(".shardwright/lock")).doesNotExist();
  }

  @Test
  void build_failure_printsTheErrorsAndKeepsTheLog() throws Exception {
    program(
        "mvn",
        "case $1 in -v) echo 'Apache Maven 3.9.9' ;; *) echo '[INFO] noise';"
            + " echo '[ERROR] A.java:[1,1] cannot find symbol'; exit 1 ;; esac");
    Files.delete(repository.resolve("cli/target/shardwright-cli-1.jar"));
    Shell.Run run = launch(Map.of(), repository.resolve("shardwright"), "version");
    assertThat(run.exit()).isEqualTo(5);
    assertThat(run.err())
        .contains("[ERROR] A.java:[1,1] cannot find symbol")
        .doesNotContain("noise")
        .contains("build.log");
    assertThat(repository.resolve(".shardwright/build.log")).content().contains("noise");
  }

  @Test
  void build_withoutMaven_saysWhatToInstall() throws Exception {
    Files.delete(repository.resolve("cli/target/shardwright-cli-1.jar"));
    Shell.Run run = launch(Map.of(), repository.resolve("shardwright"), "version");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err())
        .isEqualTo("shardwright: mvn is not installed; install Apache Maven 3.8 or newer\n");
    program("mvn", "echo 'Apache Maven 3.6.3 (x)'");
    assertThat(launch(Map.of(), repository.resolve("shardwright"), "version").err())
        .isEqualTo("shardwright: mvn is Maven 3.6.3; install Apache Maven 3.8 or newer\n");
  }

  @Test
  void build_oldOrMissingJava_saysWhatToInstall() throws Exception {
    Files.delete(repository.resolve("cli/target/shardwright-cli-1.jar"));
    Files.delete(tools.resolve("java"));
    assertThat(launch(Map.of(), repository.resolve("shardwright"), "version").err())
        .contains("java is not installed; install a JDK 17 or newer");
    program("java", "echo 'openjdk version \"11.0.22\" 2024-01-16' >&2");
    Shell.Run old = launch(Map.of(), repository.resolve("shardwright"), "version");
    assertThat(old.exit()).isEqualTo(3);
    assertThat(old.err()).contains("is Java 11.0.22; install a JDK 17 or newer");
    Map<String, String> wrongHome = Map.of("JAVA_HOME", directory.resolve("nowhere").toString());
    assertThat(launch(wrongHome, repository.resolve("shardwright"), "version").err())
        .contains("JAVA_HOME is ")
        .contains("has no bin/java");
  }

  private Shell.Run launch(Map<String, String> environment, Path script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().putAll(environment);
    int exit = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    return new Shell.Run(
        exit,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  private void forward(String name, Path program) throws IOException {
    program(name, "exec '" + program + "' \"$@\"");
  }

  private void program(String name, String body) throws IOException {
    Path program = tools.resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + body + "\n");
    executable(program);
  }

  private static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path find(String tool) {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      Path program = Path.of(directory, tool);
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    throw new AssertionError(tool + " is not on the path");
  }

  /** An empty jar whose manifest names the class path of this test. */
  private static void classPath(Path jar) throws IOException {
    List<String> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toString());
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.join(" ", urls));
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream empty = new JarOutputStream(out, manifest)) {
      empty.finish();
    }
  }
}
