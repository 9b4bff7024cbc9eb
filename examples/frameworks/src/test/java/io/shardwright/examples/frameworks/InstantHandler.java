package io.shardwright.examples.frameworks;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.apache.ibatis.type.BaseTypeHandler;
import org.apache.ibatis.type.JdbcType;

/** MyBatis: an Instant as timestamptz, whatever the JVM's time zone. */
final class InstantHandler extends BaseTypeHandler<Instant> {
  @Override
  public void setNonNullParameter(PreparedStatement at, int index, Instant value, JdbcType type)
      throws SQLException {
    at.setObject(index, value.atOffset(ZoneOffset.UTC));
  }

  @Override
  public Instant getNullableResult(ResultSet row, String column) throws SQLException {
    return instant(row.getObject(column, OffsetDateTime.class));
  }

  @Override
  public Instant getNullableResult(ResultSet row, int column) throws SQLException {
    return instant(row.getObject(column, OffsetDateTime.class));
  }

  @Override
  public Instant getNullableResult(CallableStatement call, int column) throws SQLException {
    return instant(call.getObject(column, OffsetDateTime.class));
  }

  private static Instant instant(OffsetDateTime value) {
    return value == null ? null : value.toInstant();
  }
}
