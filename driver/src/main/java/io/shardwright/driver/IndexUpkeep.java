package io.shardwright.driver;

import io.shardwright.lookup.Feed;
import io.shardwright.lookup.ListIndex;
import io.shardwright.lookup.ListReconciliation;
import io.shardwright.lookup.Reconciliation.Options;
import io.shardwright.lookup.Reconciliation.Report;
import io.shardwright.lookup.UniqueIndex;
import java.sql.SQLException;

/** How an index of either kind gets its entries, and how they are compared. */
sealed interface IndexUpkeep {

  /** Gives each row its entry, and repairs what differs. */
  Report fill(Options options) throws SQLException;

  Report compare(Options options) throws SQLException;

  /** One that guards its values. */
  record OfUnique(Indexes indexes, UniqueIndex index) implements IndexUpkeep {
    @Override
    public Report fill(Options options) throws SQLException {
      return compare(options);
    }

    @Override
    public Report compare(Options options) throws SQLException {
      return indexes.reconcile(index, options);
    }
  }

  /** One that lists rows. */
  record OfList(Feed feed, ListIndex index) implements IndexUpkeep {
    /** What is there from before, when triggers were missing, the comparison puts right. */
    @Override
    public Report fill(Options options) throws SQLException {
      ListReconciliation.copy(feed, index, options);
      return compare(options);
    }

    @Override
    public Report compare(Options options) throws SQLException {
      return ListReconciliation.compare(feed, index, options);
    }
  }
}
