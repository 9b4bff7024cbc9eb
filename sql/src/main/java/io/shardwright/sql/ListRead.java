package io.shardwright.sql;

import io.shardwright.errors.ShardwrightException;
import io.shardwright.routing.BucketMap;
import io.shardwright.sql.BlockReader.Blocks;
import io.shardwright.sql.ListReads.Answer;
import io.shardwright.sql.ListUse.Path;
import io.shardwright.sql.Merge.Window;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The ways of one statement over one list index, see {@link ListReads}. */
final class ListRead {
  private final Subject subject;
  private final ListIndex index;
  private final IndexedValues values;
  private final Later<Optional<Plan>> covered;
  private final Later<Optional<EntryText>> page;
  private final Later<Optional<EntryText>> all;

  /** The statement is mostly sent with the same limit. */
  private volatile Plan lastKeys;

  /**
   * A statement, as far as indexes matter.
   *
   * @param root the occurrence of the indexed table, which each row of the result has a row of
   */
  record Subject(Schema schema, SqlTokens tokens, Blocks blocks, Source root, Plan.Kind kind) {
    Block block() {
      return blocks.around(root.place.from()).orElseThrow();
    }

    /** A write or a lock that misses a row is a fault, a read may be late. */
    boolean mustBeComplete() {
      return kind != Plan.Kind.SELECT || blocks.lock();
    }
  }

  /** One execution of it. */
  record Execution(
      List<?> parameters, Function<String, BucketMap> maps, RouteContext context, Window window) {}

  private ListRead(Subject subject, ListIndex index, IndexedValues values) {
    this.subject = subject;
    this.index = index;
    this.values = values;
    this.covered = Later.of(() -> CoveredText.of(subject, index).map(this::plan));
    this.page = Later.of(() -> EntryText.ofPage(subject, index).filter(this::isKeyed));
    this.all = Later.of(() -> EntryText.ofAll(subject, index).filter(this::isKeyed));
  }

  /** Empty when the conditions give no values for it. */
  static Optional<ListRead> of(Subject subject, ListIndex index) {
    Schema.Sharding entries = index.entries();
    return IndexedValues.of(
            subject.root(),
            subject.root().facts,
            entries.key(),
            IndexedValues.compared(entries.function().types()))
        .map(values -> new ListRead(subject, index, values));
  }

  private Plan plan(String sql) {
    Schema.Table view = EntryView.of(index, subject.root().table.orElseThrow());
    return new PlanBuilder(subject.schema().with(view), sql).build();
  }

  /**
   * Values that are given outside of the conditions that can be asked of entries are not enough.
   */
  private boolean isKeyed(EntryText text) {
    return plan(text.sql(1)).scatterReason().isEmpty();
  }

  private Plan keysPlan(String sql) {
    Plan known = lastKeys;
    if (known == null || !known.sql().equals(sql)) {
      known = plan(sql);
      lastKeys = known;
    }
    return known;
  }

  Answer answer(Execution execution) {
    Optional<List<List<Object>>> asked = values.in(execution.parameters());
    if (asked.isEmpty()) {
      return Answer.NONE;
    }
    Optional<ListAccess> access = open(asked.get(), execution.context());
    if (access.isEmpty()) {
      return Answer.without("list index " + index.name() + " cannot be used for it now");
    }
    List<ListIndex.Row> pending = access.get().pending();
    if (pending.isEmpty() && covered.get().isPresent()) {
      return Answer.of(covered(covered.get().get(), execution));
    }
    Optional<ListedRows> ofPage = page(access.get(), pending, execution);
    return ofPage.isPresent() ? Answer.of(ofPage.get()) : all(access.get(), pending, execution);
  }

  private Optional<ListAccess> open(List<List<Object>> asked, RouteContext context) {
    try {
      return context.open(index, asked, subject.mustBeComplete());
    } catch (ShardwrightException e) {
      throw asked.stream()
          .map(tuple -> index.entries().unusable(tuple, e))
          .filter(named -> named != e)
          .findFirst()
          .orElse(e);
    }
  }

  private Route covered(Plan plan, Execution execution) {
    Route route =
        plan.route(
            execution.parameters(), execution.maps(), new Pieces.Admitted(execution.context()));
    return overEntries(route, ", its entries answer");
  }

  private Route overEntries(Route route, String what) {
    String why = index.describe(subject.root().table.orElseThrow().name()) + what;
    return route.by(new ListUse(index.name(), Path.COVERED, 0, Optional.empty()), why);
  }

  private Optional<ListedRows> page(
      ListAccess access, List<ListIndex.Row> pending, Execution execution) {
    Window window = execution.window();
    if (window.limit().isEmpty() || access.pageFactor() == 0 || page.get().isEmpty()) {
      return Optional.empty();
    }
    long rows = window.limit().getAsLong() + window.offset();
    if (rows < 0 || rows > ListReads.ROWS_MAX / access.pageFactor()) {
      return Optional.empty();
    }
    // Each row that waits may have an entry that is not right any more.
    long wanted = rows * access.pageFactor() + pending.size();
    if (wanted > ListReads.ROWS_MAX) {
      return Optional.empty();
    }
    List<ListIndex.Row> keys = keys(access, page.get().get(), wanted, execution);
    Optional<Window> unfilled = keys.size() < wanted ? Optional.empty() : Optional.of(window);
    return Optional.of(
        rows(new ListUse(index.name(), Path.PAGE, keys.size(), unfilled), pending, keys));
  }

  private Answer all(ListAccess access, List<ListIndex.Row> pending, Execution execution) {
    if (all.get().isEmpty()) {
      return Answer.NONE;
    }
    if (pending.size() <= ListReads.ROWS_MAX) {
      List<ListIndex.Row> keys = keys(access, all.get().get(), ListReads.ROWS_MAX + 1L, execution);
      if (keys.size() <= ListReads.ROWS_MAX) {
        ListUse use = new ListUse(index.name(), Path.KEYS, keys.size(), Optional.empty());
        return Answer.of(rows(use, pending, keys));
      }
    }
    return Answer.without(
        "list index " + index.name() + " has more than " + ListReads.ROWS_MAX + " rows for it");
  }

  private ListedRows rows(ListUse use, List<ListIndex.Row> pending, List<ListIndex.Row> keys) {
    Set<ListIndex.Row> found = new LinkedHashSet<>(keys);
    found.addAll(pending);
    return new ListedRows(use, index, found);
  }

  private List<ListIndex.Row> keys(
      ListAccess access, EntryText text, long rows, Execution execution) {
    Pieces.Unit unit = new Pieces.Unit(keysPlan(text.sql(rows)), text.parameters(), List.of());
    Merge.Part part =
        unit.route(
            execution.parameters(), execution.maps(), new Pieces.Admitted(execution.context()));
    Route keys = overEntries(part.route(), ", for keys");
    return access.rows(new Merge.Part(part.plan(), keys, part.parameters(), part.collations()));
  }
}
