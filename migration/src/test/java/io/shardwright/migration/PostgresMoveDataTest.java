package io.shardwright.migration;

import java.util.ArrayList;
import java.util.List;

class PostgresMoveDataTest extends MoveDataContract {
  @Override
  MoveServer server() {
    return MoveServer.POSTGRESQL;
  }

  @Override
  String tables() {
    return super.tables().replace("note text,", "note text, taken bigint,")
        + """
        ;
        CREATE UNIQUE INDEX orders_taken ON orders (taken);
        CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
        CREATE DOMAIN grade AS int CHECK (VALUE >= 0);
        CREATE TABLE zoo (
          bucket_id int NOT NULL, buyer bigint NOT NULL, name text COLLATE "C" NOT NULL,
          nr bigint GENERATED ALWAYS AS IDENTITY, small bigint, twice bigint GENERATED ALWAYS AS
          (small * 2) STORED, n numeric, n2 numeric(12, 4), f real, d double precision, b boolean,
          ts timestamp, tz timestamptz, t time, tt timetz, dt date, iv interval, by bytea, j json,
          jb jsonb, a int[], ta text[], u uuid, i inet, r int4range, bits bit varying, m mood,
          g grade, ch char(5), big text, "odd ""name" text, PRIMARY KEY (bucket_id, buyer, name)
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
    String columns =
        "INSERT INTO zoo (bucket_id, buyer, name, small, n, n2, f, d, b, ts, tz, t, tt, dt, iv, by,"
            + " j, jb, a, ta, u, i, r, bits, m, g, ch, big, \"odd \"\"name\") VALUES (";
    for (int bucket = 0; bucket < 21; bucket++) {
      rows.add(
          columns
              + bucket
              + ", 7, E'a\\tb\\n\\\\. ''é\\U0001F600', 1, 'NaN', 12345678.1234, 'Infinity',"
              + " 1e-300, true, 'infinity', '-infinity', '24:00', '12:00:00.123456+05:30',"
              + " '4713-01-01 BC', '-1 mons +3 days 04:05:06.7', '\\x0001ff5c', '{\"a\": 1,  \"a\":"
              + " 2}', '{\"b\": [1, null]}', '{{1,NULL},{3,4}}', ARRAY[NULL, 'NULL', '', '\\N', '{'"
              + "], '00000000-0000-0000-0000-0000000000ff', '10.1.2.3/8', '[1,5)', '101', 'ok', 3,"
              + " 'ab', repeat('x1y2', 50000), '\\N')");
      rows.add(
          columns
              + bucket
              + ", 7, '', NULL, 123456789012345678901234567890.123000, -0.0001, 0.1, 0.1, NULL,"
              + " '2024-02-29 23:59:59.999999', '1970-01-01 00:00:00.000001+14', NULL, NULL,"
              + " 'infinity', NULL, '', NULL, 'null', '{}', '{}', NULL, NULL, 'empty', '', NULL,"
              + " NULL, '', '', NULL)");
    }
    return rows;
  }

  @Override
  String zooQuery() {
    return "SELECT zoo::text, md5(zoo::text) FROM zoo";
  }
}
