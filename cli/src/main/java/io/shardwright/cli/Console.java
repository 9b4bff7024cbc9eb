package io.shardwright.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * Where a command reads and writes. Results go to {@code out}, everything else to {@code err}.
 *
 * @param charset of both streams; what it cannot express is escaped, never replaced by {@code ?}
 * @param interactive a person watches {@code err}, so that a line may be rewritten
 */
record Console(
    InputStream in, PrintStream out, PrintStream err, Charset charset, boolean interactive) {

  /** Thrown when nobody reads the output any more. */
  static final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException() {
      super("the output was closed", null, false, false);
    }
  }

  void println(String line) {
    out.println(line);
  }

  /**
   * @throws OutputClosedException when the reader of the output is gone
   */
  void flush() {
    if (out.checkError()) {
      throw new OutputClosedException();
    }
  }
}
