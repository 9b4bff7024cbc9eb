package io.shardwright.advisor.advice;

import io.shardwright.advisor.logs.LogRecord;
import io.shardwright.advisor.templates.Autocommit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gathers what statements give between BEGIN and COMMIT of one session; between one COMMIT and the
 * next of a session that has turned autocommit off. Statements outside, and logs without sessions,
 * give nothing. At most {@value #SESSIONS_MAX} transactions are open at a time, the oldest is
 * forgotten; the first {@value #STATEMENTS_MAX} statements of one are kept. Not thread-safe.
 */
public final class OpenTransactions<T> {
  private static final int SESSIONS_MAX = 4_096;
  private static final int STATEMENTS_MAX = 1_000;

  private final Map<String, List<T>> open =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<T>> eldest) {
          return size() > SESSIONS_MAX;
        }
      };

  /** Sessions without autocommit. */
  private final Set<String> manual =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > SESSIONS_MAX;
            }
          });

  /** True when the statement is within a transaction whose statements are kept. */
  boolean isOpen(LogRecord record) {
    return record.session().map(open::containsKey).orElse(false);
  }

  public void add(LogRecord record, T what) {
    List<T> statements = record.session().map(open::get).orElse(null);
    if (statements != null && statements.size() < STATEMENTS_MAX) {
      statements.add(what);
    }
  }

  /**
   * A BEGIN, COMMIT, SET autocommit or their like.
   *
   * @return what the transaction gave that ends by it
   */
  public Optional<List<T>> boundary(LogRecord record) {
    if (record.session().isEmpty()) {
      return Optional.empty();
    }
    String session = record.session().get();
    String text = record.sql().strip();
    // The first words tell.
    String sql = text.substring(0, Math.min(32, text.length())).toUpperCase(Locale.ROOT);
    if (sql.startsWith("BEGIN") || sql.startsWith("START TRANSACTION")) {
      return Optional.ofNullable(open.put(session, new ArrayList<>()));
    }
    Optional<Boolean> autocommit = Autocommit.set(text);
    if (autocommit.isPresent()) {
      return autocommit(session, autocommit.get());
    }
    boolean ends = sql.startsWith("COMMIT") || sql.startsWith("ROLLBACK") || sql.startsWith("END");
    return ends && !sql.startsWith("ROLLBACK TO") ? end(session) : Optional.empty();
  }

  /** On commits what is open; off keeps it. */
  private Optional<List<T>> autocommit(String session, boolean on) {
    if (on) {
      return manual.remove(session) ? Optional.ofNullable(open.remove(session)) : Optional.empty();
    }
    manual.add(session);
    open.putIfAbsent(session, new ArrayList<>());
    return Optional.empty();
  }

  private Optional<List<T>> end(String session) {
    return manual.contains(session)
        ? Optional.ofNullable(open.put(session, new ArrayList<>()))
        : Optional.ofNullable(open.remove(session));
  }
}
