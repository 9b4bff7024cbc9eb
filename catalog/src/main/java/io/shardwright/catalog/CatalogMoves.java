package io.shardwright.catalog;

import io.shardwright.catalog.Move.Counters;
import io.shardwright.catalog.Move.Intent;
import io.shardwright.catalog.Move.Options;
import io.shardwright.catalog.Move.Wish;
import io.shardwright.config.Configuration;
import io.shardwright.config.Configuration.Endpoint;
import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketMap;
import io.shardwright.routing.BucketSet;
import io.shardwright.routing.ShardId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Moves on record in the catalog: who works on each, how far it is, and the one transaction by
 * which buckets change their owner ({@link #publish}). A worker that was stopped while another took
 * its move over finds out at its next call here: every change compares the epoch that it was given
 * with the move.
 *
 * <p>Thread-safe. Methods throw {@link ShardwrightException}: SW411 when the catalog is down, SW412
 * when it refuses the login, SW413 when another worker has the move by now.
 */
public final class CatalogMoves implements AutoCloseable {
  // Long because: all that is ever done to the row of a move stands in one place.

  private static final int NOTE_MAX_CHARS = 2_000;

  private final Configuration configuration;
  private final CatalogReader reader;
  private final CatalogSession session;

  /**
   * A move that this process works on.
   *
   * @param epoch greater than that of every worker before, of whatever move
   */
  public record Held(long id, long epoch) {}

  /**
   * @param configuration with a catalog
   */
  public CatalogMoves(Configuration configuration) {
    this(configuration, () -> DatabaseLogin.SHORT.open(configuration.catalog().orElseThrow()));
  }

  CatalogMoves(Configuration configuration, CatalogSession.ConnectionSource source) {
    this.configuration = configuration;
    Endpoint endpoint = configuration.catalog().orElseThrow();
    this.reader = new CatalogReader(configuration, endpoint);
    this.session = new CatalogSession(endpoint, source);
  }

  /** In order of creation. */
  public List<Move> all() {
    return session.call(
        c -> {
          checkFormat(c);
          return MoveRows.all(c);
        });
  }

  /**
   * Before anything of a lookup index is removed.
   *
   * @throws ShardwrightException SW603 when its entries are in a move that has not ended
   */
  public void requireAtRest(IndexName index) {
    session.call(
        c -> {
          if (reader.meta(c).format() >= CatalogInstaller.FORMAT_OF_MOVES) {
            for (Move move : MoveRows.unended(c)) {
              if (move.group().equals(index.placement())) {
                throw inMove(index, move);
              }
            }
          }
          return null;
        });
  }

  static ShardwrightException inMove(IndexName index, Move move) {
    return new ShardwrightException(
        ErrorCode.COMMAND_INVALID,
        "lookup index "
            + index
            + " cannot be dropped: buckets of its entries are in "
            + move
            + ", which is "
            + move.state().stored()
            + "; let it end, or shardwright move cancel, rollback or cleanup "
            + move.id()
            + ", then drop the index again");
  }

  public Move find(long id) {
    return session
        .call(
            c -> {
              checkFormat(c);
              return MoveRows.find(c, id);
            })
        .orElseThrow(() -> noSuchMove(id));
  }

  /**
   * Records one move for each shard that the buckets are on now; those that are at the target
   * already are left out.
   *
   * @return in order of the shards' names; empty when all are there already
   * @throws ShardwrightException SW603 for a bucket that the group has not, or that is in a move
   *     which has not ended
   */
  public List<Move> create(String group, BucketSet buckets, ShardId target, Options options) {
    return inTransaction(
        c -> {
          IndexRows.nextVersion(c);
          BucketMap map = map(c, group);
          check(map, buckets, inTheWay(MoveRows.unended(c), target));
          checkZones(group, buckets, target);
          Map<ShardId, BucketSet> bySource = new TreeMap<>();
          for (BucketId bucket : buckets) {
            if (!map.shardOf(bucket).equals(target)) {
              bySource.merge(map.shardOf(bucket), BucketSet.of(List.of(bucket)), BucketSet::plus);
            }
          }
          List<Move> created = new ArrayList<>();
          for (Map.Entry<ShardId, BucketSet> from : bySource.entrySet()) {
            long id = MoveRows.insert(c, group, from.getKey(), target, from.getValue(), options);
            created.add(MoveRows.find(c, id).orElseThrow());
          }
          return created;
        });
  }

  /** An abandoned move is in the way of its target only, whose copies nobody reads. */
  private static List<Move> inTheWay(List<Move> unended, ShardId target) {
    return unended.stream()
        .filter(move -> move.state() != MoveState.ABANDONED || move.target().equals(target))
        .toList();
  }

  private static void check(BucketMap map, BucketSet buckets, List<Move> unended) {
    if (buckets.isEmpty() || buckets.end() > map.buckets()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "group "
              + map.group()
              + " has buckets 0 to "
              + (map.buckets() - 1)
              + (buckets.isEmpty() ? "; name at least one" : ", not " + (buckets.end() - 1)));
    }
    for (Move move : unended) {
      BucketSet both = move.buckets().and(buckets);
      if (move.group().equals(map.group()) && !both.isEmpty()) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            "buckets "
                + both
                + " of group "
                + map.group()
                + " are in move "
                + move.id()
                + ", which is "
                + move.state().stored()
                + "; let it end, cancel it or clean it up first");
      }
    }
  }

  private void checkZones(String group, BucketSet buckets, ShardId target) {
    for (BucketId bucket : buckets) {
      Optional<String> forbidden = configuration.forbids(group, bucket, target);
      if (forbidden.isPresent()) {
        throw new ShardwrightException(
            ErrorCode.COMMAND_INVALID,
            forbidden.get() + "; choose a shard that has these labels, or change the file");
      }
    }
  }

  /** As it is now: of one group, or index. */
  public BucketMap map(String group) {
    return session.call(c -> map(c, group));
  }

  private BucketMap map(Connection c, String group) throws SQLException {
    Optional<GroupRow.Definition> file = GroupRow.Definition.of(configuration, group);
    Optional<GroupRow> row = file.isEmpty() ? Optional.empty() : CatalogReader.group(c, group);
    if (row.isEmpty()) {
      throw new ShardwrightException(
          ErrorCode.COMMAND_INVALID,
          "there is no table group or lookup index '"
              + group
              + "' in configuration and catalog; shardwright apply records those of the file");
    }
    return row.get().checkedMap(file.get(), configuration.shards().keySet(), row.get().buckets());
  }

  /**
   * Says what the operator wants.
   *
   * @throws ShardwrightException SW603 when the move's state does not allow it
   */
  public Move wish(long id, Wish wish) {
    return inTransaction(
        c -> {
          Move move = MoveRows.locked(c, id).orElseThrow(() -> noSuchMove(id));
          boolean possible =
              switch (wish) {
                case RUN, PAUSE -> !move.state().hasEnded() && !isOnItsWayBack(move);
                case CANCEL -> move.state().canCancel();
                case ROLL_BACK -> move.state().canRollBack() && move.options().rollback();
                case CLEAN_UP ->
                    move.state() == MoveState.SWITCHED || move.state() == MoveState.ABANDONED;
              };
          if (!possible) {
            throw new ShardwrightException(
                ErrorCode.COMMAND_INVALID,
                move + " is " + move.state().stored() + hint(move, wish));
          }
          if (move.wish() != wish) {
            MoveRows.change(c, id, move.epoch(), "wish = ?", wish.stored());
          }
          return MoveRows.find(c, id).orElseThrow();
        });
  }

  private static boolean isOnItsWayBack(Move move) {
    return move.wish() == Wish.CANCEL || move.wish() == Wish.ROLL_BACK;
  }

  private static String hint(Move move, Wish wish) {
    if (wish == Wish.ROLL_BACK && !move.options().rollback()) {
      return " and was started without the way back; move the buckets back by another move";
    }
    return switch (wish) {
      case CANCEL ->
          move.state().canRollBack()
              ? ": buckets have changed their owner; roll it back"
              : "; it cannot be cancelled any more";
      case ROLL_BACK ->
          move.state().canCancel()
              ? ": no bucket has changed its owner yet; cancel it"
              : "; it cannot be rolled back any more";
      case CLEAN_UP ->
          "; only a move whose buckets are switched, or that was abandoned, is cleaned up";
      case RUN, PAUSE -> "; it can be neither paused nor resumed";
    };
  }

  /**
   * Takes a move for this worker: one that nobody works on, whose lease has run out.
   *
   * @param lease how long nobody else takes it; {@link #keep} renews it
   * @return empty when another has it, or it has ended
   */
  public Optional<Held> take(long id, String worker, Duration lease) {
    return session.call(
        c -> {
          Optional<Move> move = MoveRows.find(c, id);
          if (move.isEmpty() || move.get().state().hasEnded() || move.get().worker().isPresent()) {
            return Optional.empty();
          }
          long epoch = MoveRows.newestEpoch(c) + 1;
          String set = "epoch = ?, worker = ?, held_until = " + MoveRows.now(c) + " + ?";
          return MoveRows.set(c, id, move.get().epoch(), set, epoch, worker, lease.toMillis())
              ? Optional.of(new Held(id, epoch))
              : Optional.empty();
        });
  }

  /** Renews the lease, and reads what the operator wants by now. */
  public Move keep(Held held, Duration lease) {
    return session.call(
        c -> {
          String set = "held_until = " + MoveRows.now(c) + " + ?";
          require(MoveRows.set(c, held.id, held.epoch, set, lease.toMillis()), held);
          return MoveRows.find(c, held.id).orElseThrow();
        });
  }

  /** Lets others take it at once. */
  public void release(Held held) {
    session.call(c -> MoveRows.set(c, held.id, held.epoch, "worker = '', held_until = 0"));
  }

  public void count(Held held, Counters counters) {
    session.call(
        c -> {
          require(
              MoveRows.change(
                  c,
                  held.id,
                  held.epoch,
                  "rows_total = ?, rows_copied = ?, rows_applied = ?, pending = ?, attempts = ?",
                  counters.total(),
                  counters.copied(),
                  counters.applied(),
                  counters.pending(),
                  counters.attempts()),
              held);
          return null;
        });
  }

  /** Records that buckets changed their owner, and for how long nobody could write them. */
  public void paused(Held held, Duration pause) {
    session.call(
        c -> {
          String set = "pauses = CONCAT(pauses, CASE WHEN pauses = '' THEN '' ELSE ',' END, ?)";
          String micros = Long.toString(pause.toNanos() / 1_000);
          require(MoveRows.change(c, held.id, held.epoch, set, micros), held);
          return null;
        });
  }

  /**
   * Adds to what is on record of how long stages of the move took; of no importance for the move,
   * so a catalog of an older format does without.
   */
  public void took(Held held, List<Took> all) {
    Void unused =
        inTransaction(
            c -> {
              if (reader.meta(c).format() >= CatalogInstaller.FORMAT_OF_HEAT) {
                for (Took took : all) {
                  MoveRows.took(c, held.id, took);
                }
              }
              return null;
            });
  }

  /** In the order of the work; stages that were not reached are not in it. */
  public List<StageTimes> stages(long id) {
    return session.call(
        c ->
            reader.meta(c).format() >= CatalogInstaller.FORMAT_OF_HEAT
                ? MoveRows.stages(c, id)
                : List.of());
  }

  /** What the time of a move is spent on. Nobody can write a batch from CLOSE to HAND_OVER. */
  public enum Stage {
    COPY,
    CATCH_UP,
    CLOSE,
    LAST_PASS,
    SEQUENCES,
    PUBLISH,
    HAND_OVER;

    String stored() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Once.
   *
   * @param rows copied, or brought up to date
   */
  public record Took(Stage stage, long rows, Duration time) {}

  /**
   * All times together.
   *
   * @param most the longest of them
   */
  public record StageTimes(Stage stage, long times, long rows, Duration total, Duration most) {}

  /**
   * Rows a second that earlier moves copied, those whose rate was not bounded.
   *
   * @return empty when fewer than 10,000 rows were copied in all, or the format is older
   */
  public OptionalLong copiedPerSecond() {
    return session.call(
        c ->
            reader.meta(c).format() >= CatalogInstaller.FORMAT_OF_HEAT
                ? MoveRows.copiedPerSecond(c)
                : OptionalLong.empty());
  }

  /** By the catalog's clock. */
  public Instant now() {
    return session.call(
        c -> {
          try (PreparedStatement select = c.prepareStatement("SELECT " + MoveRows.now(c));
              ResultSet row = select.executeQuery()) {
            row.next();
            return Instant.ofEpochMilli(row.getLong(1));
          }
        });
  }

  /**
   * @param note for people; cut at 2,000 characters
   */
  public void note(Held held, String note) {
    String text = note.length() > NOTE_MAX_CHARS ? note.substring(0, NOTE_MAX_CHARS) : note;
    session.call(
        c -> {
          require(MoveRows.change(c, held.id, held.epoch, "note = ?", text), held);
          return null;
        });
  }

  /**
   * The next state. Where drivers have to know of it the version of the catalog's state grows.
   *
   * @return that version, if it grew: {@link Catalog#awaitSeen} waits until all have seen it
   */
  public OptionalLong advance(Held held, MoveState next) {
    return inTransaction(
        c -> {
          Move move = MoveRows.locked(c, held.id).orElseThrow(() -> noSuchMove(held.id));
          require(move.epoch() == held.epoch, held);
          MoveRows.change(c, held.id, held.epoch, "state = ?, note = ''", next.stored());
          return move.state().isAnnounced() == next.isAnnounced()
              ? OptionalLong.empty()
              : OptionalLong.of(IndexRows.nextVersion(c));
        });
  }

  /** Records that what was noted for the way back is not complete any more. */
  public void noWayBack(Held held) {
    session.call(
        c -> {
          require(MoveRows.change(c, held.id, held.epoch, "rollback = 0"), held);
          return null;
        });
  }

  /** Records a batch before any shard is touched for it. */
  public Intent intend(Held held, BucketSet batch) {
    Intent intent = new Intent(UUID.randomUUID(), batch);
    session.call(
        c -> {
          String set = "intent = ?, intent_buckets = ?";
          require(
              MoveRows.change(
                  c, held.id, held.epoch, set, intent.id().toString(), batch.toString()),
              held);
          return null;
        });
    return intent;
  }

  /** The batch is done: its buckets have their new owner, and the shards know. */
  public void endIntent(Held held) {
    session.call(
        c -> {
          require(clearIntent(c, held), held);
          return null;
        });
  }

  /**
   * Gives a batch up, unless it was published: from here on it cannot be any more. A publication
   * whose commit is still under way ends first, one way or the other, since both lock the move.
   *
   * @return the version of the map that it was published by; the intent stands then
   */
  public OptionalLong giveUp(Held held, Intent intent) {
    return inTransaction(
        c -> {
          Move move = MoveRows.locked(c, held.id).orElseThrow(() -> noSuchMove(held.id));
          require(move.epoch() == held.epoch && move.intent().equals(Optional.of(intent)), held);
          OptionalLong version = published(c, move.group(), intent);
          if (version.isEmpty()) {
            clearIntent(c, held);
          }
          return version;
        });
  }

  private static boolean clearIntent(Connection c, Held held) throws SQLException {
    return MoveRows.change(c, held.id, held.epoch, "intent = '', intent_buckets = ''");
  }

  /**
   * Gives buckets of the batch their new owner: the only commit point of a move. The version is the
   * current one plus 1, whatever other moves have published meanwhile. Called again for the same
   * intent it finds what the first call did: so a call whose outcome is not known is repeated.
   *
   * @param buckets of the intent's, at most
   * @param owner the target, or on the way back the source
   * @return the version of the map
   * @throws ShardwrightException SW413 when another worker has the move or the intent is not this
   *     one any more; SW411 when it is not known whether it was published
   */
  public long publish(Held held, Intent intent, BucketSet buckets, ShardId owner) {
    // Nobody can write the buckets meanwhile: few round trips; the format was checked by intend.
    return session.call(
        connection ->
            Database.inTransaction(
                connection,
                c -> {
                  Move move = MoveRows.locked(c, held.id).orElseThrow(() -> noSuchMove(held.id));
                  require(
                      move.epoch() == held.epoch && move.intent().equals(Optional.of(intent)),
                      held);
                  lockGroup(c, move.group());
                  OptionalLong before = published(c, move.group(), intent);
                  if (before.isPresent()) {
                    return before.getAsLong();
                  }
                  BucketMap next = map(c, move.group()).withMoved(buckets.toList(), owner);
                  String reason =
                      "move " + move.id() + ": " + buckets.size() + " buckets to shard " + owner;
                  CatalogInstaller.followMap(c, next, reason, intent.id());
                  IndexRows.raiseVersion(c);
                  return next.version();
                }));
  }

  private static void lockGroup(Connection c, String group) throws SQLException {
    try (PreparedStatement lock =
        c.prepareStatement("SELECT name FROM shardwright_group WHERE name = ? FOR UPDATE")) {
      lock.setString(1, group);
      lock.executeQuery().close();
    }
  }

  private static OptionalLong published(Connection c, String group, Intent intent)
      throws SQLException {
    try (PreparedStatement select =
        c.prepareStatement(
            "SELECT version FROM shardwright_map_version WHERE grp = ? AND publisher = ?")) {
      select.setString(1, group);
      select.setString(2, intent.id().toString());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }

  private <T> T inTransaction(Database.Work<T> work) {
    return session.call(
        c -> {
          checkFormat(c);
          return Database.inTransaction(c, work);
        });
  }

  private void checkFormat(Connection c) throws SQLException {
    int format = reader.meta(c).format();
    if (format < CatalogInstaller.FORMAT_OF_MOVES) {
      throw reader.notApplied("has format " + format + ", which has no moves", null);
    }
  }

  private static void require(boolean still, Held held) {
    if (!still) {
      throw new ShardwrightException(
          ErrorCode.CATALOG_CONFLICT,
          "move " + held.id + " was taken over by another worker; this one stops");
    }
  }

  private static ShardwrightException noSuchMove(long id) {
    return new ShardwrightException(
        ErrorCode.COMMAND_INVALID, "there is no move " + id + "; shardwright moves lists them");
  }

  @Override
  public void close() {
    session.close();
  }
}
