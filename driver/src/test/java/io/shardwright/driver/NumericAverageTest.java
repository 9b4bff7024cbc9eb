package io.shardwright.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardwright.testkit.EmbeddedPostgresServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumericAverageTest {
  private static final int CASES = 5_000;
  private static final long SEED = 16;

  @Test
  void divide_randomOperands_givesTheServersDigits() throws SQLException {
    EmbeddedPostgresServer server = EmbeddedPostgresServer.shared();
    Random random = new Random(SEED);
    List<BigDecimal> sums = new ArrayList<>();
    List<BigDecimal> counts = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      BigInteger unscaled = new BigInteger(random.nextInt(120), random);
      BigDecimal sum =
          new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), random.nextInt(30));
      sums.add(i % 50 == 0 ? BigDecimal.ZERO.setScale(random.nextInt(5)) : sum);
      counts.add(BigDecimal.valueOf(1 + (random.nextLong() >>> 1 >>> random.nextInt(62))));
    }
    try (Connection connection =
            DriverManager.getConnection(server.url("postgres"), server.user(), server.password());
        PreparedStatement divide =
            connection.prepareStatement(
                "SELECT (a / b)::text FROM unnest(?::numeric[], ?::numeric[]) WITH ORDINALITY"
                    + " AS v (a, b, i) ORDER BY i")) {
      divide.setArray(1, connection.createArrayOf("numeric", sums.toArray()));
      divide.setArray(2, connection.createArrayOf("numeric", counts.toArray()));
      try (ResultSet row = divide.executeQuery()) {
        for (int i = 0; i < CASES; i++) {
          row.next();
          assertThat(NumericAverage.divide(sums.get(i), counts.get(i)).toPlainString())
              .as("%s / %s", sums.get(i), counts.get(i))
              .isEqualTo(row.getString(1));
        }
      }
    }
  }
}
