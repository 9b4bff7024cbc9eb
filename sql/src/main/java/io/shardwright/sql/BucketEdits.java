package io.shardwright.sql;

import io.shardwright.sql.Clauses.Clause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where {@code bucket_id = ?} goes for each pinned table occurrence, so that keys led by bucket_id
 * serve the statement. The condition is implied by the others, so leaving it out is only slower:
 * places that are not plain are left out.
 */
final class BucketEdits {
  private static final Set<String> AFTER_ON =
      Set.of("JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "ON", "USING");

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
          addToOn(block, source);
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

  private void addToOn(Block block, Source source) {
    int index = tokens.indexAt(source.start);
    int depth = tokens.get(index).depth();
    int end = block.clauses.end();
    while (index < end && !(tokens.get(index).depth() == depth && isJoinWord(index))) {
      index++;
    }
    if (index >= end || !tokens.isAt(index, "ON")) {
      return;
    }
    int last = index + 1;
    int clauseEnd = block.clauses.find("FROM").map(Clause::to).orElse(end);
    while (last < clauseEnd
        && !(tokens.get(last).depth() == depth
            && (isJoinWord(last) || tokens.get(last).isSymbol(",")))) {
      last++;
    }
    if (tokens.isAt(last, "ON") || tokens.isAt(last, "USING")) {
      return; // nested joins: which ON belongs to which join is not plain
    }
    int at = tokens.get(index).end();
    edits.add(condition(at, " ", source, " AND ("));
    edits.add(new Edit.Close(tokens.get(last - 1).end()));
  }

  private boolean isJoinWord(int index) {
    boolean call =
        tokens.isSymbolAt(index + 1, "(")
            && !tokens.isAt(index, "ON")
            && !tokens.isAt(index, "USING")
            && !tokens.isAt(index, "JOIN");
    return AFTER_ON.contains(tokens.get(index).keyword())
        && !tokens.isSymbolAt(index - 1, ".")
        && !call;
  }

  private Edit condition(int at, String before, Source source, String after) {
    int cluster = placement.clusterOf().get(source);
    return new Edit.BucketCondition(at, before, source.qualifier + ".", after, cluster);
  }
}
