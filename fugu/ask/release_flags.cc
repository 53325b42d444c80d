// The flags of a release.
#include "fugu/ask/flags.h"
#include "fugu/ask/release_texts.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kReleased = "What is released";
constexpr const char* kWritten = "Output";
constexpr const char* kSpending = "Budget";

constexpr FlagOf<ReleaseTexts> kReleaseFlags[] = {
    {Flag{"plan", kFile, "PLAN", kReleased, "release by this plan; fugu checks that the table is the plan's"}
         .everyday("release")
         .python("release_file")
         .in_job("-"),
     &ReleaseTexts::plan},
    {Flag{"new-data", kSwitch, "", kReleased, "the table is newer than the plan: its counts are not compared"}
         .python("release release_file spark.release")
         .in_job("-"),
     &ReleaseTexts::new_data},
    {Flag{"nearest", kSwitch, "", kReleased,
          "with --new-data: release a row that the plan does not have as the nearest row that it has, if the "
          "plan has each of its values"}
         .in_job("-"),
     &ReleaseTexts::nearest},
    {Flag{"keep", kNames, "COL,...", kReleased,
          "also write these columns, which the plan was calibrated against with --given"}
         .python("release release_file statement spark.release"),
     &ReleaseTexts::keep},
    {Flag{"keep-unprotected", kNames, "COL,...", kReleased,
          "also write these columns, with no promise about them"}
         .python("release release_file statement spark.release"),
     &ReleaseTexts::keep_unprotected},
    {Flag{"publish-min", kPeople, "N", kReleased,
          "refuse to publish a category, an end of the range or a channel's value that fewer than N people "
          "share; default 5; 1 publishes all"}
         .python("release release_file statement releaser picture spark.release"),
     &ReleaseTexts::publish_min},
    {Flag{"shuffle", kSwitch, "", kReleased,
          "write the rows in random order, as rows that trade places are unless --keep-order; rows beyond 1 "
          "GiB wait in TMPDIR"},
     &ReleaseTexts::shuffle},
    {Flag{"keep-order", kSwitch, "", kReleased,
          "rows that trade places stay in the table's order, which must reveal nothing about them"}
         .python("release release_file"),
     &ReleaseTexts::keep_order}};

constexpr FlagOf<ReleaseOutput> kOutputFlags[] = {
    {Flag{"output", kFile, "FILE", kWritten,
          "the released table; .gz and .zst are compressed; - is standard output"}
         .everyday("release")
         .in_job("outputs", "release")
         .lettered('o'),
     &ReleaseOutput::output},
    {Flag{"into", kWord, "NAME", kWritten,
          "a new table in the database that is read, instead of -o; its receipt and plan are files in the "
          "current folder"}
         .in_job("outputs"),
     &ReleaseOutput::into},
    {Flag{"force", kSwitch, "", kWritten, "replace existing files, or the table"}
         .everyday("release")
         .python("release_file")
         .in_job("-"),
     &ReleaseOutput::force}};

constexpr FlagOf<LedgerTexts> kLedgerFlags[] = {
    {Flag{"ledger", kFile, "FILE", kSpending,
          "count the release in this ledger, and refuse it if it would exceed the budget"}
         .everyday("release studio ledger")
         .in_job("ledger", "file")
         .python("release release_file spark.release"),
     &LedgerTexts::path},
    {Flag{"dataset", kWord, "NAME", kSpending,
          "whose budget it is: use one name for all releases about the same people"}
         .everyday("release studio ledger"),
     &LedgerTexts::dataset},
    {Flag{"budget", kNumber, "E", kSpending,
          "the epsilon that all releases of the dataset and secret may spend together; set once, at the "
          "first release"}
         .everyday("release studio ledger"),
     &LedgerTexts::budget},
    {Flag{"budget-delta", kNumber, "D", kSpending, "the same for delta; default 0"},
     &LedgerTexts::budget_delta},
    {Flag{"values-unchanged", kSwitch, "", kSpending,
          "you confirm that nobody's value has changed since the column's first release in the dataset; "
          "needed when the rows are not the same in the same order, unless the releases add up whatever the "
          "values are; the receipt repeats it"}
         .in_job("-"),
     &LedgerTexts::values_unchanged}};

}  // namespace

template <>
std::span<const FlagOf<ReleaseTexts>> flags_of() {
  return kReleaseFlags;
}
template <>
std::span<const FlagOf<ReleaseOutput>> flags_of() {
  return kOutputFlags;
}
template <>
std::span<const FlagOf<LedgerTexts>> flags_of() {
  return kLedgerFlags;
}

}  // namespace fugu::inline in_ask
