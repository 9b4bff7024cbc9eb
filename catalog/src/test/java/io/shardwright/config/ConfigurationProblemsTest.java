package io.shardwright.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One line for each rule: a valid file, one change, and the only problem that it makes. */
class ConfigurationProblemsTest {
  // Long because: each rule of the file is one row here.

  private static final String VALID =
      """
      version: 1
      shards:
        s0: {url: "jdbc:postgresql://h0/d", user: app, pool: {max: 16, timeout: 3s}}
        s1: {url: "jdbc:postgresql://h1/d", user: app}
      groups:
        g:
          key: [a, b]
          buckets: 4096
          hash: xxh64
          layout: column
          id: {column: gid, type: gene}
          tables: {t: {key: [a, c]}, u: {unique: {u_x: local}}}
      reference: [r]
      """;

  record Rule(String replaced, String by, String key, String message, String instead) {
    @Override
    public String toString() {
      return by.isBlank() ? "without " + replaced : by;
    }
  }

  /** The second entry of the group's ids. */
  private static Rule idRule(String entry, String key, String message, String instead) {
    return new Rule(
        "{column: gid, type: gene}",
        "[{column: gid, type: gene}, " + entry + "]",
        key,
        message,
        instead);
  }

  private static Rule codecRule(String pattern, String message, String instead) {
    return idRule(
        "{column: x, type: codec, pattern: \"" + pattern + "\"}",
        "groups.g.id[1].pattern",
        message,
        instead);
  }

  private static Rule heatRule(String heat, String key, String message, String instead) {
    String catalog = "catalog: {url: \"jdbc:postgresql://c/c\", user: u}";
    return new Rule("[r]", "[r]\n" + catalog + "\nheat: " + heat, key, message, instead);
  }

  private static Rule moverRule(String mover, String key, String message, String instead) {
    String catalog = "catalog: {url: \"jdbc:postgresql://c/c\", user: c}";
    return new Rule("[r]", "[r]\n" + catalog + "\nmover: " + mover, key, message, instead);
  }

  static Stream<Rule> rules() {
    return Stream.of(
        new Rule("[r]", "[r]\nheat: {interval: 9s}", "heat", "recorded in the cat", "add catalog:"),
        new Rule("[r]", "[r]\nheat: on", "heat", "is 'on'", "or heat: off"),
        heatRule("{interval: 10ms}", "heat.interval", "is '10ms'", "from 1000ms to 60m"),
        heatRule("{intervall: 9s}", "heat.intervall", "not a known", "mean interval?"),
        new Rule("[r]", "[r]\nmover: {user: m}", "mover", "maps that are fixed", "add catalog:"),
        moverRule("m", "mover", "a single value, not a mapping", "key: va"),
        moverRule("{}", "mover.user", "is missing", "user: shardwright_mover"),
        moverRule("{user: m, pasword: x}", "mover.pasword", "not a known", "mean password?"),
        moverRule("{user: \"m'\"}", "mover.user", "no name of a role", "shardwright_mover"),
        moverRule("{user: app}", "mover.user", "also the user of shard s0", "role of its own"),
        new Rule("version: 1\n", "", "version", "is missing", "version: 1"),
        new Rule("version: 1", "version: '1.0'", "version", "is '1.0'", "version: 1"),
        new Rule("version: 1", "version: [1]", "version", "is a list, not text", "one value"),
        new Rule("reference:", "refrence:", "refrence", "not a known key", "mean reference?"),
        new Rule("reference:", "zzz:", "zzz", "not a known key", "use version, catalog, shards"),
        new Rule("reference: [r]", "reference: r", "reference", "a single value, not a list", "["),
        new Rule("[r]", "[r, [x]]", "reference[1]", "is a list, not text", "one value"),
        new Rule("[r]", "[r, r]", "reference[1]", "already in reference", "remove one"),
        new Rule("[r]", "[t]", "reference[0]", "already in group g", "remove one"),
        new Rule("[r]", "[public.r]", "reference[0]", "'public.r' is not a table", "search_path"),
        new Rule("[r]", "['']", "reference[0]", "'' is not a table name", "use a letter"),
        new Rule("[r]", "[r]\nsingle: [x]", "single", "is a list, not", "write"),
        new Rule("[r]", "[r]\nsingle: {s9: [x]}", "single.s9", "is not a shard", "s0: [table"),
        new Rule("[r]", "[r]\nsingle: {s0: [r]}", "single.s0[0]", "already in ref", "remove one"),
        new Rule("[r]", "[r]\nsingle: {s0: ['1']}", "single.s0[0]", "not a table name", "use a"),
        new Rule("[r]", "[r]\nscatter: allow", "scatter", "a single value, not a", "key: va"),
        new Rule("[r]", "[r]\nscatter: {read: x}", "scatter.read", "not a known", "mean reads?"),
        new Rule("[r]", "[r]\nscatter: {reads: yes}", "scatter.reads", "is 'yes'", "bounded"),
        new Rule(
            "[r]", "[r]\nscatter: {writes: bounded}", "scatter.writes", "is 'bo", "refuse, allow"),
        new Rule(
            "hash:", "scatter: {reads: x}\n    hash:", "groups.g.scatter.reads", "is 'x'", "allow"),
        new Rule("[r]", "[shardwright_x]", "reference[0]", "not a table name", "reserved"),
        new Rule("s1:", "S1:", "shards.S1", "not a shard name", "lower-case letter"),
        new Rule("s1:", "s0:", "shards.s0", "is there twice (first in line 3)", "keep one"),
        new Rule("  s1: {", "  s1: x #{", "shards.s1", "a single value, not a mapping", "key: va"),
        new Rule(
            "s1: {url: \"jdbc:postgresql://h1/d\", ", "s1: {", "shards.s1.url", "missing", "u"),
        new Rule("h1/d\", user: app", "h1/d\"", "shards.s1.user", "is missing", "user: name"),
        new Rule("user: app}", "user: }", "shards.s1.user", "is missing", "user: name"),
        new Rule(
            "//h1/d", "//H0/d?ssl=true", "shards.s1", "same database as shard s0", "of its own"),
        new Rule("//h1/d", "//h1/d?user=x", "shards.s1.url", "holds a user", "user: and password:"),
        new Rule(
            "//h1/d",
            "//h1/d?ssl=true&sslpassword=x",
            "shards.s1.url",
            "holds a secret as its parameter sslpassword",
            "write sslpassword=${NAME} and set the environment variable NAME"),
        new Rule(
            "//h1/d",
            "//h1/d?sslPassword=${A}x",
            "shards.s1.url",
            "parameter sslPassword",
            "${NAM"),
        new Rule(
            "postgresql://h1/d",
            "mysql://h1/d?trustStorePassword=x",
            "shards.s1.url",
            "parameter trustStorePassword",
            "write trustStorePassword=${NAME}"),
        new Rule(
            "postgresql://h1/d",
            "mysql://(host=h1,password=x)/d",
            "shards.s1.url",
            "holds a user or a password",
            "user: and password:"),
        new Rule(
            "jdbc:postgresql://h1",
            "jdbc:mariadb://h1",
            "shards.s1",
            "is MariaDB and shard s0 is PostgreSQL",
            "all shards are of one product"),
        new Rule(
            "postgresql://h1/d", "mariadb://h1:3306/", "shards.s1.url", "no database", "jdbc:mar"),
        new Rule(
            "postgresql://h1/d", "mysql://h1?useSSL=x", "shards.s1.url", "no database", "jdbc:mar"),
        new Rule(
            "jdbc:postgresql://h1", "jdbc:h2:mem", "shards.s1.url", "is 'jdbc:h2", "jdbc:postgr"),
        new Rule("max: 16", "max: 1001", "shards.s0.pool.max", "is '1001'", "from 1 to 1000"),
        new Rule("max: 16", "max: ten", "shards.s0.pool.max", "is 'ten'", "from 1 to 1000"),
        new Rule("max: 16", "mx: 16", "shards.s0.pool.mx", "not a known key", "mean max?"),
        new Rule("3s", "3", "shards.s0.pool.timeout", "is '3'", "from 1ms to 10m"),
        new Rule("3s", "11m", "shards.s0.pool.timeout", "is '11m'", "from 1ms to 10m"),
        new Rule("3s", "0ms", "shards.s0.pool.timeout", "is '0ms'", "from 1ms to 10m"),
        new Rule("3s", "'${T}'", "shards.s0.pool.timeout", "variable T is not set", "export T="),
        new Rule("3s", "'${T'", "shards.s0.pool.timeout", "'${' that is not", "$${"),
        new Rule("3s", "'${T:-4s}'", "shards.s0.pool.timeout", "'${' that is not", "$${"),
        new Rule("  g:", "  G:", "groups.G", "not a group name", "lower-case letter"),
        new Rule("key: [a, b]", "key: a", "groups.g.key", "a single value, not a list", "[name"),
        new Rule("b]", "a]", "groups.g.key[1]", "column a is there twice", "once"),
        new Rule("b]", "bucket_id]", "groups.g.key[1]", "'bucket_id' is not a column", "reserved"),
        new Rule("b]", "gid]", "groups.g.id.column", "is a route key column", "another column"),
        new Rule("4096", "4095", "groups.g.buckets", "no gene ids", "1024, 4096 or 16384"),
        new Rule("4096", "65537", "groups.g.buckets", "is '65537'", "from 1 to 65536"),
        new Rule("4096", "0", "groups.g.buckets", "is '0'", "from 1 to 65536"),
        new Rule("    buckets: 4096\n", "", "groups.g.buckets", "is missing", "from 1 to 65536"),
        new Rule("xxh64", "murmur3", "groups.g.hash", "not in this version", "hash: xxh64"),
        new Rule(
            "layout: column", "layout: suffix", "groups.g.layout", "not in this version", "co"),
        new Rule("type: gene", "type: uuid", "groups.g.id.type", "is 'uuid'", "mean uuid7?"),
        new Rule("type: gene", "type: zzz", "groups.g.id.type", "is 'zzz'", "use gene, codec"),
        new Rule("type: gene", "pattern: x", "groups.g.id.pattern", "not a known key", "use"),
        new Rule("{column: gid, type: gene}", "gid", "groups.g.id", "a single value, not", "key"),
        idRule("gid", "groups.g.id[1]", "a single value, not a mapping", "key: value"),
        idRule("{type: gene}", "groups.g.id[1].column", "is missing", "column: order_id"),
        idRule("{column: gid, type: uuid7}", "groups.g.id[1].column", "gid is there twice", "once"),
        idRule("{column: x}", "groups.g.id[1].type", "second column of gene ids", "has one"),
        idRule(
            "{column: 1x, type: uuid7}",
            "groups.g.id[1].column",
            "'1x' is not a column",
            "use a letter"),
        idRule("{column: x, type: codec}", "groups.g.id[1].pattern", "is missing", "h2r_{base36"),
        codecRule("{base36 a}{base36 b}", "cannot be read", "does not tell where a ends"),
        codecRule("h2r_{hex a}", "cannot be read", "use decimal, base36 or base62"),
        codecRule(
            "h2r_{base36 a}", "lacks the route key column b", "each column of the key [a, b]"),
        codecRule("{base36 a}_{base36 b}_{base36 x}", "names its own column x", "that it holds"),
        codecRule("{base36 a}_{base36 b}_{base36 s.y}", "'s.y' is not a column", "schema"),
        idRule(
            "{column: x, type: codec, pattern: '{base36 a}_{base36 b}', prefix: y}",
            "groups.g.id[1].prefix",
            "not a known key",
            "use column, type, pattern"),
        idRule(
            "{column: x, type: order_number, prefix: so}",
            "groups.g.id[1].prefix",
            "is 'so'",
            "up to 8 letters A-Z"),
        idRule(
            "{column: a, type: order_number}",
            "groups.g.id[1].column",
            "is a route key",
            "another"),
        idRule(
            "{column: x, type: segment, block: 0}", "groups.g.id[1].block", "is '0'", "from 1 to"),
        new Rule("column: gid, ", "", "groups.g.id.column", "is missing", "column: order_id"),
        new Rule("[a, c]", "[a]", "groups.g.tables.t.key", "has 1 columns", "each of [a, b]"),
        new Rule("[a, c]", "[a, c, d]", "groups.g.tables.t.key", "has 3 columns", "each of"),
        new Rule("u: {unique", "s.u: {unique", "groups.g.tables.s.u", "not a table", "schema"),
        new Rule(
            "{t: ", "{x: {ky: [a, c]}, t: ", "groups.g.tables.x.ky", "not a known", "mean key?"),
        new Rule("u_x: local", "u_x: global", "groups.g.tables.u.unique.u_x", "'global'", "local"),
        new Rule(
            "u_x: local",
            "u_x: index",
            "groups.g.tables.u.unique.u_x",
            "group g has no lookup index",
            "declare it: write indexes:"),
        new Rule(
            "u_x: local", "u_x: ", "groups.g.tables.u.unique.u_x", "is missing", "local, id or"),
        new Rule(
            "reference",
            "  h: {key: [k], buckets: 1, tables: {v: }}\nreference",
            "groups.h.buckets",
            "fewer than the 2 shards",
            "far more"),
        new Rule(
            "reference",
            "  h: {key: [k], buckets: 2, tables: {t: }}\nreference",
            "groups.h.tables.t",
            "already in group g",
            "remove one"),
        new Rule(
            "reference",
            "  h: {key: [k], buckets: 2, tables: {}}\nreference",
            "groups.h.tables",
            "holds no table",
            "tables: {table: {}}"),
        new Rule(
            "reference",
            "  h: {key: [k], buckets: 2}\nreference",
            "groups.h.tables",
            "is missing",
            "tables: {table: {}}"),
        new Rule(
            "reference",
            "  h: {key: [], buckets: 2, tables: {v: }}\nreference",
            "groups.h.key",
            "has no column",
            "key: [column]"),
        new Rule(
            "reference",
            "  h: {buckets: 2, tables: {v: }}\nreference",
            "groups.h.key",
            "is missing",
            "key: [column]"),
        new Rule(
            "reference",
            "  h: {key: [a, b, c, d, e, f, g, h, i], buckets: 2, tables: {v: }}\nreference",
            "groups.h.key",
            "has 9 columns",
            "at most 8"));
  }

  /** Of a file with a catalog: what stands in place of a good index, and the only problem of it. */
  static Stream<Rule> indexRules() {
    String place = "groups.g.indexes";
    return Stream.of(
        new Rule("by_no: {", "By_no: {", place + ".By_no", "not an index name", "lower-case"),
        new Rule("by_no: {", "by-no: {", place + ".by-no", "not an index name", "lower-case"),
        new Rule("by_no: {", "shardwright_x: {", place + ".shardwright_x", "reserved", "another"),
        new Rule(
            "by_no: {",
            "n".repeat(62) + ": {",
            place + "." + "n".repeat(62),
            "has with its group's name 64 characters",
            "at most 63"),
        new Rule(
            "by_no: {",
            "by_no: {columns: [y], unique: true}, by_no: {",
            place + ".by_no",
            "is there twice",
            "keep one"),
        new Rule("columns: [x]", "column: [x], columns: [x]", place + ".by_no.column", "not", "?"),
        new Rule("columns: [x], ", "", place + ".by_no.columns", "is missing", "columns: [column]"),
        new Rule("[x]", "[]", place + ".by_no.columns", "has no column", "columns: [column]"),
        new Rule("[x]", "x", place + ".by_no.columns", "not a list", "[name"),
        new Rule("[x]", "[x, y, x]", place + ".by_no.columns[2]", "x is there twice", "once"),
        new Rule("[x]", "[x, bucket_id]", place + ".by_no.columns[1]", "'bucket_id'", "reserved"),
        new Rule(
            "[x]", "[a, b, c, d, e, f, g, h, i]", place + ".by_no.columns", "9 columns", "most 8"),
        new Rule(", unique: true", "", place + ".by_no.unique", "is missing", "unique: true"),
        new Rule("true", "maybe", place + ".by_no.unique", "is 'maybe'", "true or false"),
        new Rule("true", "true, mode: async", place + ".by_no.mode", "before each commit", "sync"),
        new Rule("true", "false, mode: sync", place + ".by_no.mode", "behind", "async"),
        new Rule("true", "true, shard_by: [x]", place + ".by_no.shard_by", "unique: false", "out"),
        new Rule("true", "true, freshness: lagging", place + ".by_no.freshness", "for", "leave"),
        new Rule("true", "false, shard_by: [y]", place + ".by_no.shard_by", "not the", "first"),
        new Rule("true", "false, shard_by: []", place + ".by_no.shard_by", "is []", "the first"),
        new Rule("true", "false, shard_by: x", place + ".by_no.shard_by", "not a list", "[name"),
        new Rule(
            "true",
            "true, reconcile: {every: daily}",
            place + ".by_no.reconcile.every",
            "'daily'",
            "from 0ms to 525600m"),
        new Rule(
            "true",
            "true, reconcile: {rows_per_second: 0}",
            place + ".by_no.reconcile.rows_per_second",
            "'0'",
            "from 1"),
        new Rule("true", "true, cache: {size: 0}", place + ".by_no.cache.size", "'0'", "from 1"),
        new Rule("true", "true, cache: {sise: 1}", place + ".by_no.cache.sise", "", "size?"),
        new Rule(
            "true", "true, cache: {expire: 0s}", place + ".by_no.cache.expire", "'0s'", "from 1ms"),
        new Rule(
            "true",
            "true, cache: {expire: 1m, refresh: 2m}",
            place + ".by_no.cache.refresh",
            "longer than expire",
            "shorter"),
        new Rule(
            "true", "true, cache: {misses: 2m}", place + ".by_no.cache.misses", "'2m'", "to 1m"),
        new Rule(
            "true", "true, cache: {redis: yes}", place + ".by_no.cache.redis", "'yes'", "true"),
        new Rule("true", "true, cache: {redis: true}", "redis", "is missing", "redis: {url:"),
        new Rule("true", "false, cache: {}", place + ".by_no.cache", "unique: true", "leave it"),
        new Rule("true", "false, spread: {}", place + ".by_no.spread.giants", "missing", "2 to"),
        new Rule(
            "true", "false, spread: {giants: 1}", place + ".by_no.spread.giants", "'1'", "from 2"),
        new Rule(
            "true", "false, spread: {giant: 2, giants: 2}", place + ".by_no.spread.giant", "", "?"),
        new Rule(
            "true",
            "false, spread: {giants: 2, values: [1]}",
            place + ".by_no.spread.values[0]",
            "not a list",
            "[[value]"),
        new Rule(
            "true",
            "false, spread: {giants: 2, values: [[1, 2]]}",
            place + ".by_no.spread.values",
            "not of the columns [x]",
            "each of them"),
        new Rule(
            "true", "false, covering: {x: check}", place + ".by_no.covering.x", "is an", "out"),
        new Rule("true", "false, covering: {y: ok}", place + ".by_no.covering.y", "'ok'", "stale-"),
        new Rule("true", "false, covering: {y: }", place + ".by_no.covering.y", "empty", "check"),
        new Rule(
            "true",
            "false, covering: {bucket_id: check}",
            place + ".by_no.covering.bucket_id",
            "'bucket_id'",
            "reserved"),
        new Rule(
            "true", "false, freshness: now", place + ".by_no.freshness", "'now'", "lagging or"),
        new Rule("table: t", "table: r", place + ".by_no.table", "no table of group g", "[t, u]"),
        new Rule("catalog:", "#", place, "needs a catalog", "add catalog:"));
  }

  @ParameterizedTest
  @MethodSource("indexRules")
  void parse_brokenRuleOfIndexes_isTheOnlyProblem(Rule rule) {
    String valid =
        VALID
            .replace("version: 1", "version: 1\ncatalog: {url: 'jdbc:mariadb://h/c', user: app}")
            .replace("local", "index")
            .replace(
                "    id:", "    indexes: {by_no: {table: t, columns: [x], unique: true}}\n    id:");
    assertThat(ConfigurationReader.parse("f", valid, Map.of()).groups().get("g").indexes())
        .hasSize(1);

    assertOnlyProblem(valid, rule);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void parse_brokenRule_isTheOnlyProblem(Rule rule) {
    assertOnlyProblem(VALID, rule);
  }

  private static void assertOnlyProblem(String valid, Rule rule) {
    String yaml = valid.replace(rule.replaced, rule.by);
    assertThat(yaml).isNotEqualTo(valid);

    List<Problem> problems = problems(yaml);

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).key()).isEqualTo(rule.key);
    assertThat(problems.get(0).message()).contains(rule.message);
    assertThat(problems.get(0).instead()).contains(rule.instead);
  }

  @Test
  void parse_validFile_hasNoProblem() {
    assertThat(ConfigurationReader.parse("f", VALID, Map.of()).shards()).hasSize(2);
  }

  @Test
  void parse_emptyTexts_areRefused() {
    assertThat(problems("")).extracting(Problem::message).containsExactly("the file is empty");
    assertThat(problems("# only a comment\n"))
        .extracting(Problem::message)
        .containsExactly("the file is empty");
    assertThat(problems("~")).extracting(Problem::key).contains("version", "shards", "groups");
    assertThat(problems("- a\n- b"))
        .extracting(Problem::message)
        .containsExactly("is a list, not a mapping");
    assertThat(problems("version: 1\nshards: {}\ngroups: {}"))
        .extracting(Problem::toString)
        .containsExactly(
            "shards: holds no shard; write shards: {s0: {url: ..., user: ...}}",
            "groups: holds no group; write groups: {name: {key: [column], buckets: 4096, tables:"
                + " {table: {}}}}");
  }

  @Test
  void parse_tabs_areReportedOnEveryLine() {
    assertThat(problems("version: 1\nshards:\n\ts0:\n  \ts1:\n"))
        .extracting(p -> p.line() + ":" + p.column() + " " + p.message())
        .containsExactly("3:1 the line is indented by a tab", "4:3 the line is indented by a tab");
  }

  @Test
  void parse_syntaxErrors_haveTheirPlace() {
    assertThat(problems("version: 1\nshards: {s0: {url: x}\ngroups: {}\n"))
        .extracting(Problem::line, p -> p.message().startsWith("is not valid YAML"))
        .containsExactly(tuple(3, true));
    assertThat(problems("version: 1\nshards: {s0: {url: ${URL}}}\n"))
        .extracting(Problem::instead)
        .containsExactly("put a value with ${NAME} in quotes: \"${NAME}\"");
    assertThat(problems("version: 1\n---\nversion: 1\n"))
        .extracting(Problem::message)
        .allMatch(message -> message.startsWith("is not valid YAML"))
        .hasSize(1);
    assertThat(problems("version: \u0007"))
        .extracting(Problem::instead)
        .allMatch(instead -> instead.contains("printable characters"))
        .hasSize(1);
  }

  @Test
  void parse_aliasBomb_isRefusedQuickly() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 40; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + (alias + ", ").repeat(9) + alias + "]\n");
    }

    assertThat(problems(bomb.toString()))
        .extracting(Problem::message)
        .singleElement()
        .asString()
        .contains("more than 100 aliases");
  }

  @Test
  void parse_deepNesting_isRefused() {
    assertThat(problems("shards: " + "[".repeat(100_000)))
        .extracting(Problem::message)
        .singleElement()
        .asString()
        .containsAnyOf("nested too deeply", "is not valid YAML");
  }

  @Test
  void parse_selfReference_ends() {
    assertThat(problems("version: 1\nshards: &s {s0: *s}\ngroups: *s\n"))
        .extracting(Problem::key)
        .contains("shards.s0.s0");
  }

  private static List<Problem> problems(String yaml) {
    return catchThrowableOfType(
            ConfigurationException.class,
            () -> ConfigurationReader.parse("f", yaml, Map.of("A", "a")))
        .problems();
  }
}
