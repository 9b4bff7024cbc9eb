package io.shardwright.schema;

import io.shardwright.catalog.ObjectName;
import io.shardwright.routing.Directory;
import io.shardwright.routing.KeyType;
import java.util.ArrayList;
import java.util.List;

/**
 * The CHECK that rows of a key of the directory are in its reserved buckets. It proves that the
 * entry is older than the key's first row, and stops whoever still routes by the directory of
 * before.
 *
 * @param key the table's route key columns
 * @param types of the first of them, which the entry names
 */
record DirectoryCheck(
    ShardDatabase database,
    String table,
    List<String> key,
    List<KeyType> types,
    Directory.Entry entry)
    implements RowCheck {
  static final String PREFIX = "shardwright_dir_";

  @Override
  public String name() {
    return name(entry, table);
  }

  static String name(Directory.Entry entry, String table) {
    return ObjectName.fit(PREFIX + entry.first() + "_", table);
  }

  /** Servers print values in forms of their own; the first bucket names the entry. */
  @Override
  public boolean isDefinedBy(String definition) {
    return database.bare(definition).contains(ShardSchema.BUCKET_COLUMN + ">=" + entry.first())
        || database.bare(definition).contains(ShardSchema.BUCKET_COLUMN + "=" + entry.first());
  }

  /**
   * Of an entry of the key's first columns only that the bucket is no hashed one: a longer entry
   * may have taken some of its keys.
   */
  @Override
  public String expression() {
    List<String> others = new ArrayList<>();
    for (int i = 0; i < entry.key().size(); i++) {
      others.add(database.quote(key.get(i)) + " <> " + literal(types.get(i), entry.key().get(i)));
    }
    boolean whole = entry.key().size() == key.size();
    others.add(
        ShardSchema.BUCKET_COLUMN + (whole ? " = " + entry.first() : " >= " + entry.first()));
    return "(" + String.join(" OR ", others) + ")";
  }

  private static String literal(KeyType type, String value) {
    String canonical = type.canonical(value).orElseThrow().toString();
    return type == KeyType.INTEGER ? canonical : "'" + canonical.replace("'", "''") + "'";
  }

  @Override
  public String broken() {
    return "of a key whose buckets "
        + entry.buckets()
        + " the directory reserves, and they are in others";
  }

  @Override
  public String remedy() {
    return "an entry is declared before the key's first row: delete these rows, or take the entry"
        + " out of the file and run apply again";
  }
}
