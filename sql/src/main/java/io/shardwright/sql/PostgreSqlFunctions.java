package io.shardwright.sql;

import static io.shardwright.sql.FunctionNames.words;

/** What is known about functions and types of PostgreSQL 17. */
final class PostgreSqlFunctions {
  static final FunctionNames NAMES =
      new FunctionNames(
          words(
"""
count sum min max avg
"""),
          words(
"""
abs ceil ceiling floor round trunc mod power sqrt sign exp ln log length char_length
octet_length lower upper initcap trim ltrim rtrim btrim left right lpad rpad
substring substr replace translate position strpos split_part concat concat_ws
reverse repeat md5 sha256 encode decode coalesce nullif greatest least date_trunc
date_part age now to_char to_date to_timestamp to_number make_date make_interval
extract cast jsonb_extract_path_text json_extract_path_text jsonb_typeof json_typeof
jsonb_array_length array_length cardinality regexp_replace regexp_match starts_with
format hashtext width_bucket ascii chr to_hex
"""),
          words(
"""
over filter within group every bit_and bit_or bit_xor stddev stddev_pop stddev_samp
variance var_pop var_samp corr percentile_cont percentile_disc mode json_object_agg
jsonb_object_agg ntile first_value last_value nth_value percent_rank cume_dist
generate_series unnest string_agg array_agg bool_and bool_or row_number version
current_database current_schema pg_backend_pid random gen_random_uuid
clock_timestamp statement_timestamp transaction_timestamp pg_sleep pg_typeof array
json_build_object jsonb_build_object to_json to_jsonb row_to_json jsonb_agg json_agg
regexp_split_to_table rank dense_rank lag lead
"""),
          words(
"""
nextval currval lastval setval set_config pg_notify txid_current pg_current_xact_id
pg_advisory_lock pg_advisory_xact_lock pg_try_advisory_lock
pg_try_advisory_xact_lock pg_advisory_unlock pg_advisory_unlock_all
"""),
          words(
"""
set_config pg_advisory_lock pg_advisory_lock_shared pg_try_advisory_lock
pg_try_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_shared
pg_advisory_unlock_all
"""),
          words(
"""
array_lower array_position array_to_string array_upper _pg_expandarray
col_description current_schemas format_type generate_subscripts has_column_privilege
has_schema_privilege has_sequence_privilege has_table_privilege obj_description
pg_get_constraintdef pg_get_expr pg_get_function_arguments
pg_get_function_identity_arguments pg_get_function_result pg_get_functiondef
pg_get_indexdef pg_get_partkeydef pg_get_ruledef pg_get_serial_sequence
pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_function_is_visible
pg_table_is_visible pg_type_is_visible quote_ident quote_literal to_regclass
to_regtype
"""),
          words(
"""
and or not in exists any all some case when then else between like ilike is distinct
on select from where as row array values by limit offset symmetric set into conflict
returning using join union except intersect having lateral zone numeric decimal
varchar char character varying timestamp timestamptz time interval bit float bpchar
"""));

  static final ValueForms VALUES =
      new ValueForms(
          words(
"""
count sum avg abs ceil ceiling floor round trunc mod power sqrt sign length
char_length octet_length date_trunc date_part age now extract to_timestamp make_date
"""),
          words(
"""
min max coalesce greatest least nullif
"""),
          words(
"""
smallint int2 integer int int4 bigint int8 numeric decimal real float4 float8 date
timestamp timestamptz uuid bytea boolean bool
"""),
          words(
"""
c posix ucs_basic
"""));

  private PostgreSqlFunctions() {}
}
