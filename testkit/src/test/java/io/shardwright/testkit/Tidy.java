package io.shardwright.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The house rules that a machine can check, over the sources below a repository root. Every finding
 * says what to do instead. Method lengths are told from google-java-format's indentation, which the
 * build enforces.
 */
final class Tidy {
  private static final int MODULES_MAX = 14;
  private static final int PACKAGE_FILES_MIN = 3;
  private static final int PACKAGE_LEVELS_MAX = 3;
  private static final int FILE_LINES_MAX = 400;
  private static final int BODY_LINES_MAX = 60;
  private static final String LONG_REASON = "// Long because:";
  private static final String SMALL_REASON = "Small because:";
  private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", "node_modules");
  private static final Set<String> TEXTS = Set.of("java", "md", "xml", "yaml", "yml", "sql", "py");

  /** Files that may hold what they forbid or implement. */
  private static final Set<String> EXEMPT = Set.of("Tidy.java", "TidyTest.java");

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z0-9_.]+);");
  private static final Pattern KIND_PACKAGE =
      Pattern.compile("\\.(impl|util|utils|common|factory|dto)(\\.|$)");
  private static final Pattern KIND_CLASS =
      Pattern.compile("(Abstract\\w+|\\w*(Factory|Manager|Helper))\\.java");
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(^|[\\s\"'`(=:])(/(home|root|work|Users|mnt)/\\w|[A-Z]:\\\\\\w)");

  private static final Map<Pattern, String> FORBIDDEN_CODE =
      Map.of(
          Pattern.compile("\\bThread\\.sleep\\("),
          "step a TestingClock, await a Condition, or poll a queue with a time limit",
          Pattern.compile("\\bSystem\\.currentTimeMillis\\("),
          "inject an InstantSource",
          Pattern.compile("\\bnew Random\\(\\)"),
          "give the Random a seed, or use Seeds.check");

  private static final Pattern OPEN_WORK = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

  private final Path root;
  private final List<String> findings = new ArrayList<>();
  private final Map<String, List<Path>> mainPackages = new TreeMap<>();

  private Tidy(Path root) {
    this.root = root;
  }

  /** One line per finding. */
  static List<String> check(Path root) throws IOException {
    Tidy tidy = new Tidy(root);
    tidy.checkModules();
    for (Path file : tidy.texts()) {
      tidy.checkFile(file, Files.readString(file));
    }
    tidy.checkPackages();
    return tidy.findings;
  }

  private void checkModules() throws IOException {
    List<String> modules = new ArrayList<>();
    Matcher module = MODULE.matcher(Files.readString(root.resolve("pom.xml")));
    while (module.find()) {
      if (!module.group(1).startsWith("examples/")) {
        modules.add(module.group(1));
      }
    }
    if (modules.size() > MODULES_MAX) {
      findings.add(
          "pom.xml has "
              + modules.size()
              + " modules besides the examples, at most "
              + MODULES_MAX
              + ": put the new code into the module that has its capability");
    }
  }

  private List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return SKIPPED.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (TEXTS.contains(name.substring(name.lastIndexOf('.') + 1))
                && !EXEMPT.contains(name)) {
              texts.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return texts;
  }

  private void checkFile(Path file, String text) {
    List<String> lines = text.lines().toList();
    boolean java = file.toString().endsWith(".java");
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (MACHINE_PATH.matcher(line).find()) {
        report(file, i, "names a path of one machine: use one relative to the repository");
      }
      if (java && OPEN_WORK.matcher(line).find()) {
        report(file, i, "leaves work open: do it, or write down the limit as it is");
      }
      if (java) {
        for (Map.Entry<Pattern, String> rule : FORBIDDEN_CODE.entrySet()) {
          if (rule.getKey().matcher(line).find()) {
            report(file, i, "uses " + rule.getKey() + ": " + rule.getValue());
          }
        }
      }
    }
    if (java) {
      checkJava(file, text, lines);
    }
  }

  private void checkJava(Path file, String text, List<String> lines) {
    String name = file.getFileName().toString();
    boolean main = file.toString().replace('\\', '/').contains("/src/main/");
    Matcher declared = PACKAGE.matcher(text);
    String packageName = declared.find() ? declared.group(1) : "";
    if (KIND_PACKAGE.matcher(packageName).find()) {
      report(file, 0, "is in a package named by kind: name it by capability");
    }
    if (packageName.split("\\.").length > 2 + PACKAGE_LEVELS_MAX) {
      report(file, 0, "is more than two package levels below its module: move it up");
    }
    if (main && KIND_CLASS.matcher(name).matches()) {
      report(
          file,
          0,
          "has a name that says nothing: a static method, a constructor or a record will do,"
              + " or name what it does");
    }
    boolean argued = lines.stream().anyMatch(line -> line.strip().startsWith(LONG_REASON));
    if (lines.size() > FILE_LINES_MAX && !argued) {
      report(
          file,
          0,
          "has "
              + lines.size()
              + " lines: split it where that adds no hop, or say '"
              + LONG_REASON
              + " ...'");
    }
    if (main) {
      mainPackages.computeIfAbsent(packageName, key -> new ArrayList<>()).add(file);
      checkBodies(file, lines);
    }
  }

  private void checkBodies(Path file, List<String> lines) {
    for (String indent : List.of("  ", "    ", "      ")) {
      int start = -1;
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.equals(indent + "}") && start >= 0) {
          List<String> body = lines.subList(start + 1, i);
          if (body.size() > BODY_LINES_MAX
              && body.stream().noneMatch(l -> l.strip().startsWith(LONG_REASON))) {
            report(
                file,
                start,
                "is a body of "
                    + body.size()
                    + " lines, at most "
                    + BODY_LINES_MAX
                    + ": take out the steps as methods named after them, or say '"
                    + LONG_REASON
                    + " ...' in it");
          }
          start = -1;
        } else if (line.startsWith(indent) && !line.startsWith(indent + " ")) {
          start = methodOpening(lines, i);
        }
      }
    }
  }

  /** The line that opens the body of a method whose declaration starts here, or -1. */
  private static int methodOpening(List<String> lines, int first) {
    StringBuilder declaration = new StringBuilder();
    for (int i = first; i < lines.size(); i++) {
      declaration.append(lines.get(i).strip()).append(' ');
      String text = declaration.toString().strip();
      if (text.endsWith(";") || text.startsWith("*") || text.startsWith("/")) {
        return -1;
      }
      if (text.endsWith("{")) {
        boolean method =
            text.matches("[\\w<@].*\\).*\\{")
                && !text.matches(".*\\b(class|record|interface|enum|new|switch|if|for|while)\\b.*");
        return method ? i : -1;
      }
    }
    return -1;
  }

  private void checkPackages() throws IOException {
    for (Map.Entry<String, List<Path>> entry : mainPackages.entrySet()) {
      List<Path> files = entry.getValue();
      if (files.size() < PACKAGE_FILES_MIN && !isArgued(files)) {
        findings.add(
            "package "
                + entry.getKey()
                + " has "
                + files.size()
                + " files, at least "
                + PACKAGE_FILES_MIN
                + ": merge it into its neighbour, or say '"
                + SMALL_REASON
                + " ...' in its package-info.java");
      }
    }
  }

  private static boolean isArgued(List<Path> files) throws IOException {
    for (Path file : files) {
      if (file.endsWith("package-info.java") && Files.readString(file).contains(SMALL_REASON)) {
        return true;
      }
    }
    return false;
  }

  private void report(Path file, int lineIndex, String what) {
    findings.add(root.relativize(file) + ":" + (lineIndex + 1) + " " + what);
  }
}
