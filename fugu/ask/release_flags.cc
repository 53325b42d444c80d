// The flags of a release.
#include "fugu/ask/flags.h"
#include "fugu/ask/release_texts.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kReleased = "What is released";
constexpr const char* kWritten = "Output";

constexpr FlagOf<ReleaseTexts> kReleaseFlags[] = {
    {Flag{"plan", kFile, "PLAN", kReleased, "release by this plan; its table is checked to be the same"}
         .python("release_file"),
     &ReleaseTexts::plan},
    {Flag{"new-data", kSwitch, "", kReleased, "the table is not the plan's: its counts are not compared"}
         .python("release release_file spark.release"),
     &ReleaseTexts::new_data},
    {Flag{"keep", kNames, "COL,...", kReleased, "carry columns along that the plan was calibrated against"}
         .python("release release_file statement spark.release"),
     &ReleaseTexts::keep},
    {Flag{"keep-unprotected", kNames, "COL,...", kReleased, "carry columns along, with no promise about them"}
         .python("release release_file statement spark.release"),
     &ReleaseTexts::keep_unprotected},
    {Flag{"publish-min", kPeople, "N", kReleased,
          "refuse to publish a category, an end of the range or a channel's value that fewer than N people "
          "share; 5 when not given, 1 publishes all"}
         .python("release release_file statement releaser picture spark.release"),
     &ReleaseTexts::publish_min},
    {Flag{"shuffle", kSwitch, "", kReleased,
          "rows in random order; needs the output's size and 16 bytes a row in memory"},
     &ReleaseTexts::shuffle}};

constexpr FlagOf<ReleaseOutput> kOutputFlags[] = {
    {Flag{"output", kFile, "FILE", kWritten,
          "the released table; .gz and .zst are compressed; - is standard output"}
         .lettered('o'),
     &ReleaseOutput::output},
    {Flag{"into", kWord, "NAME", kWritten,
          "a new table in the database that is read, in place of -o; its receipt and plan are files in the "
          "current folder"},
     &ReleaseOutput::into},
    {Flag{"force", kSwitch, "", kWritten, "replace existing files, or the table"}.python("release_file"),
     &ReleaseOutput::force}};

}  // namespace

template <>
std::span<const FlagOf<ReleaseTexts>> flags_of() {
  return kReleaseFlags;
}
template <>
std::span<const FlagOf<ReleaseOutput>> flags_of() {
  return kOutputFlags;
}

}  // namespace fugu::inline in_ask
