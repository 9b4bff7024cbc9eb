package io.shardwright.lookup.model;

// Long because: one write is told in one place, in the order of its steps.
import io.shardwright.lookup.model.Writer.At;
import io.shardwright.testkit.StateSearch.Step;
import java.util.List;

/**
 * What one writer can do next. A step is what one database does at once: a statement, a COMMIT, or
 * several statements under a lock that excludes all who could tell the difference. READ COMMITTED:
 * others see committed rows only; claims, row locks and the lock of a value's candidates block.
 * Every wait for a claim may end by timeout, and fails the write.
 */
final class WriterSteps {
  private final Mutation mutation;
  private final World world;
  private final int w;
  private final List<Op> script;
  private final List<Step<World>> steps;
  private final Writer writer;
  private final Op op;

  WriterSteps(Mutation mutation, World world, int w, List<Op> script, List<Step<World>> steps) {
    this.mutation = mutation;
    this.world = world;
    this.w = w;
    this.script = script;
    this.steps = steps;
    this.writer = world.writers[w];
    this.op = writer.op < script.size() ? script.get(writer.op) : Op.COMMIT;
  }

  private interface Change {
    void apply(World next, Writer self);
  }

  private void step(String name, Change change) {
    add(name, false, change);
  }

  private void fault(String name, Change change) {
    add(name, true, change);
  }

  private void add(String name, boolean isFault, Change change) {
    World next = world.copy();
    change.apply(next, next.writers[w]);
    steps.add(new Step<>("W" + (w + 1) + " " + name, next, isFault));
  }

  void find() {
    if (writer.at == At.ENDED) {
      return;
    }
    if (writer.at == At.CRASHED) {
      endSessions();
      return;
    }
    fault("crashes", (next, self) -> self.crash(next.holdsLock(w)));
    endOpen("loses its session on shard ", true);
    switch (writer.at) {
      case STATEMENT -> statement();
      case FIRST_CANDIDATE -> firstCandidate();
      case FIRST_CANDIDATE_INSERT -> insertAtSlot0();
      case LOCK_CANDIDATES -> lockCandidates();
      case LOCK_CANDIDATES_WAIT -> lockCandidatesWait();
      case JUDGE -> judge();
      case ADD_CANDIDATE -> addCandidate();
      case READ_GIVEN_UP -> readGivenUp();
      case COMMIT -> commit();
      case REMOVE_GIVEN_UP -> removeGivenUp();
      case REMOVE_INSERTED -> removeInserted();
      case CRASHED, ENDED -> throw new IllegalStateException();
    }
  }

  private void endSessions() {
    endOpen("crashed: rolled back on shard ", false);
    if (world.holdsLock(w)) {
      step(
          "crashed: its lock of candidates ends",
          (next, self) -> {
            unlock(next, self);
            self.crash(false);
          });
    }
  }

  /** The driver does not know before it uses the session again. */
  private void endOpen(String name, boolean isFault) {
    for (int shard = 0; shard < World.SHARDS; shard++) {
      int bit = 1 << shard;
      if ((writer.open & bit) != 0) {
        add(
            name + shard,
            isFault,
            (next, self) -> {
              self.open &= ~bit;
              if (self.at == At.CRASHED) {
                self.crash(next.holdsLock(w));
              }
            });
      }
    }
  }

  private void unlock(World next, Writer self) {
    for (int v = World.X; v <= World.Y; v++) {
      if (next.lock[v] == w) {
        next.lock[v] = World.NOBODY;
      }
    }
    self.clearLock();
  }

  private void fail(World next, Writer self) {
    unlock(next, self);
    self.open = 0;
    afterRollback(self);
  }

  private void afterRollback(Writer self) {
    self.at = anyToken(self.insertedTokens) ? At.REMOVE_INSERTED : At.ENDED;
    if (self.at == At.ENDED) {
      self.clearTransaction();
    }
  }

  private static boolean anyToken(byte[] tokens) {
    for (byte token : tokens) {
      if (token != 0) {
        return true;
      }
    }
    return false;
  }

  private void statement() {
    if ((shardsOf(op) & writer.joined & ~writer.open) != 0) {
      step("statement: its session is lost", this::fail);
      return;
    }
    switch (op.kind()) {
      case INSERT, UPDATE, DELETE, SWAP -> change();
      case SAVEPOINT ->
          step(
              "SAVEPOINT",
              (next, self) -> {
                self.saved = true;
                self.savedHeld = self.held.clone();
                self.savedClaims = self.claims;
                nextOp(self);
              });
      case ROLLBACK_TO_SAVEPOINT ->
          step(
              "ROLLBACK TO SAVEPOINT",
              (next, self) -> {
                self.held = self.savedHeld.clone();
                self.claims = self.savedClaims;
                self.rolledBackToSavepoint = true;
                nextOp(self);
              });
      case ROLLBACK ->
          step(
              "ROLLBACK",
              (next, self) -> {
                self.open = 0;
                afterRollback(self);
              });
      case COMMIT -> throw new IllegalStateException();
    }
  }

  /** As bits; savepoints are on all shards. */
  private static int shardsOf(Op op) {
    int shards = op.rows().isEmpty() ? (1 << World.SHARDS) - 1 : 0;
    for (int row : op.rows()) {
      shards |= 1 << World.shardOf(row);
    }
    return shards;
  }

  private int valueAfter(int row) {
    return switch (op.kind()) {
      case SWAP ->
          world.seenBy(writer, op.rows().get(0) == row ? op.rows().get(1) : op.rows().get(0));
      default -> op.value();
    };
  }

  private void change() {
    for (int row : op.rows()) {
      int old = world.seenBy(writer, row);
      int now = valueAfter(row);
      boolean waits =
          world.rowIsLocked(row, w)
              || (old != 0 && world.isClaimed(row, old, w))
              || (now != 0 && world.isClaimed(row, now, w));
      if (waits && mutation == Mutation.CLAIM_WAIT_WITHOUT_END) {
        return;
      }
      if (waits) {
        step("statement " + op + ": its wait times out", this::fail);
        return;
      }
    }
    int first = op.rows().get(0);
    if (op.kind() == Op.Kind.INSERT && world.seenBy(writer, first) != 0) {
      step("statement " + op + ": fails, the row exists", this::fail);
      return;
    }
    step(
        "statement " + op,
        (next, self) -> {
          self.joined |= shardsOf(op);
          self.open |= shardsOf(op);
          for (int row : op.rows()) {
            int old = world.seenBy(writer, row);
            int now = valueAfter(row);
            if (old != now) {
              change(self, row, old, now);
            }
          }
          self.change = 0;
          if (mutation == Mutation.ENTRY_BEFORE_ROW) {
            nextOp(self);
          } else {
            nextChange(self);
          }
        });
  }

  private void change(Writer self, int row, int old, int now) {
    self.held[row] = (byte) now;
    for (int value : new int[] {old, now}) {
      if (value != 0 && mutation != Mutation.NO_CLAIM) {
        self.claims |= World.claimBit(row, value);
      }
    }
    if (old != 0) {
      self.givenUp |= 1 << World.bit(row, old);
    }
    if (now != 0) {
      self.givenUp &= ~(1 << World.bit(row, now));
    }
  }

  /** To the next row of the statement that has a value, else to the next statement. */
  private void nextChange(Writer self) {
    self.clearLock();
    while (self.change < op.rows().size()) {
      int value = newValue(self);
      if (value != 0 && value != Writer.UNCHANGED) {
        self.at = At.FIRST_CANDIDATE;
        return;
      }
      self.change++;
    }
    self.change = 0;
    if (mutation == Mutation.ENTRY_BEFORE_ROW) {
      self.at = At.STATEMENT;
    } else {
      nextOp(self);
    }
  }

  private int row() {
    return op.rows().get(writer.change);
  }

  private int newValue(Writer self) {
    int row = op.rows().get(self.change);
    return mutation == Mutation.ENTRY_BEFORE_ROW ? op.value() : self.held[row];
  }

  private void nextOp(Writer self) {
    self.op++;
    self.change = 0;
    Op next = script.get(self.op);
    if (next.kind() != Op.Kind.COMMIT) {
      self.at = entryFirst(next) ? At.FIRST_CANDIDATE : At.STATEMENT;
      return;
    }
    if (self.rolledBackToSavepoint && mutation != Mutation.REMOVAL_AFTER_ROLLBACK_TO_SAVEPOINT) {
      self.givenUp = 0;
    }
    boolean reads = self.givenUp != 0 && mutation != Mutation.TOKENS_READ_AFTER_COMMIT;
    self.at = reads ? At.READ_GIVEN_UP : At.COMMIT;
  }

  boolean entryFirst(Op next) {
    return mutation == Mutation.ENTRY_BEFORE_ROW && next.value() != 0;
  }

  private byte token() {
    return (byte) (1 + w * 16 + writer.op);
  }

  private void inserted(Writer self) {
    self.insertedTokens[World.bit(row(), newValue(writer))] = token();
  }

  private void firstCandidate() {
    int value = newValue(writer);
    if (mutation == Mutation.SLOT_0_IS_NOT_REFILLED_AND_NOT_EXISTS) {
      boolean none = !world.hasCandidates(value);
      step(
          "firstCandidate: its snapshot has " + (none ? "none" : "others"),
          (next, self) -> self.at = none ? At.FIRST_CANDIDATE_INSERT : At.LOCK_CANDIDATES);
    } else {
      insertAtSlot0();
    }
  }

  private void insertAtSlot0() {
    int value = newValue(writer);
    String name = "firstCandidate (" + World.valueName(value) + ", " + World.rowName(row()) + ")";
    if (world.slotRow[value][0] != 0) {
      step(name + ": slot 0 is taken", (next, self) -> self.at = At.LOCK_CANDIDATES);
      return;
    }
    step(
        name + ": at slot 0",
        (next, self) -> {
          next.put(value, 0, row(), token());
          inserted(self);
          self.change++;
          nextChange(self);
        });
  }

  private void lockCandidates() {
    int value = newValue(writer);
    boolean gone =
        mutation.refillsSlot0() ? world.slotRow[value][0] == 0 : !world.hasCandidates(value);
    if (gone) {
      step(
          "lockCandidates: gone, again from the start",
          (next, self) -> self.at = At.FIRST_CANDIDATE);
    } else if (mutation == Mutation.CANDIDATES_ARE_LOCKED_AND_READ_BY_ONE_STATEMENT) {
      step(
          "lockCandidates: begins to wait",
          (next, self) -> {
            self.seenRows = next.slotRow[value].clone();
            self.at = At.LOCK_CANDIDATES_WAIT;
          });
    } else if (world.lock[value] == World.NOBODY) {
      step(
          "lockCandidates",
          (next, self) -> {
            next.lock[value] = (byte) w;
            self.seen = (1 << World.SLOTS) - 1;
            self.at = At.JUDGE;
          });
    }
  }

  /** What its snapshot had and is still there. */
  private void lockCandidatesWait() {
    int value = newValue(writer);
    if (world.lock[value] != World.NOBODY) {
      return;
    }
    int seen = 0;
    for (int slot = 0; slot < World.SLOTS; slot++) {
      boolean same = world.slotRow[value][slot] == writer.seenRows[slot];
      seen |= same && writer.seenRows[slot] != 0 ? 1 << slot : 0;
    }
    int locked = seen;
    step(
        "lockCandidates: has waited",
        (next, self) -> {
          self.clearLock();
          if (locked == 0) {
            self.at = At.FIRST_CANDIDATE;
          } else {
            next.lock[value] = (byte) w;
            self.seen = locked;
            self.at = At.JUDGE;
          }
        });
  }

  private boolean isSeen(int slot) {
    return (writer.seen & 1 << slot) != 0 && world.slotRow[newValue(writer)][slot] != 0;
  }

  private void judge() {
    int value = newValue(writer);
    int slot = writer.judged;
    while (slot < World.SLOTS && (!isSeen(slot) || world.slotRow[value][slot] == row() + 1)) {
      slot++;
    }
    if (slot == World.SLOTS) {
      addCandidate();
      return;
    }
    int other = world.slotRow[value][slot] - 1;
    String name = "judge (" + World.valueName(value) + ", " + World.rowName(other) + "): ";
    byte held = writer.held[other];
    if (held == value) {
      step(name + "has it by this transaction, duplicate", this::fail);
    } else if (held != Writer.UNCHANGED
        && World.shardOf(other) != World.shardOf(row())
        && mutation != Mutation.GIVEN_UP_ON_ANOTHER_SHARD_IS_ACCEPTED) {
      step(name + "given up on another shard, conflict", this::fail);
    } else if (held != Writer.UNCHANGED) {
      judged(name + "given up by this transaction", slot, false);
    } else if ((writer.claims & World.claimBit(other, value)) != 0) {
      if (mutation == Mutation.JUDGE_WAITS_FOR_ITS_OWN_CLAIM && writer.isOpen(other)) {
        step(name + "its wait times out", this::fail);
      } else {
        judgeUnderOwnClaim(name, slot, other);
      }
    } else if (!world.isClaimed(other, value, w)
        || mutation == Mutation.JUDGE_READS_THE_ROW_WITHOUT_THE_CLAIM) {
      judgedAs(name, slot, world.rows[other] == value);
    } else if (mutation == Mutation.TAKE_OVER_AFTER_TIMEOUT) {
      judged(name + "its wait times out, taken for dead", slot, true);
    } else if (mutation != Mutation.CLAIM_WAIT_WITHOUT_END) {
      step(name + "its wait times out", this::fail);
    }
  }

  /** Another session reads the row, then the own session must still answer. */
  private void judgeUnderOwnClaim(String name, int slot, int other) {
    if (writer.isOpen(other) || mutation == Mutation.JUDGE_TRUSTS_A_LOST_CLAIM) {
      judgedAs(name, slot, world.rows[other] == newValue(writer));
    } else {
      step(name + "its own session is lost", this::fail);
    }
  }

  private void judgedAs(String name, int slot, boolean alive) {
    if (alive) {
      step(name + "alive, duplicate", this::fail);
    } else {
      judged(name + "dead", slot, true);
    }
  }

  private void judged(String name, int slot, boolean dead) {
    step(
        name,
        (next, self) -> {
          self.judged = slot + 1;
          self.dead |= dead ? 1 << slot : 0;
        });
  }

  private void addCandidate() {
    int value = newValue(writer);
    int own = -1;
    int free = -1;
    for (int slot = World.SLOTS - 1; slot >= 0; slot--) {
      boolean dead = (writer.dead & 1 << slot) != 0;
      if (isSeen(slot) && !dead && world.slotRow[value][slot] == row() + 1) {
        own = slot;
      } else if (!isSeen(slot) || dead) {
        free = slot;
      }
    }
    int ownSlot = own;
    int freeSlot = free;
    if (own < 0 && world.slotRow[value][free] != 0 && (writer.dead & 1 << free) == 0) {
      step("addCandidate: slot " + free + " is taken, fails", this::fail);
      return;
    }
    String name = "(" + World.valueName(value) + ", " + World.rowName(row()) + "), ";
    step(
        (own >= 0 ? "renew " : "addCandidate ") + name + "removes " + Integer.bitCount(writer.dead),
        (next, self) -> {
          for (int slot = 0; slot < World.SLOTS; slot++) {
            if ((writer.dead & 1 << slot) != 0) {
              next.free(value, slot);
            }
          }
          next.put(value, ownSlot >= 0 ? ownSlot : freeSlot, row(), token());
          if (ownSlot < 0) {
            inserted(self);
          }
          if (mutation.refillsSlot0()) {
            next.refill(value);
          }
          next.lock[value] = World.NOBODY;
          self.change++;
          nextChange(self);
        });
  }

  private void readGivenUp() {
    step(
        "readGivenUp",
        (next, self) -> {
          readTokens(next, self);
          self.at = mutation == Mutation.REMOVAL_BEFORE_COMMIT ? At.REMOVE_GIVEN_UP : At.COMMIT;
        });
  }

  private void readTokens(World next, Writer self) {
    for (int row = 0; row < World.ROWS; row++) {
      for (int value = World.X; value <= World.Y; value++) {
        int slot = next.slotOf(value, row);
        if ((self.givenUp & 1 << World.bit(row, value)) != 0 && slot >= 0) {
          self.givenUpTokens[World.bit(row, value)] = next.slotToken[value][slot];
        }
      }
    }
  }

  private void commit() {
    if (writer.joined != writer.open) {
      if (writer.partlyCommitted) {
        step("commit: fails on the other shard", (next, self) -> endWithoutRemoval(self));
      } else {
        step("commit: its session is lost", this::fail);
      }
      return;
    }
    int shard = Integer.numberOfTrailingZeros(writer.joined);
    step(
        "commit on shard " + shard,
        (next, self) -> {
          commitRows(next, self, shard);
          if (self.joined == 0) {
            boolean late = mutation == Mutation.TOKENS_READ_AFTER_COMMIT && self.givenUp != 0;
            if (late) {
              self.at = At.REMOVE_GIVEN_UP;
            } else {
              afterCommit(self);
            }
          }
        });
    if (mutation == Mutation.REMOVAL_AFTER_UNKNOWN_OUTCOME) {
      step(
          "commit on shard " + shard + ": done, its answer is lost",
          (next, self) -> {
            commitRows(next, self, shard);
            fail(next, self);
          });
    }
  }

  private static void endWithoutRemoval(Writer self) {
    self.clearTransaction();
    self.at = At.ENDED;
  }

  private static void commitRows(World next, Writer self, int shard) {
    for (int row = 0; row < World.ROWS; row++) {
      if (World.shardOf(row) == shard && self.held[row] != Writer.UNCHANGED) {
        next.rows[row] = self.held[row];
        self.held[row] = Writer.UNCHANGED;
      }
    }
    self.joined &= ~(1 << shard);
    self.open &= ~(1 << shard);
    self.partlyCommitted = true;
    next.reader.committed(next.rows);
  }

  private void afterCommit(Writer self) {
    if (anyToken(self.givenUpTokens) && mutation != Mutation.REMOVAL_BEFORE_COMMIT) {
      self.at = At.REMOVE_GIVEN_UP;
      return;
    }
    self.clearTransaction();
    self.op++;
    self.at = self.op == script.size() ? At.ENDED : At.STATEMENT;
    if (self.at == At.STATEMENT && entryFirst(script.get(self.op))) {
      self.at = At.FIRST_CANDIDATE;
    }
  }

  private void removeGivenUp() {
    if (mutation == Mutation.TOKENS_READ_AFTER_COMMIT && !anyToken(writer.givenUpTokens)) {
      step(
          "readGivenUp",
          (next, self) -> {
            readTokens(next, self);
            afterCommit(self);
          });
      return;
    }
    removeOne(
        "removeGivenUp ",
        writer.givenUpTokens,
        (next, self) -> {
          if (anyToken(self.givenUpTokens)) {
            return;
          }
          if (mutation == Mutation.REMOVAL_BEFORE_COMMIT) {
            self.at = At.COMMIT;
          } else {
            afterCommit(self);
          }
        });
  }

  private void removeInserted() {
    removeOne(
        "removes what it inserted ", writer.insertedTokens, (next, self) -> afterRollback(self));
  }

  private void removeOne(String name, byte[] tokens, Change then) {
    for (int row = 0; row < World.ROWS; row++) {
      for (int value = World.X; value <= World.Y; value++) {
        int bit = World.bit(row, value);
        if (tokens[bit] != 0) {
          remove(name, value, row, bit, tokens[bit], then);
          return;
        }
      }
    }
  }

  private void remove(String name, int value, int row, int bit, byte token, Change then) {
    if (world.lock[value] != World.NOBODY) {
      return;
    }
    boolean givenUp = writer.at == At.REMOVE_GIVEN_UP;
    step(
        name + "(" + World.valueName(value) + ", " + World.rowName(row) + ", token " + token + ")",
        (next, self) -> {
          next.remove(mutation, value, row, token);
          (givenUp ? self.givenUpTokens : self.insertedTokens)[bit] = 0;
          then.apply(next, self);
        });
  }
}
