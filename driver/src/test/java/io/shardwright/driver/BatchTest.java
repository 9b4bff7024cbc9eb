package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTest extends BatchContract {
  @Test
  void batch_withGeneratedKeys_givesThemInOrder() throws SQLException {
    List<Integer> ids = new ArrayList<>(IntStream.range(0, 40).boxed().toList());
    Collections.shuffle(ids, new java.util.Random(7));
    try (Connection connection = shards.connect();
        PreparedStatement insert = connection.prepareStatement(INSERT, new String[] {"id"})) {
      for (int id : ids) {
        add(insert, id % 13, id, "x");
      }
      insert.executeBatch();
      List<Integer> keys = new ArrayList<>();
      try (ResultSet generated = insert.getGeneratedKeys()) {
        while (generated.next()) {
          keys.add(generated.getInt(1));
        }
      }
      assertThat(keys).isEqualTo(ids);
      shards.assertIdle();
    }
  }

  @Test
  void failure_showsNoValuesOfTheEntry() throws SQLException {
    for (int shard = 0; shard < 2; shard++) {
      shards.update(INSERT, shards.keyOn(shard, 0), 770077 + shard, "there");
    }
    for (int entries = 1; entries <= 2; entries++) {
      try (Connection connection = shards.connect();
          PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (int shard = 0; shard < entries; shard++) {
          add(insert, shards.keyOn(shard, 0), 770077 + shard, "secret");
        }
        assertThatThrownBy(insert::executeBatch)
            .isInstanceOf(BatchUpdateException.class)
            .hasMessageContaining("duplicate key value violates unique constraint")
            .satisfies(
                e -> {
                  assertThat(e.getMessage()).doesNotContain("770077", "INSERT");
                  java.io.StringWriter trace = new java.io.StringWriter();
                  e.printStackTrace(new java.io.PrintWriter(trace));
                  assertThat(trace.toString()).doesNotContain("secret");
                });
      }
    }
  }
}
