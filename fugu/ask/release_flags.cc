// The flags of a release.
#include "fugu/ask/flags.h"
#include "fugu/ask/release_texts.h"

namespace fugu {
namespace {

using enum FlagKind;

constexpr const char* kReleased = "What is released";
constexpr const char* kWritten = "Output";

constexpr FlagOf<ReleaseTexts> kReleaseFlags[] = {
    {{.name = "plan",
      .kind = kFile,
      .value = "PLAN",
      .group = kReleased,
      .help = "release by this plan; its table is checked to be the same",
      .python = "release_file"},
     &ReleaseTexts::plan},
    {{.name = "new-data",
      .kind = kSwitch,
      .group = kReleased,
      .help = "the table is not the plan's: its counts are not compared",
      .python = "release release_file spark.release"},
     &ReleaseTexts::new_data},
    {{.name = "keep",
      .kind = kNames,
      .value = "COL,...",
      .group = kReleased,
      .help = "carry columns along that the plan was calibrated against",
      .python = "release release_file statement spark.release"},
     &ReleaseTexts::keep},
    {{.name = "keep-unprotected",
      .kind = kNames,
      .value = "COL,...",
      .group = kReleased,
      .help = "carry columns along, with no promise about them",
      .python = "release release_file statement spark.release"},
     &ReleaseTexts::keep_unprotected},
    {{.name = "publish-min",
      .kind = kPeople,
      .value = "N",
      .group = kReleased,
      .help = "refuse to publish a category, an end of the range or a channel's value that fewer than N "
              "people share; 5 when not given, 1 publishes all",
      .python = "release release_file statement releaser picture spark.release"},
     &ReleaseTexts::publish_min},
    {{.name = "shuffle",
      .kind = kSwitch,
      .group = kReleased,
      .help = "rows in random order; needs the output's size and 16 bytes a row in memory"},
     &ReleaseTexts::shuffle}};

constexpr FlagOf<ReleaseOutput> kOutputFlags[] = {
    {{.name = "output",
      .kind = kFile,
      .value = "FILE",
      .group = kWritten,
      .help = "the released table; .gz and .zst are compressed; - is standard output",
      .letter = 'o'},
     &ReleaseOutput::output},
    {{.name = "into",
      .value = "NAME",
      .group = kWritten,
      .help = "a new table in the database that is read, in place of -o; its receipt and plan are files in "
              "the current folder"},
     &ReleaseOutput::into},
    {{.name = "force",
      .kind = kSwitch,
      .group = kWritten,
      .help = "replace existing files, or the table",
      .python = "release_file"},
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

}  // namespace fugu
