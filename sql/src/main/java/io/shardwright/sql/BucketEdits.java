package io.shardwright.sql;

import io.shardwright.sql.Clauses.Clause;
import io.shardwright.sql.Facts.InList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where {@code bucket_id = ?} goes for table occurrences, so that keys led by bucket_id serve the
 * statement. For an occurrence that is pinned by its own conditions it is implied by them, so
 * leaving it out is only slower: places that are not plain are left out. Of a list of keys these
 * conditions imply, too, that each key comes with its own bucket.
 */
final class BucketEdits {
  private final SqlTokens tokens;
  private final Map<Source, Integer> clusterOf;
  private final Optional<RowEdits> rows;
  private final Optional<Listed> list;
  private final List<Edit> edits = new ArrayList<>();
  private boolean complete = true;

  private BucketEdits(
      SqlTokens tokens,
      Map<Source, Integer> clusterOf,
      Optional<RowEdits> rows,
      Optional<Listed> list) {
    this.tokens = tokens;
    this.clusterOf = clusterOf;
    this.rows = rows;
    this.list = list;
  }

  /** The list whose elements have the buckets of a cluster. */
  private record Listed(InList list, int cluster) {}

  /**
   * Of one occurrence only these rows are meant.
   *
   * @param primaryKey quoted, without bucket_id
   */
  record RowEdits(Source source, List<String> primaryKey, List<ListIndex.Row> rows) {}

  /** For each pinned occurrence the buckets of its cluster. */
  static List<Edit> of(SqlTokens tokens, List<Block> blocks, Placement placement) {
    Optional<Listed> list =
        placement
            .rootCondition()
            .filter(root -> tokens.dialect().multipliesLists())
            .flatMap(KeyCondition::list)
            .map(root -> new Listed(root, placement.rootCluster().orElseThrow()));
    BucketEdits result = new BucketEdits(tokens, placement.clusterOf(), Optional.empty(), list);
    blocks.forEach(result::add);
    return result.edits;
  }

  /** The same, with the keys of rows where these are known. */
  static List<Edit> ofRows(
      SqlTokens tokens, List<Block> blocks, Placement placement, RowEdits rows) {
    BucketEdits result =
        new BucketEdits(tokens, placement.clusterOf(), Optional.of(rows), Optional.empty());
    blocks.forEach(result::add);
    return result.edits;
  }

  /**
   * For every occurrence of a sharded table the buckets of cluster 0, which its own conditions do
   * not imply.
   *
   * @return empty when a place is not plain, so that the condition cannot be added everywhere
   */
  static Optional<List<Edit>> everywhere(SqlTokens tokens, List<Block> blocks) {
    Map<Source, Integer> all = new HashMap<>();
    for (Block block : blocks) {
      block.sources.stream().filter(Source::isSharded).forEach(source -> all.put(source, 0));
    }
    BucketEdits result = new BucketEdits(tokens, all, Optional.empty(), Optional.empty());
    blocks.forEach(result::add);
    return result.complete ? Optional.of(result.edits) : Optional.empty();
  }

  /**
   * Leaves out what a shard does not own, where each row of the statement has a row of {@code root}
   * and all others go with it: its place is plain.
   */
  static List<Edit> notForeign(SqlTokens tokens, List<Block> blocks, Source root) {
    Block block = blocks.stream().filter(b -> b.sources.contains(root)).findFirst().orElseThrow();
    Optional<Clause> where = block.clauses.find("WHERE");
    String qualifier = root.qualifier + ".";
    if (where.isEmpty()) {
      return List.of(new Edit.NotForeign(block.clauses.endOfSources(), " WHERE ", qualifier, ""));
    }
    int at = tokens.get(where.get().keyword()).end();
    return List.of(
        new Edit.NotForeign(at, " ", qualifier, " AND ("),
        new Edit.Close(block.clauses.endBefore(where.get().to())));
  }

  private void add(Block block) {
    if (block.hasJoin(Source.Join.OTHER)) {
      complete &= block.sources.stream().noneMatch(clusterOf::containsKey);
      return;
    }
    List<Source> inWhere = new ArrayList<>();
    for (Source source : block.sources) {
      if (clusterOf.containsKey(source)) {
        if (source.join == Source.Join.OPTIONAL) {
          complete &= source.on.isPresent();
          addToOn(source);
        } else {
          inWhere.add(source);
        }
      }
    }
    if (!inWhere.isEmpty()) {
      addToWhere(block, inWhere);
    }
  }

  private void addToWhere(Block block, List<Source> sources) {
    Optional<Clause> where = block.clauses.find("WHERE");
    int at = where.map(w -> tokens.get(w.keyword()).end()).orElseGet(block.clauses::endOfSources);
    String before = where.isPresent() ? " " : " WHERE ";
    for (Source source : sources) {
      edits.add(condition(at, before, source, ""));
      before = " AND ";
    }
    where.ifPresent(
        clause -> {
          edits.add(new Edit.Replace(at, at, " AND ("));
          edits.add(new Edit.Close(block.clauses.endBefore(clause.to())));
        });
  }

  private void addToOn(Source source) {
    source.on.ifPresent(
        on -> {
          Facts.Place place = on.place(tokens);
          edits.add(condition(tokens.get(on.from() - 1).end(), " ", source, " AND ("));
          edits.add(new Edit.Close(place.to()));
        });
  }

  private Edit condition(int at, String before, Source source, String after) {
    int cluster = clusterOf.get(source);
    if (rows.filter(r -> r.source() == source).isPresent()) {
      return Edit.RowCondition.of(
          at, new Edit.Around(before, source.qualifier + ".", after), cluster, rows.get());
    }
    Edit.BucketCondition buckets =
        new Edit.BucketCondition(at, before, source.qualifier + ".", after, cluster);
    return listed(source, cluster)
        .<Edit>map(
            column ->
                new Edit.PairCondition(
                    buckets, tokens.dialect().quote(column), list.orElseThrow().list()))
        .orElse(buckets);
  }

  /**
   * The column of the occurrence that has the list's values and, with what else its own conditions
   * say, decides its bucket.
   */
  private Optional<String> listed(Source source, int cluster) {
    if (list.isEmpty() || list.get().cluster() != cluster) {
      return Optional.empty();
    }
    Schema.Sharding sharding = source.sharding().orElseThrow();
    return Stream.of(
            sharding.key().stream(),
            sharding.id().stream().map(Schema.GeneIdColumn::column),
            sharding.numbers().stream().map(Schema.NumberColumn::column))
        .flatMap(columns -> columns)
        .filter(column -> source.facts.same(source.column(column), list.get().list().column()))
        .findFirst();
  }
}
