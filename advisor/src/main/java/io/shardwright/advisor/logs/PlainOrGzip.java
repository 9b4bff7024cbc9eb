package io.shardwright.advisor.logs;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Opens a file by its content: what begins with the two bytes of gzip is unpacked. */
public final class PlainOrGzip {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAGIC_0 = 0x1f;
  private static final int MAGIC_1 = 0x8b;

  private PlainOrGzip() {}

  public static InputStream open(Path path) throws IOException {
    return of(Files.newInputStream(path));
  }

  /** Closes {@code in} when that fails. */
  public static InputStream of(InputStream in) throws IOException {
    PushbackInputStream pushback = new PushbackInputStream(in, 2);
    try {
      byte[] magic = pushback.readNBytes(2);
      pushback.unread(magic);
      boolean gzip =
          magic.length == 2 && (magic[0] & 0xff) == MAGIC_0 && (magic[1] & 0xff) == MAGIC_1;
      return gzip ? new GZIPInputStream(pushback, BUFFER_BYTES) : pushback;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }
}
