package io.shardwright.lookup;

import io.shardwright.catalog.SqlFailure;
import io.shardwright.config.DatabaseProduct;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What one transaction does to indexes, from its first statement to what is left to do after its
 * end (docs/decisions/lookup-index.md, A write). Not thread-safe.
 */
public final class IndexWork {
  // Long because: each step of a write uses what its transaction holds, gave up and inserted.

  /**
   * Candidates that vanish between two looks are looked for again; so often, then it is a fault.
   */
  private static final int TRIES = 16;

  private static final int SESSION_SECONDS = 5;

  private final Entries entries;
  private final Sweeper sweeper;
  private final LookupCaches caches;
  private final Judge judge;

  /**
   * For rows that the transaction changed, the entry of the value that they have now; null: none.
   */
  private final Map<Held, Candidate> held = new HashMap<>();

  private final Set<Claim> claims = new HashSet<>();
  private final List<Candidate> inserted = new ArrayList<>();

  /** Tokens of the reservations whose values this transaction may take. */
  private final Supplier<Set<Long>> reservations;

  /** Reservations whose values it took. */
  private final Set<Candidate> taken = new HashSet<>();

  private final Set<Value> givenUp = new HashSet<>();

  /** Of the statement that is maintained. Its claims protect as long as it lives. */
  private Connection session;

  private record Held(UniqueIndex index, RowId row) {}

  private record Claim(Value value, ShardId shard) {}

  /**
   * @param caches that hear of what is committed
   */
  IndexWork(
      Entries entries, Sweeper sweeper, LookupCaches caches, Supplier<Set<Long>> reservations) {
    this.entries = entries;
    this.sweeper = sweeper;
    this.caches = caches;
    this.reservations = reservations;
    this.judge = new Judge(entries);
  }

  /**
   * After a statement, in its transaction: no row of it may be committed before this has returned.
   *
   * @param shard where it ran
   * @throws DuplicateValueException when another row has a value; then, and after any other
   *     failure, the transaction must be rolled back
   * @throws ShardwrightException SW409 when others write a value and do not end in time; SW401 when
   *     an entry cannot be written
   * @throws SQLException of the given connection
   */
  public void maintain(ShardId shard, Connection row, List<UniqueIndex> indexes)
      throws SQLException {
    session = row;
    List<EntryTable> tables = indexes.stream().map(entries::table).toList();
    List<List<Change>> changes = Telling.of(indexes.get(0).product()).take(row, tables);
    maintain(shard, indexes, changes);
  }

  /** What follows an INSERT of plain rows whose rows are given to {@link #maintainInserted}. */
  public String returning(List<UniqueIndex> indexes) {
    return inserted(indexes).clause();
  }

  /**
   * As {@link #maintain}, after an INSERT that no trigger told of.
   *
   * @param inserted what its {@link #returning} gave; closed here
   * @return how many rows
   */
  public long maintainInserted(
      ShardId shard, Connection row, List<UniqueIndex> indexes, ResultSet inserted)
      throws SQLException {
    session = row;
    List<List<Change>> changes;
    try (inserted) {
      changes = inserted(indexes).read(inserted);
    }
    maintain(shard, indexes, changes);
    return changes.get(0).size();
  }

  private InsertedRows inserted(List<UniqueIndex> indexes) {
    return new InsertedRows(indexes.stream().map(entries::table).toList());
  }

  private void maintain(ShardId shard, List<UniqueIndex> indexes, List<List<Change>> changes)
      throws SQLException {
    for (int i = 0; i < indexes.size(); i++) {
      maintain(shard, indexes.get(i), changes.get(i));
    }
  }

  private void maintain(ShardId shard, UniqueIndex index, List<Change> changes)
      throws SQLException {
    // First all that is given up: rows of one statement may swap their values.
    for (Change change : changes) {
      change.old().ifPresent(value -> claims.add(new Claim(value, shard)));
      change.now().ifPresent(value -> claims.add(new Claim(value, shard)));
      change.old().ifPresent(givenUp::add);
      held.put(new Held(index, change.row()), null);
    }
    // A row that changed several times has what it has in the end.
    Map<RowId, Optional<Value>> now = new LinkedHashMap<>();
    changes.forEach(change -> now.put(change.row(), change.now()));
    for (Map.Entry<RowId, Optional<Value>> row : now.entrySet()) {
      if (row.getValue().isPresent()) {
        write(new Candidate(row.getValue().get(), 0, row.getKey(), newToken()));
      }
    }
  }

  /**
   * Before a statement, in its transaction: what it changes will be told, and the guards on the
   * shard let it pass.
   *
   * @param version of the catalog's state that the caller works by
   */
  public static void announce(Connection row, DatabaseProduct product, long version)
      throws SQLException {
    Telling.of(product).announce(row, version);
  }

  static long newToken() {
    return ThreadLocalRandom.current().nextLong();
  }

  private void write(Candidate candidate) throws SQLException {
    ShardId shard = entries.shardOf(candidate.value());
    EntryTable table = entries.table(candidate.value().index());
    OwnedWork work = new OwnedWork(entries.shards());
    try {
      int tries = 0;
      while (tries < TRIES) {
        BucketMap map = entries.shards().map(table.index().name().placement());
        shard = map.shardOf(candidate.value().bucket());
        try {
          if (isWritten(table, shard, candidate)) {
            held.put(new Held(table.index(), candidate.row()), candidate);
            return;
          }
          tries++;
        } catch (SQLException e) {
          // The entry's bucket may have moved; nothing was written then.
          work.await(map, e);
        }
      }
    } catch (DuplicateValueException e) {
      throw e;
    } catch (SQLException e) {
      if (SqlFailure.isData(e)) {
        throw new ShardwrightException(
            ErrorCode.ROUTE_KEY_VALUE_INVALID,
            "the shard "
                + shard
                + " does not take the values for the lookup index "
                + table.index().name()
                + " ("
                + e.getMessage()
                + "); nothing is applied once you roll back; give values of the types of its"
                + " columns",
            e);
      }
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE,
          "an entry of the lookup index "
              + table.index().name()
              + " cannot be written on shard "
              + shard
              + " ("
              + e.getMessage()
              + "); nothing is applied once you roll back; repeat it then",
          e);
    }
    throw new ShardwrightException(
        ErrorCode.INVARIANT_BROKEN,
        "the candidates of a value of index " + table.index().name() + " come and go all the time");
  }

  /** False when it has to be tried again: nothing was written then. */
  private boolean isWritten(EntryTable table, ShardId shard, Candidate candidate)
      throws SQLException {
    try {
      if (insertFirst(table, shard, candidate)) {
        return true;
      }
      refuseNeighbour(candidate);
      return insertBeside(candidate);
    } catch (SQLException e) {
      if (SqlFailure.isDeadlock(e)) {
        // A deadlock among entries: these transactions are short and hold nothing else.
        return false;
      }
      throw e;
    }
  }

  private boolean insertFirst(EntryTable table, ShardId shard, Candidate candidate)
      throws SQLException {
    try (Connection connection = entries.shards().open(shard, Lane.ENTRIES)) {
      long sent = System.nanoTime();
      boolean first = table.insertFirst(connection, candidate);
      entries.changed(candidate.value(), first ? 1 : 0, System.nanoTime() - sent);
      if (first) {
        inserted.add(candidate);
      }
      return first;
    }
  }

  /**
   * Before the candidates are locked, those are judged that need no waiting: the claim of their
   * shard is one's own. Else a rival who holds the lock and waits for this claim, to judge them,
   * would be waited for.
   */
  private void refuseNeighbour(Candidate candidate) throws SQLException {
    Value value = candidate.value();
    for (Candidate other : entries.read(value.index(), List.of(value)).candidates()) {
      Claim claim = new Claim(value, entries.shardOf(value.index(), other.row()));
      if (!other.hasOwnerOf(candidate)
          && !other.isReservation()
          && !held.containsKey(new Held(value.index(), other.row()))
          && claims.contains(claim)
          && judge.isAlive(other, true)) {
        throw new DuplicateValueException(value);
      }
    }
  }

  /** False when the value has no candidates any more. */
  private boolean insertBeside(Candidate candidate) throws SQLException {
    try (LockedValue locked = entries.lock(candidate.value())) {
      if (locked.candidates().isEmpty()) {
        return false;
      }
      for (Candidate other : locked.candidates()) {
        if (!other.hasOwnerOf(candidate) && !isLeft(other, candidate)) {
          locked.remove(other);
        }
      }
      locked.put(candidate).ifPresent(inserted::add);
      locked.commit();
      return true;
    } catch (SQLException e) {
      throw SqlFailure.isLockTimeout(e) ? busy(candidate, e) : e;
    }
  }

  /**
   * Whether the candidate of another row stays beside one's own, since this transaction takes its
   * value away; false when it is dead.
   *
   * @throws DuplicateValueException when it is alive
   */
  private boolean isLeft(Candidate other, Candidate own) throws SQLException {
    UniqueIndex index = own.value().index();
    if (other.isReservation()) {
      return isLeft(other);
    }
    Held row = new Held(index, other.row());
    if (held.containsKey(row)) {
      Candidate now = held.get(row);
      boolean gaveUp = now == null || !own.value().equals(now.value());
      // Two commits are not one: the row on another shard may keep its value.
      boolean together =
          entries.shardOf(index, other.row()).equals(entries.shardOf(index, own.row()));
      if (gaveUp && together) {
        return true;
      }
      throw new DuplicateValueException(own.value());
    }
    boolean claimed = claims.contains(new Claim(own.value(), entries.shardOf(index, other.row())));
    if (judge.isAlive(other, claimed)) {
      throw new DuplicateValueException(own.value());
    }
    if (claimed && !session.isValid(SESSION_SECONDS)) {
      throw new ShardwrightException(
          ErrorCode.SHARD_UNAVAILABLE,
          "the connection of the transaction broke while a value of the unique lookup index "
              + index.name()
              + " was checked; roll back and repeat");
    }
    return false;
  }

  /** Of a reservation. */
  private boolean isLeft(Candidate reservation) throws SQLException {
    if (reservations.get().contains(reservation.token())) {
      taken.add(reservation);
      return true;
    }
    if (reservation.hold() == Candidate.Hold.RESERVED) {
      throw DuplicateValueException.reserved(reservation.value());
    }
    return false;
  }

  private static SQLException busy(Candidate candidate, SQLException e) {
    throw new ShardwrightException(
        ErrorCode.LOCK_TIMEOUT,
        "others are writing "
            + candidate.value()
            + " of the unique lookup index "
            + candidate.value().index().name()
            + " and did not end in time; roll back and repeat",
        e);
  }

  /** True when the transaction has changed no entry. */
  public boolean isEmpty() {
    return held.isEmpty() && inserted.isEmpty() && givenUp.isEmpty();
  }

  /** What is known at a savepoint. */
  public static final class Mark {
    private final Map<Held, Candidate> held;
    private final Set<Claim> claims;
    private final int inserted;

    /** Of a transaction that had changed no entry. */
    public static final Mark NOTHING = new Mark(Map.of(), Set.of(), 0);

    private Mark(Map<Held, Candidate> held, Set<Claim> claims, int inserted) {
      this.held = held;
      this.claims = claims;
      this.inserted = inserted;
    }
  }

  public Mark mark() {
    return new Mark(new HashMap<>(held), new HashSet<>(claims), inserted.size());
  }

  /** After a rollback to the savepoint of the mark. Rows have what they had then. */
  public void rolledBackTo(Mark mark) {
    held.clear();
    held.putAll(mark.held);
    claims.clear();
    claims.addAll(mark.claims);
    List<Candidate> undone = inserted.subList(mark.inserted, inserted.size());
    undone.forEach(candidate -> givenUp.add(candidate.value()));
    undone.clear();
  }

  /** What rows gave up is judged soon. */
  public void committed() {
    givenUp.forEach(caches::givenUp);
    List<Candidate> written = held.values().stream().filter(Objects::nonNull).toList();
    written.forEach(caches::written);
    // After ROLLBACK TO SAVEPOINT a value may not be taken any more.
    Set<Value> values = written.stream().map(Candidate::value).collect(Collectors.toSet());
    sweeper.offerRemoval(
        taken.stream().filter(reservation -> values.contains(reservation.value())).toList());
    sweep();
  }

  private void sweep() {
    sweeper.offer(givenUp);
    clear();
  }

  /** An entry that this transaction made is of a row that did not have the value before. */
  public void rolledBack() {
    sweeper.offerRemoval(inserted);
    clear();
  }

  /** The connection broke at the commit: everything is judged. */
  public void outcomeUnknown() {
    inserted.forEach(candidate -> givenUp.add(candidate.value()));
    givenUp.forEach(caches::givenUp);
    sweep();
  }

  private void clear() {
    held.clear();
    claims.clear();
    inserted.clear();
    taken.clear();
    givenUp.clear();
  }

  /**
   * Reserves a value that no row has and nobody has reserved, at once.
   *
   * @throws DuplicateValueException when that is not so
   */
  void reserve(Candidate reservation) throws SQLException {
    write(reservation);
  }

  /**
   * For a row that is committed, whose value's claim the caller holds on its shard: sees to it that
   * it has an entry.
   *
   * @throws DuplicateValueException when another row has the value
   */
  void adopt(Candidate candidate, ShardId rowShard, Connection claiming) throws SQLException {
    session = claiming;
    claims.add(new Claim(candidate.value(), rowShard));
    write(candidate);
  }
}
