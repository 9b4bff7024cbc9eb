package io.shardwright.migration;

import java.util.ArrayList;
import java.util.List;

class MariaDbMoveDataTest extends MoveDataContract {
  @Override
  MoveServer server() {
    return MoveServer.MARIADB;
  }

  @Override
  String tables() {
    return super.tables().replace("note text,", "note text, taken bigint,")
        + """
        ;
        CREATE UNIQUE INDEX orders_taken ON orders (taken);
        CREATE TABLE zoo (
          bucket_id int NOT NULL, buyer bigint NOT NULL, name varchar(40) COLLATE utf8mb4_nopad_bin NOT NULL,
          nr bigint NOT NULL AUTO_INCREMENT, small bigint, twice bigint AS (small * 2) STORED,
          n decimal(40, 10), ub bigint unsigned, ti tinyint(1), f float, d double, dt date,
          ts datetime(6), tz timestamp(6) NULL, t time(3), y year, ch char(5), latin varchar(20)
          CHARACTER SET latin1, bin binary(4), vb varbinary(20), bl longblob, big longtext, j json,
          e enum('a', 'b'), st set('x', 'y'), bits bit(12), u uuid, i6 inet6, `odd ``name` text,
          PRIMARY KEY (bucket_id, buyer, name), KEY nr (nr)
        );
        CREATE TABLE emptied (
          bucket_id int NOT NULL, buyer_id bigint NOT NULL, id bigint NOT NULL,
          PRIMARY KEY (bucket_id, buyer_id, id)
        )\
        """;
  }

  @Override
  List<String> zoo() {
    List<String> rows = new ArrayList<>();
    rows.add("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00'");
    String columns =
        "INSERT INTO zoo (bucket_id, buyer, name, nr, small, n, ub, ti, f, d, dt, ts, tz, t, y, ch,"
            + " latin, bin, vb, bl, big, j, e, st, bits, u, i6, `odd ``name`) VALUES (";
    for (int bucket = 0; bucket < 21; bucket++) {
      rows.add(
          columns
              + bucket
              + ", 7, 'a\t''é😀', 0, -4611686018427387904, 123456789012345678901234567890.0123456789,"
              + " 18446744073709551615, 5, 3.4028235e38, 1e-300, '0000-00-00',"
              + " '9999-12-31 23:59:59.999999', '2021-03-28 01:30:00.123456', '-838:59:59', 1901,"
              + " 'ab', 'Ä', X'0001', X'FF00', X'000102FF', REPEAT('x1', 100000),"
              + " '{\"a\":  1}', 'b', 'x,y', b'101010101011', UUID(), '::1', '\\\\N')");
      rows.add(
          columns
              + bucket
              + ", 7, 'a\t''é😀 ', "
              + (100 + bucket)
              + ", NULL, 0, 0, NULL, 0.1, 0.1, '2023-02-31', NULL, NULL, NULL, NULL, '', '', NULL,"
              + " '', '', '', NULL, NULL, '', NULL, NULL, NULL, NULL)");
    }
    return rows;
  }

  @Override
  String zooQuery() {
    return "SELECT bucket_id, buyer, HEX(name), nr, small, twice, n, ub, ti, f + 0e0, d,"
        + " CONCAT('x', dt), CONCAT('x', ts), CONCAT('x', tz), t, CONCAT('x', y), CONCAT(ch, '|'),"
        + " HEX(latin), HEX(bin), HEX(vb), HEX(bl), MD5(big), HEX(j), e, st, bits + 0, u, i6,"
        + " HEX(`odd ``name`) FROM zoo";
  }
}
