package io.shardwright.advisor.review;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of the review, each with the checks that look for it. Ids are stable: declarations and
 * CI name them. A rule without checks is one that no program can see.
 */
public enum Rule {
  // Long because: the rules are one table.

  P01(
      Section.PITFALLS,
      "Bucket key, order inside a shard, primary key, other ways to a row and read copies are"
          + " decided one by one",
      "which ways and copies there are beside the key",
      ConfigurationChecks::waysWithoutKey,
      ConfigurationChecks::readPaths,
      DatabaseChecks::primaryKeys),
  P02(
      Section.PITFALLS,
      "The number of shards is no part of the route: keys go to fixed buckets, buckets to shards",
      "how the route stays when shards are added",
      ConfigurationChecks::buckets,
      ConfigurationChecks::versionedMap),
  P03(
      Section.PITFALLS,
      "Ids name at most a bucket and a version, never a shard or a database",
      "what is in the ids",
      ConfigurationChecks::issuedIds),
  P04(
      Section.PITFALLS,
      "Questions over all shards are asked of all at once, with a bound of time and rows",
      "how questions over all shards are asked and bounded",
      GatewayChecks::gateway,
      ConfigurationChecks::scatterPolicy,
      LogChecks::unbounded),
  P05(
      Section.PITFALLS,
      "Every order of pages ends with something unique",
      "what ends the orders of pages",
      GatewayChecks::stableOrder,
      LogChecks::tieBreaks),
  P06(
      Section.PITFALLS,
      "Nothing pages or exports by OFFSET",
      "how lists are paged and exported",
      GatewayChecks::exports,
      LogChecks::offsets),
  P07(
      Section.PITFALLS,
      "The time of the last change does not stand in for the time of the event",
      "which time each figure counts by",
      GatewayChecks::timeColumns,
      LogChecks::changedAsCreated),
  P08(
      Section.PITFALLS,
      "Copies for reading take a change only if it is newer than what they have",
      "the version by which each copy refuses older changes, and how it is filled anew",
      ConfigurationChecks::copies),
  P09(
      Section.PITFALLS,
      "What is derived is compared with its source, and mended",
      "how and how often each copy is compared",
      ConfigurationChecks::reconciliation,
      DatabaseChecks::comparisons),
  P10(
      Section.PITFALLS,
      "Tables that belong together are on one shard; others are not joined over shards",
      "which tables are joined",
      LogChecks::joins,
      DatabaseChecks::foreignKeys),
  P11(
      Section.PITFALLS,
      "Partitions inside a shard are few, of the size in which data is dropped",
      "the number of partitions and why",
      DatabaseChecks::partitions),
  P12(
      Section.PITFALLS,
      "One machine is known not to be enough",
      "the figures: rows, bytes, writes in a second, growth, and what else was tried",
      LoadChecks::size),

  Q01(
      Section.CHECKLIST,
      "Do nearly all transactions bring the key, from a source that can be trusted?",
      "where each caller takes the key from",
      LogChecks::writesHaveKey,
      LogChecks::coverage),
  Q02(
      Section.CHECKLIST,
      "Does the key of a row never change, or how does its row move?",
      "that the key never changes, or the protocol by which a row moves",
      LogChecks::keyIsStable),
  Q03(
      Section.CHECKLIST,
      "Are the number of buckets, the versions of the map and the end of cached maps settled?",
      "how caches of the map end",
      ConfigurationChecks::buckets,
      ConfigurationChecks::versionedMap,
      DatabaseChecks::mapVersion,
      DatabaseChecks::fences),
  Q04(
      Section.CHECKLIST,
      "Are ids unique over all shards, and does an id lead to its shard?",
      "what issues ids and how a row is found by one",
      ConfigurationChecks::issuedIds,
      ConfigurationChecks::waysWithoutKey,
      DatabaseChecks::sequences),
  Q05(
      Section.CHECKLIST,
      "What becomes of giants: users, tenants and promotions far above the mean?",
      "the largest keys and their plan",
      LogChecks::hottestKey,
      LoadChecks::giants,
      LoadChecks::evenTraffic),
  Q06(
      Section.CHECKLIST,
      "Which way go the list of one owner, the single row, and the question over all by time?",
      "the way of each",
      LogChecks::coverage,
      ConfigurationChecks::waysWithoutKey,
      ConfigurationChecks::readPaths),
  Q07(
      Section.CHECKLIST,
      "Do indexes in the shards fit what is asked: equal columns, then the range, in its order?",
      "which index serves which question",
      DatabaseChecks::indexes),
  Q08(
      Section.CHECKLIST,
      "Are times UTC, and ranges without their end?",
      "the time zone and the bounds of every interface",
      GatewayChecks::timeBounds,
      LogChecks::closedRanges),
  Q09(
      Section.CHECKLIST,
      "Does paging go on behind the last row, by a cursor of several columns?",
      "what cursors hold",
      GatewayChecks::stableOrder,
      LogChecks::offsets,
      LogChecks::tieBreaks),
  Q10(
      Section.CHECKLIST,
      "Does anybody need exact totals over all shards?",
      "who needs them, and where they come from",
      LogChecks::exactCounts),
  Q11(
      Section.CHECKLIST,
      "How long may a range of time be, how large an export?",
      "the bounds of each interface",
      GatewayChecks::spans,
      GatewayChecks::exports),
  Q12(
      Section.CHECKLIST,
      "Does each interface say how fresh it is, as of when, and what it does without a shard?",
      "freshness and partial answers of each interface",
      GatewayChecks::completeness),
  Q13(
      Section.CHECKLIST,
      "Can change capture be replayed, and do its readers go by versions?",
      "how far back changes can be replayed, and by which version readers go",
      ConfigurationChecks::copies),
  Q14(
      Section.CHECKLIST,
      "Are rows and copies compared all the time, by bucket or time, and mended where they differ?",
      "what is compared, how often, and who mends it",
      ConfigurationChecks::reconciliation,
      DatabaseChecks::comparisons),
  Q15(
      Section.CHECKLIST,
      "What is refused or reduced when a shard is slow or gone, or the gateway has too much to do?",
      "what each interface does then",
      GatewayChecks::overload,
      ConfigurationChecks::scatterPolicy),
  Q16(
      Section.CHECKLIST,
      "Have more and fewer shards, schema changes, restore and moving old data been rehearsed?",
      "when each was rehearsed, by whom, and what it took"),

  K1(
      Section.KEY,
      "Even spread comes before coverage: shards within a tenth of each other",
      "how the key spreads",
      LoadChecks::evenRows,
      LogChecks::evenKeys),
  K2(
      Section.KEY,
      "What the key does not cover, a second index or a number that names the bucket does",
      "the way of statements without the key",
      LogChecks::coverage,
      DatabaseChecks::lookupIndexes),
  K3(
      Section.KEY,
      "A second column in the key is there because statements bring it, not to hide a hot one",
      "why the key has several columns",
      LogChecks::wholeKey),
  K4(
      Section.KEY,
      "Before the start the load of the largest keys, twenty times over, is tried with real data",
      "date, data and result of the load test"),

  C1(
      Section.QUESTIONS,
      "What do most statements ask by? That column is the key, or leads to it",
      "what most statements ask by",
      LogChecks::mostFixedColumn),
  C2(
      Section.QUESTIONS,
      "Is it even with real, lopsided data? The fullest shard is nowhere near ten times the"
          + " emptiest",
      "the simulation and its data",
      LoadChecks::rowsRatio,
      LogChecks::evenKeys),
  C3(
      Section.QUESTIONS,
      "Does the condition of a statement alone decide its shard?",
      "which statements decide it and which do not",
      LogChecks::oneShard),

  D01(
      Section.DESIGN,
      "The number of shards follows from measured capacity with room to grow, fail over and"
          + " rebuild",
      "capacity of a shard, expected rows and writes, room left",
      LoadChecks::size),
  D02(
      Section.DESIGN,
      "Every entrance carries the key: requests, messages, callbacks, cache keys, audit logs",
      "each entrance and where its key comes from"),
  D03(
      Section.DESIGN,
      "Traffic is as even as rows are: many keys can still be lopsided",
      "traffic by shard and by key",
      LoadChecks::evenTraffic,
      LogChecks::evenKeys),
  D04(
      Section.DESIGN,
      "Rows that are read or written together have one key and are on one shard",
      "which tables belong together",
      LogChecks::localTransactions,
      LogChecks::joins,
      DatabaseChecks::foreignKeys),
  D05(
      Section.DESIGN,
      "The key is a fact of the row's birth, no status, rank or region that changes",
      "why the key cannot change",
      LogChecks::keyIsStable,
      DatabaseChecks::keys),
  D06(
      Section.DESIGN,
      "Two steps: a stable hash to fixed buckets, a map with versions to shards",
      "both steps, and what changes the map",
      ConfigurationChecks::buckets,
      ConfigurationChecks::versionedMap,
      ConfigurationChecks::mover),
  D07(
      Section.DESIGN,
      "Bytes, hash and sign of a key are the same everywhere, and rows are where the hash says",
      "how other programs compute the bucket",
      DatabaseChecks::placement),
  D08(
      Section.DESIGN,
      "Ids are issued for all shards together, not by each for itself",
      "what issues ids",
      ConfigurationChecks::issuedIds,
      DatabaseChecks::sequences),
  D09(
      Section.DESIGN,
      "A request that has an id alone still finds its shard",
      "how a row is found by each id",
      ConfigurationChecks::waysWithoutKey,
      LogChecks::coverage),
  D10(
      Section.DESIGN,
      "Bits in ids have room: for more buckets, for another version of the format",
      "how the format can grow",
      ConfigurationChecks::genes),
  D11(
      Section.DESIGN,
      "An index that routes is as dependable as the rows: in use, complete, never guessed around",
      "how it is kept",
      DatabaseChecks::lookupIndexes,
      ConfigurationChecks::indexReconciliation),
  D12(
      Section.DESIGN,
      "Each unique constraint has a scope that holds after sharding",
      "the scope of each constraint",
      DatabaseChecks::uniques),
  D13(
      Section.DESIGN,
      "Statements show the key plainly, without functions or casts around it",
      "which statements do not",
      LogChecks::plainKey,
      ConfigurationChecks::scatterPolicy),
  D14(
      Section.DESIGN,
      "Figures and orders over everything are not computed on the shards all the time",
      "where they are computed",
      LogChecks::figures,
      LoadChecks::scatteredTraffic),
  D15(
      Section.DESIGN,
      "A bucket has one writer at any instant: a shard refuses what is routed by an old map",
      "what refuses late writers",
      DatabaseChecks::fences),
  D16(
      Section.DESIGN,
      "Moves are verified by content and by rules of the business, not by counts",
      "what is compared",
      ConfigurationChecks::invariants,
      DatabaseChecks::movesCompared),
  D17(
      Section.DESIGN,
      "The way back keeps what was written since, and has been rehearsed",
      "when it was rehearsed",
      DatabaseChecks::wayBack),
  D18(
      Section.DESIGN,
      "Single rows that all write have a plan; what must be consistent is not split by a salt",
      "the hottest rows and their plan"),
  D19(
      Section.DESIGN,
      "Fail-over changes the server of a shard, not the owner of a bucket, and is rehearsed",
      "when it was rehearsed"),
  D20(
      Section.DESIGN,
      "Load is measured by shard and bucket, and statements by how many shards they ask",
      "what is measured",
      ConfigurationChecks::visibility),
  D21(
      Section.DESIGN,
      "A schema change reaches every shard, or is known to have stopped",
      "how schema changes are run",
      DatabaseChecks::drift,
      DatabaseChecks::pendingDdl),
  D22(
      Section.DESIGN,
      "Jobs over all shards go in bounded steps that can be repeated",
      "how jobs go through all shards",
      LogChecks::writesHaveKey,
      LogChecks::unbounded),

  L1(
      Section.LOOKUPS,
      "Before the key is fixed, every kind of statement is listed, with its way or its bound",
      "the list and who checked it",
      LogChecks::cycle,
      LogChecks::inventory),
  L2(
      Section.LOOKUPS,
      "Statements to all shards are seen before they hurt: logged, counted, alarmed",
      "what raises the alarm",
      ConfigurationChecks::visibility,
      LoadChecks::scatteredTraffic),
  L3(
      Section.LOOKUPS,
      "Uniqueness that one database gave by a constraint is given by an index or by the issuer",
      "what makes each number unique",
      ConfigurationChecks::vouched,
      DatabaseChecks::uniques),
  L4(
      Section.LOOKUPS,
      "The load test has statements without the key, at the real number of shards",
      "date and result of the load test"),
  L5(
      Section.LOOKUPS,
      "Entries of an index that are missing are found and made",
      "how they are found",
      ConfigurationChecks::indexReconciliation,
      DatabaseChecks::indexComparisons),
  L6(
      Section.LOOKUPS,
      "Ids from before the format are told apart from those that name their bucket",
      "how old ids are routed",
      DatabaseChecks::genes),
  L7(
      Section.LOOKUPS,
      "Ids that outsiders see tell neither the number of rows nor the layout",
      "what outsiders see");

  /** What a rule belongs to. */
  public enum Section {
    PITFALLS("Twelve pitfalls"),
    CHECKLIST("Sixteen questions before going live"),
    KEY("Choosing the key"),
    QUESTIONS("Three questions to a key"),
    DESIGN("Design and operation"),
    LOOKUPS("Rows that are asked for without the key");

    private final String title;

    Section(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  private interface Check {
    List<Observation> look(Facts facts);
  }

  private final Section section;
  private final String text;
  private final String question;

  // An unmodifiable list of functions without state.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Check> checks;

  /**
   * @param question what people declare
   */
  Rule(Section section, String text, String question, Check... checks) {
    this.section = section;
    this.text = text;
    this.question = question;
    this.checks = List.of(checks);
  }

  public String id() {
    return name();
  }

  public Section section() {
    return section;
  }

  public String text() {
    return text;
  }

  /** What a declaration of it tells. */
  public String question() {
    return question;
  }

  /** False when only people can know. */
  public boolean isSeen() {
    return !checks.isEmpty();
  }

  public static List<String> ids() {
    return Stream.of(values()).map(Rule::id).toList();
  }

  List<Observation> observe(Facts facts) {
    List<Observation> all = new ArrayList<>();
    checks.forEach(check -> all.addAll(check.look(facts)));
    return all.isEmpty()
        ? List.of(Observation.missing("no program can see it", "declare it: --declarations FILE"))
        : all;
  }
}
