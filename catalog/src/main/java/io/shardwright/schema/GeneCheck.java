package io.shardwright.schema;

import io.shardwright.catalog.ObjectName;
import io.shardwright.routing.GeneIdLayout;

/**
 * The CHECK that ties the gene of a table's ids to its bucket_id. Without it one foreign id would
 * make a look-up by id answer "none" falsely.
 */
record GeneCheck(ShardDatabase database, String table, String column, GeneIdLayout layout)
    implements RowCheck {
  private static final String PREFIX = "shardwright_gene_";

  /** {@code shardwright_gene_<table>}; a long table name is cut and ends in a hash of it. */
  @Override
  public String name() {
    return ObjectName.fit(PREFIX, table);
  }

  @Override
  public boolean isDefinedBy(String definition) {
    return database.bare(definition).equals(database.bare("CHECK " + expression()));
  }

  /** True for an id whose gene is the bucket, and for NULL. */
  @Override
  public String expression() {
    String id = database.quote(column);
    return "("
        + id
        + " >= 0 AND (("
        + id
        + " >> "
        + layout.geneShift()
        + ") & "
        + (layout.buckets() - 1)
        + ") = "
        + ShardSchema.BUCKET_COLUMN
        + ")";
  }

  /** Of ids that can name more buckets, or fewer, the gene is elsewhere. */
  @Override
  public Mismatch mismatch(String definition) {
    for (int genes : GeneIdLayout.PUBLISHED) {
      GeneCheck other = new GeneCheck(database, table, column, GeneIdLayout.forBuckets(genes));
      if (other.isDefinedBy(definition)) {
        return new Mismatch(
            "is of ids that name "
                + genes
                + " buckets, and the file has ids that name "
                + layout.buckets(),
            "an id stays what it is: write genes: "
                + genes
                + " for column "
                + column
                + ", and no directory that needs more; for more use a new group");
      }
    }
    return RowCheck.super.mismatch(definition);
  }

  @Override
  public String broken() {
    return "whose " + column + " names another bucket than bucket_id";
  }

  @Override
  public String remedy() {
    return "find them with shardwright verify --placement -c FILE, correct them, run apply again";
  }
}
