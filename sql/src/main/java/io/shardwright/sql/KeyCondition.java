package io.shardwright.sql;

import io.shardwright.routing.BucketId;
import io.shardwright.routing.KeyType;
import io.shardwright.sql.Conditions.Branch;
import io.shardwright.sql.Facts.ColumnRef;
import io.shardwright.sql.Facts.Domain;
import io.shardwright.sql.Facts.InList;
import io.shardwright.sql.Schema.LookupIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The route key values that the rows of one table occurrence can have.
 *
 * @param alternatives every matching row meets at least one of them
 * @param list when set, its n-th element stands for the n-th alternative, so that a shard needs
 *     only the elements whose buckets it owns
 */
record KeyCondition(
    Schema.Sharding sharding, List<KeyAlternative> alternatives, Optional<InList> list) {

  /**
   * More combinations of key values are not enumerated: the statement counts as one without a key.
   */
  static final int ALTERNATIVES_MAX = 20_000;

  static final String BUCKET_COLUMN = "bucket_id";

  private static final int OR_DEPTH_MAX = 3;

  /** True when parameters tell how many alternatives there are. */
  boolean isOpen() {
    return alternatives.stream().anyMatch(KeyAlternative::isOpen);
  }

  /**
   * Whether both name the same buckets, by the same list if by one: an equal list at another place
   * may hold in a subquery or in an ON alone, and is not to be cut, or paired, for this one.
   */
  boolean saysTheSame(KeyCondition other) {
    return alternatives.equals(other.alternatives) && list.equals(other.list);
  }

  /** The same with single values only; empty when they are too many or cannot be looked up now. */
  Optional<KeyCondition> bound(List<?> parameters, RouteContext context) {
    if (!isOpen()) {
      return Optional.of(this);
    }
    List<KeyAlternative> all = new ArrayList<>();
    for (KeyAlternative alternative : alternatives) {
      Optional<List<KeyAlternative>> bound = alternative.bound(sharding, parameters, context);
      if (bound.isEmpty() || all.size() + bound.get().size() > ALTERNATIVES_MAX) {
        return Optional.empty();
      }
      all.addAll(bound.get());
    }
    return Optional.of(new KeyCondition(sharding, all, Optional.empty()));
  }

  static List<List<Slot>> product(List<List<Slot>> tuples, List<Slot> values) {
    List<List<Slot>> result = new ArrayList<>(tuples.size() * values.size());
    for (List<Slot> tuple : tuples) {
      for (Slot value : values) {
        List<Slot> longer = new ArrayList<>(tuple);
        longer.add(value);
        result.add(longer);
      }
    }
    return result;
  }

  /** The buckets of each alternative, empty where no row can match. */
  List<Optional<BucketId>> buckets(List<?> parameters) {
    List<Optional<BucketId>> buckets = new ArrayList<>(alternatives.size());
    for (KeyAlternative alternative : alternatives) {
      buckets.add(alternative.bucket(sharding, parameters));
    }
    return buckets;
  }

  /** The buckets of all alternatives that rows can match. */
  NavigableSet<BucketId> bucketsThatExist(List<?> parameters) {
    NavigableSet<BucketId> buckets = new TreeSet<>();
    alternatives.forEach(
        alternative -> alternative.bucket(sharding, parameters).ifPresent(buckets::add));
    return buckets;
  }

  /** What the conditions say about the key of {@code source}; empty when they do not pin it. */
  static Optional<KeyCondition> of(Source source) {
    return new Search(source).find(source.facts, source.alternatives, 0);
  }

  /** What a condition on bucket_id alone says; empty when there is none beside a key. */
  static Optional<KeyCondition> ofBucket(Source source) {
    return new Search(source).byBucket(source.facts);
  }

  /**
   * Problem: OR conditions multiply. Idea: one OR whose every branch pins the key is enough, so the
   * ORs are tried one after the other, and combined only where each branch says something of the
   * key. Bounded by a budget of branches.
   */
  private static final class Search {
    private final Source source;
    private final Schema.Sharding sharding;
    private final List<ColumnRef> routing = new ArrayList<>();
    private int budget = ALTERNATIVES_MAX;

    Search(Source source) {
      this.source = source;
      this.sharding = source.sharding().orElseThrow();
      sharding.key().forEach(column -> routing.add(source.column(column)));
      sharding.id().ifPresent(id -> routing.add(source.column(id.column())));
      sharding.numbers().forEach(number -> routing.add(source.column(number.column())));
      routing.add(source.column(BUCKET_COLUMN));
      indexes().forEach(index -> index.columns().forEach(c -> routing.add(source.column(c))));
    }

    private List<LookupIndex> indexes() {
      return source.table.orElseThrow().indexes();
    }

    Optional<KeyCondition> find(Facts facts, List<List<Branch>> ors, int depth) {
      Optional<KeyCondition> direct =
          byKey(facts)
              .or(() -> byGene(facts))
              .or(() -> byBucket(facts))
              .or(() -> byNumber(facts))
              .or(() -> byIndex(facts));
      if (direct.isPresent() || depth == OR_DEPTH_MAX) {
        return direct;
      }
      for (List<Branch> branches : ors) {
        Optional<KeyCondition> pinned = byBranches(facts, ors, branches, depth);
        if (pinned.isPresent()) {
          return pinned;
        }
      }
      return Optional.empty();
    }

    private Optional<KeyCondition> byBranches(
        Facts facts, List<List<Branch>> ors, List<Branch> branches, int depth) {
      List<KeyAlternative> all = new ArrayList<>();
      for (Branch branch : branches) {
        if (--budget < 0) {
          return Optional.empty();
        }
        Facts branchFacts = facts.copy();
        List<List<Branch>> branchOrs = new ArrayList<>(ors);
        branchOrs.remove(branches);
        branch.add(branchFacts, branchOrs);
        if (branchOrs.size() < ors.size() && !saysMore(branchFacts, facts)) {
          // What pins the key here is in the other ORs, which are tried by themselves.
          return Optional.empty();
        }
        Optional<KeyCondition> pinned = find(branchFacts, branchOrs, depth + 1);
        if (pinned.isEmpty()) {
          return Optional.empty();
        }
        all.addAll(pinned.get().alternatives());
      }
      return all.size() > ALTERNATIVES_MAX
          ? Optional.empty()
          : Optional.of(new KeyCondition(sharding, all, Optional.empty()));
    }

    private boolean saysMore(Facts now, Facts before) {
      return now.equations() > before.equations()
          || routing.stream().anyMatch(column -> !now.domain(column).equals(before.domain(column)));
    }

    private Optional<KeyCondition> byGene(Facts facts) {
      return sharding
          .id()
          .flatMap(id -> facts.domain(source.column(id.column())))
          .filter(domain -> domain.values().size() <= ALTERNATIVES_MAX)
          .map(
              domain ->
                  new KeyCondition(
                      sharding,
                      domain.values().stream()
                          .<KeyAlternative>map(KeyAlternative.Gene::new)
                          .toList(),
                      domain.list()));
    }

    private Optional<KeyCondition> byBucket(Facts facts) {
      return facts
          .domain(source.column(BUCKET_COLUMN))
          .filter(domain -> domain.values().size() <= ALTERNATIVES_MAX)
          .map(
              domain ->
                  new KeyCondition(
                      sharding,
                      domain.values().stream()
                          .<KeyAlternative>map(KeyAlternative.Bucket::new)
                          .toList(),
                      domain.list()));
    }

    private Optional<KeyCondition> byNumber(Facts facts) {
      for (Schema.NumberColumn number : sharding.numbers()) {
        Optional<Domain> domain =
            facts
                .domain(source.column(number.column()))
                .filter(d -> d.values().size() <= ALTERNATIVES_MAX)
                .filter(
                    d ->
                        d.values().stream()
                            .noneMatch(s -> IndexedValues.mayChange(s, KeyType.TEXT)));
        if (domain.isPresent()) {
          List<KeyAlternative> alternatives =
              domain.get().values().stream()
                  .<KeyAlternative>map(text -> new KeyAlternative.CarriedKey(number, text))
                  .toList();
          return Optional.of(new KeyCondition(sharding, alternatives, domain.get().list()));
        }
      }
      return Optional.empty();
    }

    private Optional<KeyCondition> byIndex(Facts facts) {
      for (LookupIndex index : indexes()) {
        Optional<IndexedValues> values =
            IndexedValues.of(source, facts, index.columns(), index.types());
        if (values.isPresent()) {
          KeyAlternative lookup = new KeyAlternative.Lookup(index, values.get());
          return Optional.of(new KeyCondition(sharding, List.of(lookup), Optional.empty()));
        }
      }
      return Optional.empty();
    }

    private KeyAlternative key(List<Slot> components) {
      return sharding.entries().isPresent()
          ? new KeyAlternative.Entries(components)
          : new KeyAlternative.Key(components);
    }

    private Optional<KeyCondition> byKey(Facts facts) {
      List<List<Slot>> tuples = List.of(List.of());
      Optional<InList> list = Optional.empty();
      int severalValued = 0;
      for (String column : sharding.key()) {
        Optional<Domain> domain = facts.domain(source.column(column));
        if (domain.isEmpty()
            || (long) tuples.size() * domain.get().values().size() > ALTERNATIVES_MAX) {
          return Optional.empty();
        }
        if (domain.get().weight() > 1) {
          severalValued++;
          list = domain.get().list();
        }
        tuples = product(tuples, domain.get().values());
      }
      return Optional.of(
          new KeyCondition(
              sharding,
              tuples.stream().<KeyAlternative>map(this::key).toList(),
              severalValued == 1 ? list : Optional.empty()));
    }
  }
}
