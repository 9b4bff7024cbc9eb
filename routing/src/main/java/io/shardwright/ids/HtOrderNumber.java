package io.shardwright.ids;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An adopted format, read and never written: {@code HT}, yyyyMMddHHmmss in the local time of
 * whoever made it, a gene of two digits below 32, four random digits. Its numbers repeat: of
 * 300,000 a day many share second, gene and random digits, so it is a name to look up, never a key.
 *
 * @param gene the old system's shard of 32, by {@link #geneOf}; no bucket
 */
public record HtOrderNumber(LocalDateTime createdAt, int gene, int random) {
  private static final int GENES = 32;
  private static final Pattern FORM =
      Pattern.compile(
          "HT([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{4})");

  public static Optional<HtOrderNumber> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || number(form, 7) >= GENES) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new HtOrderNumber(
              LocalDateTime.of(
                  number(form, 1),
                  number(form, 2),
                  number(form, 3),
                  number(form, 4),
                  number(form, 5),
                  number(form, 6)),
              number(form, 7),
              number(form, 8)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The old system's hash of a user: Java's hash of the long, spread, its lowest 5 bits. */
  public static int geneOf(long userId) {
    int hash = Long.hashCode(userId);
    return (hash ^ hash >>> 16) & (GENES - 1);
  }

  private static int number(Matcher form, int group) {
    return Integer.parseInt(form.group(group));
  }
}
