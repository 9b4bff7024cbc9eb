package io.shardwright.query;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file that knows its length and its SHA-256 while it is written. For one thread. */
final class CountedFile extends OutputStream {
  private static final int BUFFER_BYTES = 64 << 10;

  private final FileChannel channel;
  private final MessageDigest digest;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long bytes;

  CountedFile(Path path) throws IOException {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    channel = GatewayDirectory.create(path);
  }

  long position() {
    return bytes;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] content, int from, int length) throws IOException {
    digest.update(content, from, length);
    bytes += length;
    if (length > buffer.remaining()) {
      drain();
    }
    if (length > buffer.remaining()) {
      writeAll(ByteBuffer.wrap(content, from, length));
    } else {
      buffer.put(content, from, length);
    }
  }

  /** Everything is on the disk. */
  RowFile.Finished finish() throws IOException {
    drain();
    channel.force(true);
    return new RowFile.Finished(bytes, HexFormat.of().formatHex(digest.digest()));
  }

  private void drain() throws IOException {
    buffer.flip();
    writeAll(buffer);
    buffer.clear();
  }

  private void writeAll(ByteBuffer content) throws IOException {
    while (content.hasRemaining()) {
      channel.write(content);
    }
  }

  /** Without what is in the buffer, unless it is finished. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
