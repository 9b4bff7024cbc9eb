package io.shardwright.bench.compare;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What one turn of one side gave.
 *
 * @param operations that ended
 * @param wallNanos from the first operation's begin to the last one's end
 * @param ownNanos sum of what counts of each operation
 * @param cpuNanos of all Java threads of the process, without garbage collector and compiler
 * @param bytes allocated by all Java threads
 * @param openNanos for opening the set of shards, when this turn opened it
 * @param statements that the stubs were sent
 * @param latencies in nanoseconds
 */
record Slot(
    long operations,
    long rows,
    long wallNanos,
    long ownNanos,
    long cpuNanos,
    long bytes,
    long openNanos,
    long statements,
    long transactionEnds,
    Histogram latencies) {
  static final long NANOS_MAX = 120_000_000_000L;
  static final int DIGITS = 2;

  static Histogram histogram() {
    return new Histogram(NANOS_MAX, DIGITS);
  }

  Slot with(long opening, long stubStatements, long stubTransactionEnds) {
    return new Slot(
        operations,
        rows,
        wallNanos,
        ownNanos,
        cpuNanos,
        bytes,
        opening,
        stubStatements,
        stubTransactionEnds,
        latencies);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(operations);
    out.writeLong(rows);
    out.writeLong(wallNanos);
    out.writeLong(ownNanos);
    out.writeLong(cpuNanos);
    out.writeLong(bytes);
    out.writeLong(openNanos);
    out.writeLong(statements);
    out.writeLong(transactionEnds);
    ByteBuffer buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    int length = latencies.encodeIntoCompressedByteBuffer(buffer);
    out.writeInt(length);
    out.write(buffer.array(), 0, length);
  }

  static Slot read(DataInputStream in) throws IOException {
    long[] numbers = new long[9];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.readLong();
    }
    ByteBuffer buffer = ByteBuffer.wrap(in.readNBytes(in.readInt()));
    try {
      return new Slot(
          numbers[0],
          numbers[1],
          numbers[2],
          numbers[3],
          numbers[4],
          numbers[5],
          numbers[6],
          numbers[7],
          numbers[8],
          Histogram.decodeFromCompressedByteBuffer(buffer, NANOS_MAX));
    } catch (DataFormatException e) {
      throw new IOException("the other process sent no histogram", e);
    }
  }
}
