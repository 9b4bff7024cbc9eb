package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardwright.lookup.DuplicateValueException;
import io.shardwright.lookup.Reconciliation.Report;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Values of a unique lookup index that are held before they have a row. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReservationContract {
  private static final String NAME = "samples.by_v";
  private static final String INSERT = "INSERT INTO samples (k, id, v) VALUES (?, ?, ?)";
  private static final String BY_V = "SELECT id FROM samples WHERE v = ?";
  private static final Duration LONG = Duration.ofHours(1);

  private final TestingDatabase database;
  private TestingShards shards;
  private UniqueValues values;

  ReservationContract(TestingDatabase database) {
    this.database = database;
  }

  @BeforeAll
  void open() throws SQLException {
    shards =
        TestingShards.withIndexes(
            database, 3, "{max: 8, timeout: 3s}", "{by_v: {columns: [v], unique: true}}");
    shards.source().lookupIndexes().create(NAME, 0, (done, all, report) -> {});
    values = shards.source().uniqueValues(NAME);
  }

  @AfterAll
  void close() {
    shards.close();
  }

  /** What is left is exactly what rows and reservations hold. */
  @AfterEach
  void clear() throws SQLException {
    shards.assertIdle();
    shards.update("DELETE /* shardwright: scatter=allow */ FROM samples WHERE id > 0");
    shards.onEveryShard(
        "UPDATE shardwright_entry_samples_by_v SET reserved_until = '2001-01-01'"
            + " WHERE reserved_until IS NOT NULL");
    verify(true);
    assertThat(verify(false).candidates()).isZero();
  }

  private Report verify(boolean repair) throws SQLException {
    return shards.source().lookupIndexes().verify(NAME, repair, 0, (done, all, report) -> {});
  }

  private static void assertTaken(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(DuplicateValueException.class).hasMessageEndingWith(why);
  }

  private void insert(Reservation reservation, long k, long id, String v) throws SQLException {
    try (Connection connection = shards.connect()) {
      connection.unwrap(ShardwrightSession.class).use(reservation);
      TestingShards.update(connection, INSERT, k, id, v);
    }
  }

  @Test
  void aReservedValue_isTakenByItsHolderOnly() throws SQLException {
    Reservation mine = values.reserve(LONG, "a@b");
    assertTaken(() -> shards.update(INSERT, 1, 1, "a@b"), "is reserved");
    assertTaken(() -> values.reserve(LONG, "a@b"), "is reserved");
    assertThat(shards.rows(BY_V, "a@b")).isEmpty();
    Reservation others = values.reserve(LONG, "c@d");
    assertTaken(() -> insert(others, 1, 1, "a@b"), "is reserved");

    insert(mine, 1, 1, "a@b");
    assertThat(shards.rows(BY_V, "a@b")).containsExactly("1");
    assertTaken(() -> shards.update(INSERT, 2, 2, "a@b"), "already exists");
    assertTaken(() -> insert(mine, 2, 2, "a@b"), "already exists");
    assertTaken(() -> values.reserve(LONG, "a@b"), "already exists");
  }

  @Test
  void aReleasedValue_isFree() throws SQLException {
    Reservation mine = values.reserve(LONG, "a@b");
    assertThat(values.release(mine)).isTrue();
    assertThat(values.release(mine)).isFalse();
    Reservation again = values.reserve(LONG, "a@b");
    assertThat(values.release(mine)).as("of an earlier holder").isFalse();
    assertThat(values.release(again)).isTrue();
    shards.update(INSERT, 1, 1, "a@b");
    assertThat(shards.rows(BY_V, "a@b")).containsExactly("1");
  }

  @Test
  void aReservationWhoseTimeIsOver_holdsNothing() throws SQLException {
    Reservation mine = values.reserve(LONG, "a@b");
    expire();
    Reservation theirs = values.reserve(LONG, "a@b");
    assertTaken(() -> insert(mine, 1, 1, "a@b"), "is reserved");
    insert(theirs, 2, 2, "a@b");
    assertThat(shards.rows(BY_V, "a@b")).containsExactly("2");

    values.reserve(LONG, "c@d");
    expire();
    shards.update(INSERT, 3, 3, "c@d");
    assertThat(shards.rows(BY_V, "c@d")).containsExactly("3");
  }

  private void expire() {
    shards.onEveryShard(
        "UPDATE shardwright_entry_samples_by_v SET reserved_until = '2001-01-01'"
            + " WHERE reserved_until IS NOT NULL");
  }

  @Test
  void timeIsThatOfTheShard() throws SQLException {
    values.reserve(Duration.ofMillis(1), "soon");
    // By the time that a second statement reaches the shard a millisecond has passed, or will.
    while (true) {
      try {
        Reservation next = values.reserve(LONG, "soon");
        assertThat(next.token()).isNotZero();
        return;
      } catch (DuplicateValueException e) {
        assertThat(e.getMessage()).endsWith("is reserved");
      }
    }
  }

  @Test
  void rollback_keepsTheReservation() throws SQLException {
    Reservation mine = values.reserve(LONG, "a@b");
    try (Connection connection = shards.connect()) {
      connection.setAutoCommit(false);
      connection.unwrap(ShardwrightSession.class).use(mine);
      TestingShards.update(connection, INSERT, 1, 1, "a@b");
      connection.rollback();
      Savepoint savepoint = savepoint(connection, 1, 2, "other");
      TestingShards.update(connection, INSERT, 1, 1, "a@b");
      connection.rollback(savepoint);
      connection.commit();
    }
    assertTaken(() -> shards.update(INSERT, 1, 1, "a@b"), "is reserved");
    insert(mine, 1, 1, "a@b");
    assertThat(shards.rows(BY_V, "a@b")).containsExactly("1");
  }

  private static Savepoint savepoint(Connection connection, long k, long id, String v)
      throws SQLException {
    TestingShards.update(connection, INSERT, k, id, v);
    return connection.setSavepoint();
  }

  @Test
  void anUpdateTakesIt_too() throws SQLException {
    shards.update(INSERT, 1, 1, "old");
    Reservation mine = values.reserve(LONG, "new");
    assertTaken(() -> shards.update("UPDATE samples SET v = 'new' WHERE k = 1"), "is reserved");
    try (Connection connection = shards.connect()) {
      connection.unwrap(ShardwrightSession.class).use(mine);
      TestingShards.update(connection, "UPDATE samples SET v = 'new' WHERE k = 1");
    }
    assertThat(shards.rows(BY_V, "new")).containsExactly("1");
    assertThat(shards.rows(BY_V, "old")).isEmpty();
  }

  @Test
  void ofManyWhoWantOneValue_oneHasIt() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 10; round++) {
        String value = "wanted-" + round;
        List<Callable<Boolean>> rivals = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          long id = 100L * (round + 1) + i;
          boolean reserves = i % 2 == 0;
          rivals.add(() -> wins(reserves, id, value));
        }
        int winners = 0;
        for (Future<Boolean> rival : executor.invokeAll(rivals)) {
          winners += rival.get() ? 1 : 0;
        }
        assertThat(winners).as(value).isEqualTo(1);
      }
    } finally {
      executor.shutdown();
    }
  }

  private boolean wins(boolean reserves, long id, String value) throws SQLException {
    try {
      Optional<Reservation> reservation =
          reserves ? Optional.of(values.reserve(LONG, value)) : Optional.empty();
      while (!isInserted(reservation, id, value)) {
        Thread.onSpinWait();
      }
      return true;
    } catch (DuplicateValueException e) {
      return false;
    }
  }

  /** False when rivals on one shard met in a deadlock of their own, which is to be repeated. */
  private boolean isInserted(Optional<Reservation> reservation, long id, String value)
      throws SQLException {
    try (Connection connection = shards.connect()) {
      if (reservation.isPresent()) {
        connection.unwrap(ShardwrightSession.class).use(reservation.get());
      }
      TestingShards.update(connection, INSERT, id, id, value);
      return true;
    } catch (SQLTransactionRollbackException e) {
      return false;
    }
  }

  @Test
  void aValueThatIsTooLongForTheColumn_isRefused() throws SQLException {
    String cut = "x".repeat(20);
    assertThatThrownBy(() -> values.reserve(LONG, cut + "y"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("SW302")
        .hasMessageContaining(NAME);
    assertThat(verify(false).candidates()).isZero();
    Reservation reservation = values.reserve(LONG, cut);
    assertTaken(() -> values.reserve(LONG, cut), "is reserved");
    assertThat(values.release(reservation)).isTrue();
    assertThatThrownBy(() -> values.reserve(Duration.ofSeconds(Long.MAX_VALUE), cut))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void valuesThatCannotBe_areRefused() {
    assertThatThrownBy(() -> values.reserve(LONG)).hasMessageContaining("SW302");
    assertThatThrownBy(() -> values.reserve(LONG, (Object) null)).hasMessageContaining("SW302");
    assertThatThrownBy(() -> values.reserve(Duration.ZERO, "a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> shards.source().uniqueValues("samples.none").reserve(LONG, "a"))
        .hasMessageContaining("SW104")
        .hasMessageContaining("samples.none");
  }
}
