package io.shardwright.sql;

import static io.shardwright.sql.FunctionNames.words;

import java.util.Set;

/** What is known about functions and types of MariaDB 11.4. */
final class MariaDbFunctions {
  private static final String MERGEABLE = "count sum min max";

  private static final String SCALAR =
      """
      abs acos asin atan atan2 ceil ceiling conv cos cot crc32 crc32c degrees exp floor ln log log10
      log2 mod oct pi pow power radians round sign sin sqrt tan truncate
      ascii bin bit_length char char_length character_length chr concat concat_ws elt export_set field
      find_in_set format from_base64 hex insert instr lcase left length lengthb locate lower lpad ltrim
      make_set mid natural_sort_key octet_length ord position quote regexp_instr regexp_replace
      regexp_substr repeat replace reverse right rpad rtrim sformat soundex space strcmp substr
      substring substring_index to_base64 to_char trim ucase unhex upper weight_string
      coalesce greatest if ifnull interval isnull least nullif nvl nvl2
      cast convert binary now current_date current_time current_timestamp localtime localtimestamp
      adddate addtime convert_tz date date_add date_format date_sub datediff day dayname dayofmonth
      dayofweek dayofyear extract from_days from_unixtime get_format hour last_day makedate maketime
      microsecond minute month monthname period_add period_diff quarter sec_to_time second str_to_date
      subdate subtime time time_format time_to_sec timediff timestamp timestampadd timestampdiff
      to_days to_seconds week weekday weekofyear year yearweek
      add_months
      md5 sha sha1 sha2 compress uncompress uncompressed_length aes_encrypt aes_decrypt
      inet_aton inet_ntoa inet6_aton inet6_ntoa is_ipv4 is_ipv6
      json_array json_array_append json_array_insert json_compact json_contains json_contains_path
      json_depth json_detailed json_equals json_exists json_extract json_insert json_keys json_length
      json_loose json_merge json_merge_patch json_merge_preserve json_normalize json_object
      json_overlaps json_pretty json_query json_quote json_remove json_replace json_search json_set
      json_type json_unquote json_valid json_value
      bit_count benchmark charset coercibility collation
      """;

  private static final String TABLELESS =
      """
      avg std stddev stddev_pop stddev_samp variance var_pop var_samp bit_and bit_or bit_xor
      group_concat json_arrayagg json_objectagg any_value
      row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
      median percentile_cont percentile_disc over
      unix_timestamp sleep
      database schema version user current_user session_user system_user current_role
      json_table values value
      """;

  /** Of the shard or of the connection: the answer is another on each. */
  private static final String STATEFUL =
      """
      nextval lastval setval uuid_short sys_guid load_file master_pos_wait master_gtid_wait
      binlog_gtid_pos
      """;

  private static final String MOMENTS =
      """
      now current_timestamp localtime localtimestamp curdate current_date curtime current_time
      utc_date utc_time utc_timestamp unix_timestamp/0
      """;

  private static final String RANDOM = "rand random_bytes uuid uuid_v4 uuid_v7 sysdate";

  private static final String SESSION =
      """
      get_lock release_lock release_all_locks is_free_lock is_used_lock last_insert_id found_rows
      row_count connection_id lastval
      """;

  /** Words in front of a parenthesis. */
  private static final String NO_FUNCTIONS =
      """
      and or not xor in exists any all some case when then else between like rlike regexp is distinct
      distinctrow on select from where as row by limit offset set into duplicate key update returning
      using join straight_join union except intersect having with index partition recursive div
      escape against match primary unique references decimal numeric varchar nvarchar nchar varbinary
      bit int integer bigint smallint tinyint mediumint float double datetime text blob enum unsigned
      signed
      """;

  static final FunctionNames NAMES =
      new FunctionNames(
          words(MERGEABLE),
          words(SCALAR),
          words(TABLELESS),
          words(STATEFUL),
          Set.of(),
          words(MOMENTS),
          words(RANDOM),
          words(SESSION),
          words("database schema version user current_user session_user system_user"),
          words(NO_FUNCTIONS));

  /** No collation is known by its name alone: the padding ones compare 'a' and 'a ' as equal. */
  static final ValueForms VALUES =
      new ValueForms(
          words(
              """
              count sum avg abs ceil ceiling floor round truncate mod pow power sqrt sign length
              char_length octet_length year month day hour minute second quarter week dayofweek
              dayofyear datediff to_days unix_timestamp last_day makedate str_to_date
              """),
          words("min max coalesce greatest least nullif ifnull nvl"),
          words("signed unsigned decimal double date datetime int integer"),
          words("utf8mb4_nopad_bin"));

  private MariaDbFunctions() {}
}
