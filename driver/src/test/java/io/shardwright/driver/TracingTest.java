package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.shardwright.sql.Plan;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TracingTest extends FourShards {
  private final List<StatementTrace> traces = new ArrayList<>();
  private final StatementListener listener = traces::add;

  @BeforeEach
  void listen() {
    shards.source().addListener(listener);
  }

  @AfterEach
  void stop() {
    shards.source().removeListener(listener);
  }

  @Test
  void write_isTracedWithBucketShardAndReason() throws SQLException {
    long key = shards.keyOn(2, 0);
    shards.update("INSERT INTO samples (k, id, t) VALUES (?, ?, ?)", key, 1, "secret");
    assertThat(traces).hasSize(1);
    StatementTrace trace = traces.get(0);
    assertThat(trace.sql()).isEqualTo("INSERT INTO samples (k, id, t) VALUES (?, ?, ?)");
    assertThat(trace.kind()).isEqualTo(Plan.Kind.INSERT);
    assertThat(trace.group()).contains("samples");
    assertThat(trace.mapVersion()).hasValue(1);
    assertThat(trace.buckets()).hasSize(1);
    assertThat(trace.shards()).hasToString("[s2]");
    assertThat(trace.reason()).isNotEmpty();
    assertThat(trace.physicalStatements()).isEqualTo(1);
    assertThat(trace.updateCount()).hasValue(1);
    assertThat(trace.elapsed()).isPositive();
    assertThat(trace.error()).isEmpty();
    assertThat(trace.toString()).doesNotContain("secret");
  }

  @Test
  void scatter_isTracedWithItsFanOut() throws SQLException {
    shards.rows("SELECT count(*) FROM samples");
    StatementTrace trace = traces.get(0);
    assertThat(trace.shards()).hasSize(4);
    assertThat(trace.buckets()).isEmpty();
    assertThat(trace.physicalStatements()).isEqualTo(4);
    assertThat(trace.updateCount()).isEmpty();
    assertThat(trace.reason()).contains("scatter");
  }

  @Test
  void errors_areTracedByCode() throws SQLException {
    long key = shards.keyOn(0, 0);
    assertThatThrownBy(() -> shards.update("INSERT INTO samples (k, id) VALUES (?, ?)", null, 1))
        .isInstanceOf(SQLException.class);
    assertThat(traces.get(0).error()).contains("SW301");
    assertThat(traces.get(0).physicalStatements()).isZero();
    assertThat(traces.get(0).mapVersion()).isEqualTo(OptionalLong.empty());
    shards.update("INSERT INTO samples (k, id) VALUES (?, ?)", key, 1);
    assertThatThrownBy(() -> shards.update("INSERT INTO samples (k, id) VALUES (?, ?)", key, 1))
        .isInstanceOf(SQLException.class);
    assertThat(traces.get(2).error()).contains("23505");
    assertThat(traces.get(1).error()).isEqualTo(Optional.empty());
  }

  @Test
  void batch_isTracedPerStatement() throws SQLException {
    try (Connection connection = shards.connect();
        Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO samples (k, id) VALUES (1, 1)");
      statement.addBatch("INSERT INTO samples (k, id) VALUES (2, 2), (3, 3), (4, 4)");
      statement.executeBatch();
    }
    assertThat(traces).extracting(t -> t.updateCount().getAsLong()).containsExactly(1L, 3L);
  }

  @Test
  void listenerThatFails_hurtsNobody() throws SQLException {
    StatementListener bad =
        trace -> {
          throw new IllegalStateException("listener");
        };
    shards.source().addListener(bad);
    try {
      assertThat(shards.rows("SELECT 1")).containsExactly("1");
    } finally {
      shards.source().removeListener(bad);
    }
    assertThat(traces).hasSize(1);
  }

  @Test
  void recordingSpan_getsTheAttributes() throws SQLException {
    RecordingSpan span = new RecordingSpan();
    try (Scope scope = span.makeCurrent()) {
      assertThat(scope).isNotNull();
      shards.rows("SELECT id FROM samples WHERE k = ?", shards.keyOn(1, 0));
    }
    assertThat(span.attributes)
        .containsEntry("shardwright.map_version", 1L)
        .containsEntry("shardwright.shards", List.of("s1"))
        .containsEntry("shardwright.fan_out", 1L)
        .containsKeys("shardwright.buckets", "shardwright.reason");
  }

  /** A span that keeps what it is told. */
  private static final class RecordingSpan implements Span {
    private final Map<String, Object> attributes = new HashMap<>();

    @Override
    public <T> Span setAttribute(AttributeKey<T> key, T value) {
      attributes.put(key.getKey(), value);
      return this;
    }

    @Override
    public Span addEvent(String name, Attributes attributes) {
      return this;
    }

    @Override
    public Span addEvent(String name, Attributes attributes, long timestamp, TimeUnit unit) {
      return this;
    }

    @Override
    public Span setStatus(StatusCode code, String description) {
      return this;
    }

    @Override
    public Span recordException(Throwable exception, Attributes attributes) {
      return this;
    }

    @Override
    public Span updateName(String name) {
      return this;
    }

    @Override
    public void end() {}

    @Override
    public void end(long timestamp, TimeUnit unit) {}

    @Override
    public SpanContext getSpanContext() {
      return SpanContext.getInvalid();
    }

    @Override
    public boolean isRecording() {
      return true;
    }
  }
}
