package io.shardwright.sql;

import io.shardwright.sql.Clauses.Clause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where {@code bucket_id = ?} goes for each pinned table occurrence, so that keys led by bucket_id
 * serve the statement. The condition is implied by the others, so leaving it out is only slower:
 * places that are not plain are left out.
 */
final class BucketEdits {
  private final SqlTokens tokens;
  private final Placement placement;
  private final List<Edit> edits = new ArrayList<>();

  private BucketEdits(SqlTokens tokens, Placement placement) {
    this.tokens = tokens;
    this.placement = placement;
  }

  static List<Edit> of(SqlTokens tokens, List<Block> blocks, Placement placement) {
    BucketEdits result = new BucketEdits(tokens, placement);
    blocks.forEach(result::add);
    return result.edits;
  }

  private void add(Block block) {
    if (block.hasJoin(Source.Join.OTHER)) {
      return;
    }
    List<Source> inWhere = new ArrayList<>();
    for (Source source : block.sources) {
      if (placement.clusterOf().containsKey(source)) {
        if (source.join == Source.Join.OPTIONAL) {
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
    int cluster = placement.clusterOf().get(source);
    return new Edit.BucketCondition(at, before, source.qualifier + ".", after, cluster);
  }
}
