package io.shardwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexCommandTest {
  private static final String BY_NOTE = "SELECT order_id FROM orders WHERE note = 'n7'";

  @TempDir private Path directory;
  private TestingShards shards;

  @BeforeEach
  void start() {
    shards =
        TestingShards.ready(
            directory,
            2,
            "{by_note: {columns: [note], unique: true, reconcile: {every: 0s}},"
                + " by_city: {table: addresses, columns: [city], unique: true}}");
  }

  private Shell.Run run(String words, String... more) {
    List<String> arguments = new ArrayList<>(List.of(words.split(" ")));
    arguments.addAll(List.of("-c", shards.file()));
    arguments.addAll(List.of(more));
    return Shell.run(arguments.toArray(String[]::new));
  }

  private void insert(int buyer, String note) {
    Shell.Run run =
        run(
            "sql",
            "INSERT INTO orders (order_id, tenant_id, buyer_id, note) VALUES (?, 1, ?, ?)",
            "-p",
            "" + buyer,
            "-p",
            "" + buyer,
            "-p",
            note);
    assertThat(run.exit()).as(run.err()).isZero();
  }

  @Test
  void createStatusVerifyDrop() throws IOException {
    for (int i = 0; i < 10; i++) {
      insert(i, "n" + i);
    }
    Shell.Run before = run("index status");
    assertThat(before.exit()).isEqualTo(1);
    assertThat(before.out())
        .containsPattern("orders.by_city \\| declared +\\| addresses +\\| city\n")
        .containsPattern("orders.by_note \\| declared +\\| orders +\\| note\n")
        .contains("to do      orders.by_note: shardwright index create orders.by_note\n")
        .doesNotContain("problem");

    Shell.Run create = run("index create by_note");
    assertThat(create.exit()).as(create.err()).isZero();
    assertThat(create.out())
        .isEqualTo("ok: statements are answered by index orders.by_note: 10 rows, 10 entries\n");
    assertThat(create.err()).contains("pass 1: [").contains("pass 2: [");

    JsonNode status = run("index status", "--json").json().get("indexes");
    assertThat(status.at("/1/name").asText()).isEqualTo("orders.by_note");
    assertThat(status.at("/1/state").asText()).isEqualTo("readable");
    assertThat(status.at("/1/toDo").isNull()).isTrue();
    assertThat(status.at("/1/shards")).hasSize(2);
    assertThat(status.at("/0/state").asText()).isEqualTo("declared");

    Shell.Run verify = run("index verify orders.by_note", "--json");
    assertThat(verify.exit()).isZero();
    assertThat(verify.err()).isEmpty();
    assertThat(verify.json().get("entries").asInt()).isEqualTo(10);

    Shell.Run drop = run("index drop by_note");
    assertThat(drop.exit()).as(drop.err()).isZero();
    assertThat(drop.out()).startsWith("ok: index orders.by_note is dropped");
    assertThat(run("index status").out())
        .containsPattern("orders.by_note \\| not applied")
        .contains("to do      orders.by_note: shardwright apply\n");
  }

  @Test
  void explain_tellsTheLookUp() {
    insert(7, "n7");
    assertThat(run("explain", BY_NOTE).err()).contains("SW205");
    assertThat(run("index create by_note").exit()).isZero();
    Shell.Run run = run("explain", BY_NOTE);
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("route        lookup index orders.by_note (note) of orders\n")
        .containsPattern(
            "lookup       orders.by_note: 1 value asked on s[01]; rows in bucket \\d+\n")
        .containsPattern("shards       1 of 2: s[01]\n");
    JsonNode route = run("route", "orders", "tenant_id=1", "buyer_id=7", "--json").json();
    JsonNode lookup = run("explain", BY_NOTE, "--json").json().at("/lookups/0");
    assertThat(lookup.get("index").asText()).isEqualTo("orders.by_note");
    assertThat(lookup.at("/buckets/0")).isEqualTo(route.get("bucket"));
    assertThat(run("explain", BY_NOTE.replace("n7", "none")).out())
        .containsPattern("lookup       orders.by_note: 1 value asked on s[01]; no row has it\n");
  }

  @Test
  void create_valuesThatAreNotUnique_namesThemAndGoesOnAfterwards() {
    insert(1, "twice");
    insert(2, "twice");
    Shell.Run create = run("index create by_note");
    assertThat(create.exit()).isEqualTo(1);
    assertThat(create.err()).contains("SW507: lookup index orders.by_note").contains("(twice)");
    assertThat(run("index status").out()).containsPattern("orders.by_note \\| write_only");
    Shell.Run verify = run("index verify by_note");
    assertThat(verify.exit()).isEqualTo(1);
    assertThat(verify.out()).contains("not ok: index orders.by_note");

    String delete = "DELETE FROM orders WHERE tenant_id = 1 AND buyer_id = 2";
    assertThat(run("sql", delete).exit()).isZero();
    assertThat(run("index create by_note").exit()).isZero();
  }

  @Test
  void create_triggerThatIsMissing_isMadeAgain() throws SQLException {
    insert(1, "n1");
    assertThat(run("index create by_note").exit()).isZero();
    shards.execute(0, "DROP TRIGGER \"!shardwright_insert_orders_by_note\" ON orders");

    Shell.Run status = run("index status");
    assertThat(status.exit()).isEqualTo(1);
    assertThat(status.out())
        .contains(
            "problem    orders.by_note: shard s0 lacks the trigger"
                + " !shardwright_insert_orders_by_note\n")
        .contains("to do      orders.by_note: shardwright index create orders.by_note\n");

    assertThat(run("index create by_note").exit()).isZero();
    assertThat(run("index status").out()).contains("| readable").doesNotContain("problem");
    insert(2, "n2");
  }

  @Test
  void verify_entryThatIsMissing_isFoundAndRepaired() throws SQLException {
    insert(7, "n7");
    assertThat(run("index create by_note").exit()).isZero();
    shards.execute(0, "DELETE FROM shardwright_entry_orders_by_note");
    shards.execute(1, "DELETE FROM shardwright_entry_orders_by_note");

    Shell.Run verify = run("index verify by_note");
    assertThat(verify.exit()).isEqualTo(1);
    assertThat(verify.out())
        .contains("rows without entry              1\n")
        .contains("not ok: index orders.by_note; repeat it with --repair\n");
    Shell.Run repair = run("index verify by_note --repair --rows-per-second 1000");
    assertThat(repair.exit()).isZero();
    assertThat(repair.out()).contains("rows without entry              1, repaired\n");
    assertThat(run("index verify by_note").out()).contains("rows without entry              0\n");
  }

  @Test
  void drop_ofAnIndexThatTheFileLacks_saysWhatToDo() throws IOException {
    Path file = Path.of(shards.file());
    Files.writeString(file, Files.readString(file).replaceAll("indexes: .*", "indexes: {}"));

    Shell.Run drop = run("index drop by_note");

    assertThat(drop.exit()).isEqualTo(3);
    assertThat(drop.err())
        .contains("error: SW416: lookup index orders.by_note is in the catalog and the file lacks");
    assertThat(run("index status").out()).contains("to do      orders.by_note: the file lacks it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "index | Missing required subcommand",
        "index create | Missing required parameter: 'NAME'",
        "index create by_x | there is no lookup index 'by_x'; there is orders.by_city,"
            + " orders.by_note",
        "index verify note | there is no lookup index 'note'",
        "index create by_note --rows-per-second -1 | --rows-per-second is -1; give 0 or more",
        "index create by_note --rows-per-second fast | fast",
      })
  void badInput_isUsage(String words, String message) {
    Shell.Run run = words.equals("index") ? Shell.run("index") : run(words);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: SW603: ").contains(message).hasLineCount(1);
  }

  @Test
  void verify_beforeCreate_saysSo() {
    Shell.Run run = run("index verify by_note");
    assertThat(run.exit()).isEqualTo(3);
    assertThat(run.err()).contains("SW104").contains("shardwright index create orders.by_note");
  }

  @Test
  void indexThatIsNotUnique_isBuiltWatchedReplayedAndDropped() throws IOException {
    shards =
        TestingShards.ready(
            directory, 2, "{by_note: {columns: [note, order_id], unique: false, table: orders}}");
    for (int i = 0; i < 10; i++) {
      insert(i, "n" + i % 3);
    }
    Shell.Run create = run("index create by_note");
    assertThat(create.exit()).as(create.err()).isZero();
    assertThat(create.out())
        .isEqualTo("ok: statements are answered by index orders.by_note: 10 rows, 10 entries\n");
    assertThat(create.err()).contains("pass 3: [");

    Shell.Run status = run("index status");
    assertThat(status.exit()).as(status.out()).isZero();
    assertThat(status.out())
        .containsPattern("orders.by_note \\| readable +\\| orders +\\| note, order_id\n")
        .containsPattern("orders.by_note \\| s1 +\\| +0 \\| 0 s +\\| +0\n");
    JsonNode feeds = run("index status", "--json").json().at("/indexes/0/feeds");
    assertThat(feeds).hasSize(2);
    assertThat(feeds.at("/0/pending").asLong(-1)).isZero();
    assertThat(feeds.at("/0/dead").asLong(-1)).isZero();
    assertThat(run("index verify by_note").out())
        .contains("entries without row             0\n")
        .endsWith("ok: index orders.by_note\n");
    assertThat(run("index replay by_note").out())
        .isEqualTo("ok: 0 changes are delivered again to index orders.by_note\n");
    assertThat(run("index drop by_note").exit()).isZero();
  }
}
