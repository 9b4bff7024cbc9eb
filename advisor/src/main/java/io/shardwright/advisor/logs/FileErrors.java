package io.shardwright.advisor.logs;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be opened, without its name: Java's messages are often nothing else. */
public final class FileErrors {
  private FileErrors() {}

  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileSystemException known && known.getReason() != null) {
      return known.getReason();
    }
    return e.getMessage() == null || e instanceof FileSystemException
        ? e.getClass().getSimpleName()
        : e.getMessage();
  }
}
