package io.shardwright.config;

import io.shardwright.config.Configuration.CodecColumn;
import io.shardwright.config.Configuration.GeneIdColumn;
import io.shardwright.config.Configuration.IdColumn;
import io.shardwright.config.Configuration.OrderNumberColumn;
import io.shardwright.config.Configuration.SegmentColumn;
import io.shardwright.config.Configuration.SnowflakeColumn;
import io.shardwright.config.Configuration.UuidColumn;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.ids.KeyCodec;
import io.shardwright.ids.OrderNumberFormat;
import io.shardwright.routing.BucketFunction;
import io.shardwright.routing.GeneIdLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;

/** {@code id} of a group: one column or a list of columns. */
final class IdMapping {
  private static final String COLUMN = "write id: {column: order_id, type: gene}";
  private static final List<String> TYPES =
      List.of("gene", "codec", "order_number", "snowflake", "segment", "uuid7");

  private final YamlMap group;
  private final List<String> key;
  private final OptionalInt buckets;
  private final OptionalInt all;
  private final UnaryOperator<String> folded;
  private final Set<String> seen = new HashSet<>();

  /**
   * @param key the group's, folded
   * @param buckets V; empty when it is missing or wrong
   * @param all V and the reserved ones; empty as V
   * @param folded column names as the database compares them
   */
  IdMapping(
      YamlMap group,
      List<String> key,
      OptionalInt buckets,
      OptionalInt all,
      UnaryOperator<String> folded) {
    this.group = group;
    this.key = key;
    this.buckets = buckets;
    this.all = all;
    this.folded = folded;
  }

  List<IdColumn> columns() {
    if (!group.has("id")) {
      return List.of();
    }
    List<IdColumn> columns = new ArrayList<>();
    for (YamlMap id : group.maps("id")) {
      column(id)
          .ifPresent(
              column -> {
                if (column instanceof GeneIdColumn
                    && columns.stream().anyMatch(GeneIdColumn.class::isInstance)) {
                  id.problem("type", "is a second column of gene ids", "a group has one");
                }
                columns.add(column);
              });
    }
    return columns;
  }

  private Optional<IdColumn> column(YamlMap id) {
    String type = id.has("type") ? id.text("type").orElse("") : "gene";
    id.allow(
        switch (type) {
          case "codec" -> List.of("column", "type", "pattern");
          case "order_number" -> List.of("column", "type", "prefix", "genes");
          case "segment" -> List.of("column", "type", "block");
          case "gene" -> List.of("column", "type", "genes");
          default -> List.of("column", "type");
        });
    Optional<String> column = id.requireText("column", COLUMN).map(folded);
    column.ifPresent(name -> checkColumn(id, name));
    return column.flatMap(
        name ->
            switch (type) {
              case "gene" -> outsideKey(id, name).flatMap(n -> geneId(id, n));
              case "codec" -> codec(id, name);
              case "order_number" -> outsideKey(id, name).flatMap(n -> orderNumber(id, n));
              case "snowflake" -> Optional.of(new SnowflakeColumn(name));
              case "segment" -> segment(id, name);
              case "uuid7" -> Optional.of(new UuidColumn(name));
              default -> unknown(id, type);
            });
  }

  private void checkColumn(YamlMap id, String name) {
    GroupMapping.nameMistake(name, "column").ifPresent(m -> id.problem("column", m));
    if (!seen.add(name)) {
      id.problem("column", "column " + name + " is there twice", "name it once");
    }
  }

  private Optional<String> outsideKey(YamlMap id, String name) {
    if (key.contains(name)) {
      id.problem(
          "column",
          "is a route key column, whose hash would have to be known to issue the id",
          "use another column");
    }
    return Optional.of(name);
  }

  private Optional<IdColumn> codec(YamlMap id, String name) {
    Optional<String> pattern =
        id.requireText("pattern", "write e.g. pattern: 'h2r_{base36 user_id}_{base36 id}'");
    try {
      Optional<KeyCodec> codec = pattern.map(text -> KeyCodec.of(text, folded));
      codec.ifPresent(c -> checkPattern(id, name, c.columns()));
      return codec.map(c -> new CodecColumn(name, c));
    } catch (ShardwrightException e) {
      id.problem("pattern", "cannot be read", e.detail());
      return Optional.empty();
    }
  }

  private void checkPattern(YamlMap id, String name, List<String> columns) {
    List<String> missing = key.stream().filter(column -> !columns.contains(column)).toList();
    if (!missing.isEmpty()) {
      id.problem(
          "pattern",
          "lacks the route key column " + String.join(", ", missing),
          "name each column of the key " + key + ", so that the text alone routes");
    }
    if (columns.contains(name)) {
      id.problem("pattern", "names its own column " + name, "name the columns that it holds");
    }
    columns.forEach(
        column ->
            GroupMapping.nameMistake(column, "column").ifPresent(m -> id.problem("pattern", m)));
  }

  private Optional<IdColumn> geneId(YamlMap id, String name) {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    if (!GeneIdLayout.existsFor(buckets.getAsInt())) {
      group.problem(
          "buckets",
          "is " + buckets.getAsInt() + ", for which there are no gene ids",
          "with id of type gene: use 1024, 4096 or 16384");
      return Optional.empty();
    }
    OptionalInt least = GeneIdLayout.leastFor(all.getAsInt());
    if (least.isEmpty()) {
      group.problem(
          "directory",
          "makes " + all.getAsInt() + " buckets, more than gene ids can name",
          "with id of type gene: use buckets: 4096 or 1024, beside which there is room");
      return Optional.empty();
    }
    return genes(id, least.getAsInt())
        .filter(
            genes -> {
              if (!GeneIdLayout.existsFor(genes)) {
                id.problem("genes", "is " + genes, "use 1024, 4096 or 16384");
              }
              return GeneIdLayout.existsFor(genes);
            })
        .map(genes -> new GeneIdColumn(name, genes));
  }

  /** How many buckets an id can name: more than there are leave room for a directory to come. */
  private Optional<Integer> genes(YamlMap id, int least) {
    if (!id.has("genes")) {
      return Optional.of(least);
    }
    OptionalInt genes = id.integer("genes", 1, BucketFunction.MAX_BUCKETS);
    if (genes.isPresent() && genes.getAsInt() < all.getAsInt()) {
      id.problem(
          "genes",
          "is " + genes.getAsInt() + ", fewer than the " + all.getAsInt() + " buckets",
          "write a number that names all, those of the directory too");
      return Optional.empty();
    }
    return genes.isPresent() ? Optional.of(genes.getAsInt()) : Optional.empty();
  }

  private Optional<IdColumn> orderNumber(YamlMap id, String name) {
    String prefix = id.has("prefix") ? id.text("prefix").orElse("") : "";
    Optional<Integer> genes = all.isEmpty() ? Optional.empty() : genes(id, all.getAsInt());
    try {
      return genes.map(
          number -> new OrderNumberColumn(name, new OrderNumberFormat(prefix, number)));
    } catch (ShardwrightException e) {
      id.problem("prefix", "is " + id.shown("prefix"), "use up to 8 letters A-Z, or leave it out");
      return Optional.empty();
    }
  }

  private static Optional<IdColumn> segment(YamlMap id, String name) {
    OptionalInt block =
        id.has("block")
            ? id.integer("block", 1, SegmentColumn.BLOCK_MAX)
            : OptionalInt.of(SegmentColumn.BLOCK_DEFAULT);
    return block.isEmpty()
        ? Optional.empty()
        : Optional.of(new SegmentColumn(name, block.getAsInt()));
  }

  private static Optional<IdColumn> unknown(YamlMap id, String type) {
    id.problem(
        "type",
        "is " + id.shown("type"),
        Nearest.to(type, TYPES)
            .map(name -> "did you mean " + name + "?")
            .orElse("use " + String.join(", ", TYPES)));
    return Optional.empty();
  }
}
