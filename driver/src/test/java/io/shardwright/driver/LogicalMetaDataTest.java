package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogicalMetaDataTest extends LogicalMetaDataContract {
  @Override
  String schema() {
    return "public";
  }

  @Override
  String currentDatabase() {
    return "current_database()";
  }

  @Test
  void schemaQuestions_areAnsweredByOneShardAlways() throws SQLException {
    String question = "SELECT oid, relname FROM pg_class WHERE relname = 'orders'";
    List<List<String>> answers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      answers.add(shards.rows(question));
    }

    assertThat(answers).containsOnly(shards.shardRows(0, question));
    assertThat(shards.rows("SHOW server_encoding")).containsExactly("UTF8");
  }
}
