package io.shardwright.bench.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * "Client/Server Protocol" in MariaDB's manual. A packet is a length of three bytes, the lowest
 * first, a number, and a body. Commands are those with number 0; what a client says while it logs
 * in has other ones. A statement is a COM_QUERY or an execution of a prepared statement.
 */
final class MariaDbProtocol implements WireProtocol {
  private static final int QUIT = 0x01;
  private static final int QUERY = 0x03;
  private static final int EXECUTE = 0x17;
  private static final int SEND_LONG_DATA = 0x18;
  private static final int CLOSE_STATEMENT = 0x19;
  private static final int BULK_EXECUTE = 0xfa;

  @Override
  public Message pass(DataInputStream in, DataOutputStream out) throws IOException {
    int lowest = in.read();
    if (lowest < 0) {
      return Message.END;
    }
    int middle = in.readUnsignedByte();
    int highest = in.readUnsignedByte();
    int number = in.readUnsignedByte();
    byte[] body = WireProtocol.read(in, highest << 16 | middle << 8 | lowest);
    out.write(new byte[] {(byte) lowest, (byte) middle, (byte) highest, (byte) number});
    out.write(body);
    return number == 0 && body.length > 0 ? message(body) : Message.ASIDE;
  }

  private static Message message(byte[] body) {
    return switch (body[0] & 0xff) {
      case QUIT, SEND_LONG_DATA, CLOSE_STATEMENT -> Message.ASIDE;
      case QUERY -> WireProtocol.of(new String(body, 1, body.length - 1, StandardCharsets.UTF_8));
      case EXECUTE, BULK_EXECUTE -> Message.STATEMENT;
      default -> Message.REQUEST;
    };
  }
}
