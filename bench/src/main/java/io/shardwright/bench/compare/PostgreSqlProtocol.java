package io.shardwright.bench.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * "Frontend/Backend Protocol" in PostgreSQL's manual. A message is a letter, a length that includes
 * itself, and a body; the first ones of a connection have no letter. A statement is a Bind or a
 * simple Query. The client waits after a Query, Sync, Flush or function call, but not after BEGIN,
 * which the JDBC driver sends along with the next statement.
 */
final class PostgreSqlProtocol implements WireProtocol {
  private static final int LENGTH_BYTES = 4;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final Map<String, Message> prepared = new HashMap<>();
  private boolean started;

  @Override
  public Message pass(DataInputStream in, DataOutputStream out) throws IOException {
    int letter = 0;
    if (started) {
      letter = in.read();
      if (letter < 0) {
        return Message.END;
      }
      out.write(letter);
    }
    int length = in.readInt();
    byte[] body = WireProtocol.read(in, length - LENGTH_BYTES);
    out.writeInt(length);
    out.write(body);
    if (!started) {
      int code = ByteBuffer.wrap(body).getInt();
      started = code != SSL_REQUEST && code != GSS_REQUEST;
      return Message.ASIDE;
    }
    return message(letter, body);
  }

  private Message message(int letter, byte[] body) {
    return switch (letter) {
      case 'p', 'X' -> Message.ASIDE;
      case 'P' -> {
        boolean statement = WireProtocol.of(text(body, end(body, 0) + 1)).isStatement();
        prepared.put(text(body, 0), statement ? Message.PART_OF_STATEMENT : Message.PART);
        yield Message.PART;
      }
      case 'B' -> prepared.getOrDefault(text(body, end(body, 0) + 1), Message.PART_OF_STATEMENT);
      case 'Q' -> text(body, 0).startsWith("BEGIN") ? Message.PART : WireProtocol.of(text(body, 0));
      case 'S', 'H', 'F' -> Message.REQUEST;
      default -> Message.PART;
    };
  }

  private static int end(byte[] body, int from) {
    int end = from;
    while (body[end] != 0) {
      end++;
    }
    return end;
  }

  private static String text(byte[] body, int from) {
    return new String(body, from, end(body, from) - from, StandardCharsets.UTF_8);
  }
}
