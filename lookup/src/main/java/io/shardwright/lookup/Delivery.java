package io.shardwright.lookup;

import io.shardwright.errors.ShardwrightException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a batch of changes means for an index: of each row the last one says where it is, and at all
 * other places that any of them names it is not. One batch, one thread.
 */
final class Delivery {
  private static final Comparator<ListEntry> ORDER =
      Comparator.<ListEntry>comparingInt(entry -> entry.place().bucket().value())
          .thenComparing(entry -> entry.place().row().bucket().value())
          .thenComparing(entry -> entry.place().row().primaryKey().toString());

  private final ListIndex index;
  private final Map<RowId, List<ListChange>> changes = new LinkedHashMap<>();
  private final List<ListEntry> entries = new ArrayList<>();
  private final Map<RowId, Failure> failures = new HashMap<>();

  /**
   * Why changes of a row stay.
   *
   * @param refused by the index; false: its shard did not answer
   */
  record Failure(boolean refused, String error) {}

  Delivery(ListIndex index, List<ListChange> batch) {
    this.index = index;
    for (ListChange change : batch) {
      changes.computeIfAbsent(change.row(), row -> new ArrayList<>()).add(change);
    }
    ListEntries form = new ListEntries(index);
    changes.forEach(
        (row, told) -> {
          try {
            entries.addAll(entries(form, told));
          } catch (ShardwrightException e) {
            fail(row, new Failure(true, e.getMessage()));
          }
        });
    entries.sort(ORDER);
  }

  private List<ListEntry> entries(ListEntries form, List<ListChange> told) {
    ListChange last = told.get(0);
    Map<ListEntry.Place, ListEntry> places = new LinkedHashMap<>();
    for (ListChange change : told) {
      last = change.n() > last.n() ? change : last;
    }
    for (ListChange change : told) {
      for (Optional<ListEntry.Place> place : List.of(before(change), after(change))) {
        if (place.isPresent()) {
          places.put(place.get(), form.tombstone(place.get(), last.n()));
        }
      }
    }
    Optional<ListEntry.Place> now = after(last);
    if (now.isPresent()) {
      places.put(now.get(), new ListEntry(now.get(), last.values(), last.n(), true));
    }
    return List.copyOf(places.values());
  }

  /** What cannot be hashed had no entry. */
  private Optional<ListEntry.Place> before(ListChange change) {
    try {
      return index.place(change.row(), change.old());
    } catch (ShardwrightException e) {
      return Optional.empty();
    }
  }

  private Optional<ListEntry.Place> after(ListChange change) {
    return change.live() ? index.place(change.row(), change.values()) : Optional.empty();
  }

  /** Each place once, in an order that all who deliver keep. */
  List<ListEntry> entries() {
    return entries;
  }

  void fail(RowId row, Failure failure) {
    failures.merge(row, failure, (first, second) -> first.refused() ? first : second);
  }

  /** Changes that have reached the index. */
  List<ListChange> delivered() {
    return changes.entrySet().stream()
        .filter(row -> !failures.containsKey(row.getKey()))
        .flatMap(row -> row.getValue().stream())
        .toList();
  }

  /** Changes that stay, by why. */
  Map<Failure, List<ListChange>> failed() {
    Map<Failure, List<ListChange>> failed = new LinkedHashMap<>();
    failures.forEach(
        (row, failure) ->
            failed.computeIfAbsent(failure, why -> new ArrayList<>()).addAll(changes.get(row)));
    return failed;
  }
}
