package io.shardwright.bench.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/** Reads what a client sends on one connection, message by message. Not thread-safe. */
interface WireProtocol {
  int MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
  Set<String> CONTROL = Set.of("BEGIN", "START", "COMMIT", "ROLLBACK", "SET", "SHOW");

  /** What a message is to those who count. */
  enum Message {
    /** Has no answer, or is part of the login. */
    ASIDE(false, false),
    /** Its answer comes with that of a request that follows. */
    PART(false, false),
    /** The same of a statement, but not of BEGIN, COMMIT and the like. */
    PART_OF_STATEMENT(false, true),
    /** The client waits for its answer. */
    REQUEST(true, false),
    STATEMENT(true, true),
    /** There are no more. */
    END(false, false);

    private final boolean request;
    private final boolean statement;

    Message(boolean request, boolean statement) {
      this.request = request;
      this.statement = statement;
    }

    boolean isRequest() {
      return request;
    }

    boolean isStatement() {
      return statement;
    }
  }

  /** Reads one message and writes it, unchanged, but does not flush. */
  Message pass(DataInputStream in, DataOutputStream out) throws IOException;

  static byte[] read(DataInputStream in, int length) throws IOException {
    if (length < 0 || length > MESSAGE_BYTES_MAX) {
      throw new IOException("a message of " + length + " bytes");
    }
    byte[] body = new byte[length];
    in.readFully(body);
    return body;
  }

  static Message of(String sql) {
    String first = sql.strip().split("[\\s;]", 2)[0];
    return CONTROL.contains(first.toUpperCase(Locale.ROOT)) ? Message.REQUEST : Message.STATEMENT;
  }
}
