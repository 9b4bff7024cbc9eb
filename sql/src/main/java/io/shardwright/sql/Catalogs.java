package io.shardwright.sql;

import static io.shardwright.sql.FunctionNames.words;

import java.util.Map;
import java.util.Set;

/**
 * What a database tells about itself, all names in lower case.
 *
 * @param schemas qualifiers of relations that describe the schema
 * @param unqualified those of them that need no qualifier
 * @param qualified those of them that may be read with one; empty: all
 * @param unknown columns that are estimates, and what the database has there when it knows none;
 *     tools read them beside the schema, and a shard's own would be taken for those of the whole
 *     table
 * @param physical columns that tell about one shard
 * @param estimating relations that {@code *} would give estimates of
 * @param settings those that say how the database understands and writes text, or what it is;
 *     {@code apply} compares the ones that a server can have differently
 * @param databaseName functions for the name of the database
 * @param rowColumns those that every table has by itself, whose values are one shard's own
 */
record Catalogs(
    Set<String> schemas,
    Set<String> unqualified,
    Set<String> qualified,
    Map<String, String> unknown,
    Set<String> physical,
    Set<String> estimating,
    Set<String> settings,
    Set<String> databaseName,
    Set<String> rowColumns) {

  static final Catalogs POSTGRESQL =
      new Catalogs(
          words("information_schema pg_catalog"),
          words(
              """
              pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_cast pg_class
              pg_collation pg_constraint pg_conversion pg_depend pg_description pg_enum
              pg_event_trigger pg_extension pg_index pg_indexes pg_inherits pg_language pg_matviews
              pg_namespace pg_opclass pg_operator pg_opfamily pg_partitioned_table pg_policies
              pg_policy pg_proc pg_range pg_rewrite pg_roles pg_rules pg_sequence pg_tables
              pg_trigger pg_type pg_user pg_views
              """),
          Set.of(),
          Map.of(
              "reltuples", "(-1)::real",
              "relpages", "0",
              "relallvisible", "0",
              "relallfrozen", "0"),
          words("relfilenode relfrozenxid relminmxid"),
          words("pg_class"),
          words(
              """
              search_path server_version server_version_num server_encoding client_encoding
              standard_conforming_strings timezone datestyle intervalstyle integer_datetimes
              max_identifier_length lc_collate lc_ctype transaction_isolation
              """),
          words("current_database current_catalog"),
          words("ctid tableoid xmin xmax cmin cmax"));

  static final Catalogs MARIADB =
      new Catalogs(
          words("information_schema"),
          Set.of(),
          words(
              """
              applicable_roles character_sets check_constraints collations
              collation_character_set_applicability columns column_privileges enabled_roles engines
              key_column_usage keywords parameters partitions plugins referential_constraints routines
              schemata schema_privileges sql_functions statistics tables table_constraints
              table_privileges triggers user_privileges views
              """),
          Map.of("cardinality", "NULL", "table_rows", "NULL"),
          words(
              """
              avg_row_length data_length max_data_length index_length data_free auto_increment
              create_time update_time check_time checksum
              """),
          words("tables statistics partitions"),
          words(
              """
              version version_comment sql_mode lower_case_table_names max_allowed_packet time_zone
              character_set_server collation_server character_set_database collation_database
              character_set_client character_set_connection character_set_results
              collation_connection tx_isolation transaction_isolation
              """),
          words("database schema"),
          Set.of());
}
