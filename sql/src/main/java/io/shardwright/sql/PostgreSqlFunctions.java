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
abbrev acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cos cosd cosh cot cotd
sin sind sinh tan tand tanh radians degrees pi cbrt factorial gcd lcm div scale min_scale
trim_scale array_append array_cat array_dims array_fill array_lower array_ndims
array_position array_positions array_prepend array_remove array_replace array_to_json
array_to_string array_upper string_to_array trim_array convert convert_from convert_to
get_bit get_byte set_bit set_byte bit_length bit_count character_length overlay
quote_ident quote_literal quote_nullable sha224 sha384 sha512 to_ascii unistr normalize
regexp_count regexp_instr regexp_like regexp_split_to_array regexp_substr jsonb_set
jsonb_set_lax jsonb_insert jsonb_pretty jsonb_strip_nulls json_strip_nulls
jsonb_extract_path json_extract_path jsonb_path_exists jsonb_path_match
jsonb_path_query_array jsonb_path_query_first json_array_length json_build_array
jsonb_build_array json_object jsonb_object json_build_object jsonb_build_object to_json
to_jsonb row_to_json isfinite justify_days justify_hours justify_interval make_time
make_timestamp make_timestamptz date_bin date_add date_subtract timezone num_nulls
num_nonnulls isempty lower_inc upper_inc lower_inf upper_inf int4range int8range
numrange tsrange tstzrange daterange host hostmask masklen netmask network broadcast
family to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery
ts_rank ts_rank_cd ts_headline uuid_extract_timestamp uuid_extract_version
hashtextextended
"""),
          words(
"""
over filter within group every bit_and bit_or bit_xor stddev stddev_pop stddev_samp
variance var_pop var_samp corr percentile_cont percentile_disc mode json_object_agg
jsonb_object_agg ntile first_value last_value nth_value percent_rank cume_dist
generate_series unnest string_agg array_agg bool_and bool_or row_number version
current_database current_schema pg_backend_pid pg_sleep pg_typeof array
jsonb_agg json_agg
regexp_split_to_table rank dense_rank lag lead
any_value covar_pop covar_samp regr_avgx regr_avgy regr_count regr_intercept regr_r2
regr_slope regr_sxx regr_sxy regr_syy range_agg range_intersect_agg grouping
json_arrayagg json_objectagg jsonb_array_elements jsonb_array_elements_text jsonb_each
jsonb_each_text jsonb_object_keys json_array_elements json_array_elements_text json_each
json_each_text json_object_keys jsonb_path_query regexp_matches string_to_table
generate_subscripts
"""),
          words(
"""
nextval setval pg_notify txid_current pg_current_xact_id
"""),
          words(
"""
pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_xact_lock
pg_try_advisory_xact_lock_shared
"""),
          words(
"""
now transaction_timestamp statement_timestamp age/1 current_date current_time
current_timestamp localtime localtimestamp 'now' 'today' 'tomorrow' 'yesterday'
"""),
          words(
"""
random random_normal gen_random_uuid clock_timestamp
"""),
          words(
"""
set_config setseed currval lastval pg_advisory_lock pg_advisory_lock_shared
pg_try_advisory_lock pg_try_advisory_lock_shared pg_advisory_unlock
pg_advisory_unlock_shared pg_advisory_unlock_all
current_query query_to_xml query_to_xml_and_xmlschema table_to_xml
table_to_xml_and_xmlschema schema_to_xml schema_to_xml_and_xmlschema database_to_xml
database_to_xml_and_xmlschema cursor_to_xml ts_stat dblink dblink_exec pg_relation_size
pg_table_size pg_total_relation_size pg_indexes_size pg_database_size
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
rollup cube sets
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
