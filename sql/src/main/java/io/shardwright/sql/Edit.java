package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.BucketSet;
import io.shardwright.sql.Facts.InList;
import io.shardwright.sql.Facts.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One change of the statement's text for a shard. Edits of one statement do not overlap. */
sealed interface Edit {

  /** Where the replaced text starts; equal to {@link #to} for an insertion. */
  int from();

  int to();

  void render(Rendering out);

  /** A fixed text in place of [from, to). */
  record Replace(int from, int to, String text) implements Edit {
    @Override
    public void render(Rendering out) {
      out.append(text);
    }
  }

  /**
   * {@code qualifier.bucket_id = ?} (or IN), so that keys led by bucket_id serve the statement.
   *
   * @param before inserted text in front of the condition
   * @param after inserted text behind it
   */
  record BucketCondition(int from, String before, String qualifier, String after, int cluster)
      implements Edit {
    /** Beyond this the condition costs more than it saves and is left out. */
    static final int BUCKETS_MAX = 256;

    @Override
    public int to() {
      return from;
    }

    @Override
    public void render(Rendering out) {
      List<BucketId> buckets = out.share().buckets(cluster);
      out.append(before);
      if (buckets.isEmpty() || buckets.size() > BUCKETS_MAX) {
        NotForeign.condition(out, qualifier);
      } else {
        out.append(qualifier).append("bucket_id");
        List<BucketId> named = Padding.filled(buckets);
        out.append(named.size() == 1 ? " = ?" : " IN (?" + ", ?".repeat(named.size() - 1) + ")");
        named.forEach(bucket -> out.argument(bucket.value()));
      }
      out.append(after);
    }
  }

  /**
   * {@code (bucket_id = ? AND column = ?) OR ...} for an IN list of the column, each of whose
   * elements has a bucket.
   *
   * <p>Problem: of a list of buckets beside a list of keys MariaDB makes a range for each bucket
   * with each key, 4,096 for 64 keys. Idea: a range for each key with its own bucket. Not as rows
   * ({@code (a, b) IN ((1, 2))}), which MariaDB compares otherwise than values: it misses text of
   * another character set, and large unsigned numbers.
   *
   * @param otherwise where the share is of no list, as when the values of a parameter were not
   *     known when the statement was planned, and where the pairs are of one bucket or none, or too
   *     many
   * @param column quoted
   */
  record PairCondition(BucketCondition otherwise, String column, InList list) implements Edit {
    /**
     * Where a second index starts with the column, the time of MariaDB's planning grows with the
     * square of the pairs. Measured in docs/performance.md.
     */
    static final int PAIRS_MAX = 64;

    @Override
    public int from() {
      return otherwise.from();
    }

    @Override
    public int to() {
      return otherwise.to();
    }

    @Override
    public void render(Rendering out) {
      List<Integer> elements = list.filled(out.share().elements());
      if (!out.share().list().equals(Optional.of(list))
          || elements.size() > PAIRS_MAX
          || out.share().buckets(otherwise.cluster()).size() < 2) {
        otherwise.render(out);
        return;
      }
      List<BucketId> buckets = list.filled(out.share().elementBuckets());
      String qualifier = otherwise.qualifier();
      String separator = "(";
      out.append(otherwise.before());
      for (int i = 0; i < elements.size(); i++) {
        out.append(separator).append("(").append(qualifier).append("bucket_id = ?");
        out.argument(buckets.get(i).value());
        out.append(" AND ").append(qualifier).append(column).append(" = ");
        list.render(out, elements.get(i));
        out.append(")");
        separator = " OR ";
      }
      out.append(")").append(otherwise.after());
    }
  }

  /** Leaves out the rows of buckets that the shard does not own. */
  record NotForeign(int from, String before, String qualifier, String after) implements Edit {
    @Override
    public int to() {
      return from;
    }

    @Override
    public void render(Rendering out) {
      out.append(before);
      condition(out, qualifier);
      out.append(after);
    }

    static void condition(Rendering out, String qualifier) {
      List<BucketSet.Range> foreign = out.share().foreign();
      List<Integer> single =
          foreign.stream().filter(r -> r.first() == r.last()).map(BucketSet.Range::first).toList();
      String separator = "";
      if (!single.isEmpty()) {
        out.append(qualifier).append("bucket_id NOT IN (?").append(", ?".repeat(single.size() - 1));
        out.append(")");
        single.forEach(out::argument);
        separator = " AND ";
      }
      for (BucketSet.Range range : foreign) {
        if (range.first() < range.last()) {
          out.append(separator).append(qualifier).append("bucket_id NOT BETWEEN ? AND ?");
          out.argument(range.first());
          out.argument(range.last());
          separator = " AND ";
        }
      }
      out.append(foreign.isEmpty() ? "true" : "");
    }
  }

  /** What stands around a condition, and the qualifier of its columns with its dot. */
  record Around(String before, String qualifier, String after) {}

  /** {@code bucket_id = ? AND id IN (?, ?)} for each bucket of the shard, joined by OR. */
  record RowCondition(
      int from,
      Around around,
      int cluster,
      List<String> primaryKey,
      Map<BucketId, List<List<Object>>> keys)
      implements Edit {
    static RowCondition of(int from, Around around, int cluster, BucketEdits.RowEdits rows) {
      Map<BucketId, List<List<Object>>> keys = new HashMap<>();
      for (ListIndex.Row row : new LinkedHashSet<>(rows.rows())) {
        keys.computeIfAbsent(row.bucket(), bucket -> new ArrayList<>()).add(row.primaryKey());
      }
      return new RowCondition(from, around, cluster, rows.primaryKey(), keys);
    }

    @Override
    public int to() {
      return from;
    }

    @Override
    public void render(Rendering out) {
      List<BucketId> buckets = out.share().buckets(cluster);
      out.append(around.before()).append(buckets.size() > 1 ? "(" : "");
      String separator = "";
      for (BucketId bucket : buckets) {
        out.append(separator).append(buckets.size() > 1 ? "(" : "");
        out.append(around.qualifier()).append("bucket_id = ?").argument(bucket.value());
        out.append(" AND ");
        render(out, keys.get(bucket));
        out.append(buckets.size() > 1 ? ")" : "");
        separator = " OR ";
      }
      out.append(buckets.isEmpty() ? "false" : buckets.size() > 1 ? ")" : "");
      out.append(around.after());
    }

    private void render(Rendering out, List<List<Object>> rows) {
      if (primaryKey.size() == 1) {
        out.append(around.qualifier()).append(primaryKey.get(0)).append(" IN (");
        String separator = "";
        for (List<Object> row : rows) {
          out.append(separator).given(row.get(0));
          separator = ", ";
        }
        out.append(")");
        return;
      }
      String separator = "(";
      for (List<Object> row : rows) {
        for (int i = 0; i < primaryKey.size(); i++) {
          out.append(i == 0 ? separator + "(" : " AND ");
          out.append(around.qualifier()).append(primaryKey.get(i)).append(" = ").given(row.get(i));
        }
        out.append(")");
        separator = " OR ";
      }
      out.append(")");
    }
  }

  /** Closes the parenthesis that a {@link BucketCondition} opened. */
  record Close(int from) implements Edit {
    @Override
    public int to() {
      return from;
    }

    @Override
    public void render(Rendering out) {
      out.append(")");
    }
  }

  /** Keeps those elements of an IN list that belong to the shard. */
  record KeepElements(InList list) implements Edit {
    @Override
    public int from() {
      return list.elements().get(0).from();
    }

    @Override
    public int to() {
      return list.elements().get(list.elements().size() - 1).to();
    }

    @Override
    public void render(Rendering out) {
      String separator = "";
      for (int element : list.filled(out.share().elements())) {
        out.append(separator);
        list.render(out, element);
        separator = ", ";
      }
    }
  }

  /**
   * Keeps those VALUES rows that belong to the shard.
   *
   * @param addBucket true to put the bucket in front of each row's values
   * @param ids that the driver issues for them
   */
  record KeepRows(List<Place> rows, boolean addBucket, Optional<IssuedIds> ids) implements Edit {
    @Override
    public int from() {
      return rows.get(0).from();
    }

    @Override
    public int to() {
      return rows.get(rows.size() - 1).to();
    }

    @Override
    public void render(Rendering out) {
      String separator = "";
      for (int i = 0; i < out.share().elements().size(); i++) {
        Place row = rows.get(out.share().elements().get(i));
        out.append(separator).append("(");
        if (addBucket) {
          out.append("?, ").argument(out.share().elementBuckets().get(i).value());
        }
        int from = row.from() + 1;
        if (ids.isPresent()) {
          from = ids.get().render(out, i, from);
        }
        out.copy(from, row.to());
        separator = ", ";
      }
    }
  }

  /** The bucket in front of the assignments of INSERT ... SET. */
  record BucketAssignment(int from) implements Edit {
    @Override
    public int to() {
      return from;
    }

    @Override
    public void render(Rendering out) {
      out.append("bucket_id = ?, ").argument(out.share().elementBuckets().get(0).value());
    }
  }

  /** The id that the driver issues, among the assignments of INSERT ... SET. */
  record IdAssignment(int from, int to, IssuedIds ids) implements Edit {
    @Override
    public void render(Rendering out) {
      if (ids.added()) {
        out.append(ids.name()).append(" = ");
      }
      ids.render(out, 0, from);
    }
  }

  /**
   * LIMIT of a shard: offset and limit of the statement together; nothing when there is no limit.
   * Where the statement says them as numbers, the shard gets a number: PostgreSQL plans anew for
   * each execution when it does not know how few rows are wanted.
   */
  record ShardLimit(int from, int to) implements Edit {
    @Override
    public void render(Rendering out) {
      OptionalLong limit = out.share().limit();
      if (limit.isEmpty()) {
        return;
      }
      if (out.hasParameters(from, to)) {
        out.append("LIMIT ?").argument(limit.getAsLong());
      } else {
        out.append("LIMIT " + limit.getAsLong());
      }
    }
  }

  /** The columns that a shard sends to a last statement, in place of the select list. */
  record StageColumns(int from, int to, List<StageColumn> columns) implements Edit {
    @Override
    public void render(Rendering out) {
      String separator = "";
      for (StageColumn column : columns) {
        out.append(separator).append(column.before());
        out.copy(column.place().from(), column.place().to());
        out.append(column.after());
        separator = ", ";
      }
    }
  }

  /**
   * One of them: a text of the statement.
   *
   * @param before put in front of it, such as {@code SUM}
   * @param after put behind it, such as {@code DESC}
   */
  record StageColumn(String before, Place place, String after) {}
}
