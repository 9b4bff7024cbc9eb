package io.shardwright.schema;

import io.shardwright.routing.KeyType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The tables of one shard as they are.
 *
 * @param tables by name; one that does not exist, or is a view or a foreign table, is absent
 * @param misfits what keeps the server, or one of the tables, from being used
 */
public record ShardSchema(
    ServerSettings settings, Map<String, Table> tables, List<Misfit> misfits) {
  public static final String BUCKET_COLUMN = "bucket_id";

  public ShardSchema {
    tables = Map.copyOf(tables);
    misfits = List.copyOf(misfits);
  }

  ShardSchema withSettings(ServerSettings changed) {
    return new ShardSchema(changed, tables, misfits);
  }

  /**
   * Something that statements cannot be right with.
   *
   * @param table empty: no statement can
   * @param action what to do about it
   */
  public record Misfit(Optional<String> table, String message, String action) {}

  public Optional<Table> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * What must be equal on all shards for their answers to be merged.
   *
   * @param release what changes only by an upgrade, e.g. {@code 17}, {@code 11.4}
   * @param timeZone set for the database or the role; empty when the server's file decides
   * @param collation of the database, with its provider, e.g. {@code libc en_US.UTF-8}
   * @param collationVersion of the library in use; empty when the provider has none
   * @param others of this product, by the server's names
   */
  public record ServerSettings(
      String version,
      String release,
      Optional<String> timeZone,
      String encoding,
      String collation,
      Optional<String> collationVersion,
      Map<String, String> others) {
    public ServerSettings {
      others = Map.copyOf(others);
    }

    ServerSettings withTimeZone(String zone) {
      return new ServerSettings(
          version, release, Optional.of(zone), encoding, collation, collationVersion, others);
    }
  }

  /**
   * One table.
   *
   * @param columns in declared order
   * @param uniques primary key, unique and exclusion constraints, and unique indexes without one
   * @param indexes all, those of constraints included
   */
  public record Table(
      String name,
      List<Column> columns,
      List<Unique> uniques,
      List<ForeignKey> foreignKeys,
      List<Check> checks,
      List<Index> indexes) {
    public Table {
      columns = List.copyOf(columns);
      uniques = List.copyOf(uniques);
      foreignKeys = List.copyOf(foreignKeys);
      checks = List.copyOf(checks);
      indexes = List.copyOf(indexes);
    }

    public Optional<Column> column(String column) {
      return columns.stream().filter(c -> c.name().equals(column)).findFirst();
    }
  }

  /** Where a column's value comes from when a statement gives none. */
  public enum Source {
    NOTHING,
    /** A default of constants and immutable functions: equal on every shard. */
    DEFAULT,
    /** A default that can differ between calls or shards, such as {@code now()}. */
    VOLATILE,
    /** serial: a default that draws from a sequence of this shard. */
    SEQUENCE,
    IDENTITY,
    /** Computed from other columns; cannot be written. */
    GENERATED
  }

  /**
   * One column.
   *
   * @param name as the database compares it: MariaDB's are in lower case
   * @param type as declared, e.g. {@code timestamp(3) with time zone}
   * @param typeName as the catalog names it, e.g. {@code int8}, {@code text}, {@code bigint
   *     unsigned}
   * @param maxLength characters of a varchar(n); a longer value whose excess is spaces is cut by
   *     the server
   * @param defaultExpression the column's, or that of its domain
   * @param keyType of any column, whether it is part of a key or not; two columns of one KeyType
   *     hold equal values exactly when their canonical bytes are equal. Empty when the type has no
   *     such form, a text of a non-deterministic collation among them
   * @param collation of types that have one
   * @param ordering how its values compare, as far as it is known outside the server
   */
  public record Column(
      String name,
      String type,
      String typeName,
      OptionalInt maxLength,
      boolean nullable,
      Source source,
      Optional<String> defaultExpression,
      Optional<KeyType> keyType,
      Optional<Collation> collation,
      Ordering ordering) {}

  /** Whether values that come back from several shards can be compared here as a shard would. */
  public enum Ordering {
    /** As numbers, instants or byte strings. */
    NATURAL,
    /** Texts, by their code points. */
    CODE_POINT,
    /** Values are equal exactly when they are equal here; their order is not known. */
    EQUALITY_ONLY,
    /** Different values can be equal, or values come back changed. */
    UNKNOWN
  }

  /**
   * The collation of a column.
   *
   * @param codePointOrder texts compare by their code points, which is the order of their UTF-8
   *     bytes
   * @param deterministic false: different byte strings can be equal
   * @param version of the library in use; empty when the provider has none
   */
  public record Collation(
      String name, boolean codePointOrder, boolean deterministic, Optional<String> version) {
    Ordering ordering() {
      if (!deterministic) {
        return Ordering.UNKNOWN;
      }
      return codePointOrder ? Ordering.CODE_POINT : Ordering.EQUALITY_ONLY;
    }
  }

  /** What enforces uniqueness. */
  public enum UniqueKind {
    PRIMARY_KEY("primary key"),
    CONSTRAINT("unique constraint"),
    INDEX("unique index"),
    EXCLUSION("exclusion constraint");

    private final String words;

    UniqueKind(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * Columns that are unique together, within this shard.
   *
   * @param columns names, or the text of an expression
   */
  public record Unique(String name, UniqueKind kind, List<String> columns) {
    public Unique {
      columns = List.copyOf(columns);
    }
  }

  /**
   * A foreign key.
   *
   * @param targetColumns at the positions of {@code columns}
   * @param onDelete e.g. {@code NO ACTION}, {@code CASCADE}
   */
  public record ForeignKey(
      String name,
      List<String> columns,
      String target,
      List<String> targetColumns,
      String onDelete,
      String onUpdate) {
    public ForeignKey {
      columns = List.copyOf(columns);
      targetColumns = List.copyOf(targetColumns);
    }
  }

  /**
   * A check constraint.
   *
   * @param definition as the server prints it
   * @param validated false: rows older than the constraint have not been checked
   */
  public record Check(String name, String definition, boolean validated) {}

  /**
   * An index.
   *
   * @param columns names, or the text of an expression; without included ones
   * @param partial it holds only rows that satisfy a predicate
   */
  public record Index(String name, List<String> columns, boolean unique, boolean partial) {
    public Index {
      columns = List.copyOf(columns);
    }
  }
}
