package io.shardwright.query;

import io.shardwright.errors.ErrorCode;
import io.shardwright.errors.ShardwrightException;
import io.shardwright.query.SettlementDifference.Found;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settlements of a gateway's directory, each in a directory of its own: for number 3 {@code
 * 3.rows}, {@code 3.difference} from number 2 on, and {@code 3.json}, which is written last:
 * without it there is no such number. Files are never written again. Thread-safe.
 */
final class SettlementStore {
  private static final Logger LOG = LoggerFactory.getLogger(SettlementStore.class);
  private static final Pattern MANIFEST = Pattern.compile("([1-9]\\d{0,17})\\.json");

  /** Files whose SHA-256 was proven by this process. */
  private static final int PROVEN_MAX = 64;

  private final Path root;
  private final Map<Path, SettlementRows> proven =
      new LinkedHashMap<>(PROVEN_MAX, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, SettlementRows> eldest) {
          return size() > PROVEN_MAX;
        }
      };

  /** A number and its rows. */
  record Stored(Settlement settlement, SettlementRows rows) {}

  /** Rows may be seen by who may read the files. */
  SettlementStore(GatewayDirectory directory) {
    this.root = directory.under("settlements");
    try {
      FileStore disk = Files.getFileStore(root);
      if (disk.supportsFileAttributeView(PosixFileAttributeView.class)) {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
      }
    } catch (IOException e) {
      throw GatewayDirectory.unusable(root, e);
    }
  }

  /** The highest number; empty: there is none. */
  OptionalLong latest(String id) {
    Path directory = root.resolve(id);
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> MANIFEST.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(name -> Long.parseLong(name.group(1)))
          .max();
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw GatewayDirectory.unusable(directory, e);
    }
  }

  /**
   * @param number that is there, as far as {@link #latest} tells
   * @throws ShardwrightException SW812 when it is not there, SW813 when a file of it was changed
   */
  Stored read(String id, long number) {
    Path manifest = file(id, number, "json");
    Path rows = file(id, number, "rows");
    try {
      Settlement settlement =
          SettlementManifest.read(Files.readAllBytes(manifest))
              .filter(made -> made.id().equals(id) && made.number() == number)
              .orElseThrow(() -> damaged(manifest));
      SettlementRows open = proven(rows);
      if (!open.sha256().equals(settlement.sha256()) || open.rows() != settlement.rows()) {
        throw damaged(rows);
      }
      return new Stored(settlement, open);
    } catch (NoSuchFileException e) {
      if (Files.exists(manifest)) {
        throw damaged(rows);
      }
      throw new ShardwrightException(
          ErrorCode.SETTLEMENT_REFUSED,
          "this settlement has no number "
              + number
              + (latest(id).isPresent() ? "; its numbers go up to " + latest(id).getAsLong() : "")
              + "; leave settlement.number out for the last one",
          e);
    } catch (IOException e) {
      throw GatewayDirectory.unusable(manifest, e);
    }
  }

  private SettlementRows proven(Path file) throws IOException {
    SettlementRows known;
    synchronized (proven) {
      known = proven.get(file);
    }
    if (known != null && known.isSame()) {
      return known;
    }
    SettlementRows open = SettlementRows.open(file);
    synchronized (proven) {
      proven.put(file, open);
    }
    return open;
  }

  /**
   * Some of what differs from the number before, fewer where the list ends.
   *
   * @param of has a difference
   * @throws ShardwrightException SW813 when a file of it was changed
   */
  List<Settlement.Changed> changes(Stored of, long from, int count) {
    Settlement settlement = of.settlement();
    Settlement.Difference difference = settlement.difference().orElseThrow();
    Path file = file(settlement.id(), settlement.number(), "difference");
    List<Settlement.Changed> changes = new ArrayList<>();
    if (from >= difference.size() || count <= 0) {
      return changes;
    }
    try {
      if (!Sha256.of(file).equals(difference.sha256())) {
        throw damaged(file);
      }
      Stored before = read(settlement.id(), difference.against());
      for (Found found : SettlementDifference.read(file, from, count)) {
        changes.add(
            new Settlement.Changed(
                found.change(),
                row(before, found.before(), settlement.columns()),
                row(of, found.after(), settlement.columns())));
      }
      return changes;
    } catch (NoSuchFileException e) {
      throw damaged(file);
    } catch (IOException e) {
      throw GatewayDirectory.unusable(file, e);
    }
  }

  /** Its values of these columns; null where it has no such column. */
  private static List<Object> row(Stored of, long place, List<String> columns) throws IOException {
    if (place < 0) {
      return null;
    }
    List<Object> values = of.rows().read(place, 1).get(0);
    List<Object> row = new ArrayList<>();
    for (String column : columns) {
      int at = of.settlement().columns().indexOf(column);
      row.add(at < 0 ? null : values.get(at));
    }
    return row;
  }

  /** A file of a number that is being made. */
  Path prepare(String id, long number, String kind) {
    Path file = file(id, number, kind);
    try {
      Files.createDirectories(file.getParent());
      GatewayDirectory.force(root);
    } catch (IOException e) {
      throw GatewayDirectory.unusable(file, e);
    }
    return file;
  }

  /** From now on there is that number. Its other files are on the disk. */
  void publish(Settlement made) {
    GatewayDirectory.write(file(made.id(), made.number(), "json"), SettlementManifest.write(made));
  }

  private Path file(String id, long number, String kind) {
    return root.resolve(id).resolve(number + "." + kind);
  }

  private static ShardwrightException damaged(Path file) {
    return new ShardwrightException(
        ErrorCode.SETTLEMENT_DAMAGED,
        file.getParent().getParent().relativize(file)
            + " under settlements in query.directory is not what was written there: its SHA-256"
            + " differs; nothing of it is given out; restore it from a copy, or have the next"
            + " number made by \"settlement\": {\"rerun\": true}");
  }

  /** The last number before this one that can be read: what it is compared with. */
  Optional<Stored> previous(String id, long number) {
    for (long before = number - 1; before > 0; before--) {
      try {
        return Optional.of(read(id, before));
      } catch (ShardwrightException e) {
        LOG.warn("number {} of settlement {} is compared with an older one", number, id, e);
      }
    }
    return Optional.empty();
  }
}
