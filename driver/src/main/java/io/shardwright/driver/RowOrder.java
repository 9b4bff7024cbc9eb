package io.shardwright.driver;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** From which shard the next row of a merged result comes. */
interface RowOrder {
  /**
   * Moves to the next row.
   *
   * @return the physical result set that is on it, or null after the last row
   */
  ResultSet next() throws SQLException;

  /** Any of the physical result sets: all have the same columns. */
  ResultSet any();

  /** One shard's rows after the other's. */
  final class Concatenated implements RowOrder {
    private final List<ShardCall> shards;
    private int at;

    Concatenated(List<ShardCall> shards) {
      this.shards = shards;
    }

    @Override
    public ResultSet next() throws SQLException {
      for (; at < shards.size(); at++) {
        if (shards.get(at).next()) {
          return shards.get(at).rows();
        }
      }
      return null;
    }

    @Override
    public ResultSet any() {
      return shards.get(0).rows();
    }
  }

  /**
   * In a given sequence of shards. A shard that has fewer rows than the sequence says (ON CONFLICT
   * DO NOTHING) is passed over from there on, so that no row is lost.
   */
  final class Sequenced implements RowOrder {
    private final List<ShardCall> shards;
    private final int[] sequence;
    private final Concatenated rest;
    private int at;

    Sequenced(List<ShardCall> shards, int[] sequence) {
      this.shards = shards;
      this.sequence = sequence;
      this.rest = new Concatenated(shards);
    }

    @Override
    public ResultSet next() throws SQLException {
      while (at < sequence.length) {
        ShardCall shard = shards.get(sequence[at++]);
        if (shard.next()) {
          return shard.rows();
        }
      }
      return rest.next();
    }

    @Override
    public ResultSet any() {
      return shards.get(0).rows();
    }
  }
}
