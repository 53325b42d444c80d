#include "fugu/release/kept_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/core/error.h"
#include "fugu/count/column_kind.h"

namespace fugu::inline in_release {

void check_keeps_given(const Source& source, const std::vector<std::string>& names) {
  const std::set<std::string> kept(names.begin(), names.end()),
      given(source.given.begin(), source.given.end());
  for (const std::string& name : kept) {
    if (std::find(source.known.begin(), source.known.end(), name) != source.known.end())
      throw usage("--keep: known columns are written in any case", "leave out --keep");
    if (!given.contains(name)) {
      throw usage(
          fmt::format("--keep: the plan was not calibrated against {}",
                      source.header ? "column '" + name + "'" : "column " + name),
          "calibrate with it among --given; --keep-unprotected writes a column without any promise about it");
    }
  }
  for (const std::string& name : source.published) {
    if (kept.contains(name)) {
      throw usage(fmt::format("--keep: {} is released, and would be written twice",
                              source.header ? "column '" + name + "'" : "column " + name),
                  "to write it unchanged, calibrate with it among --known");
    }
  }
  if (kept != given) {
    throw usage("--keep: the plan was calibrated against several columns together, and some are missing here",
                fmt::format("keep {}, or calibrate against fewer", fmt::join(source.given, ",")));
  }
  if (!source.merged.empty() || !source.left_out.empty()) {
    throw usage(
        fmt::format(
            "--keep: the plan does not cover {} of the groups of the kept columns: they are too small",
            source.merged.size() + source.left_out.size()),
        "calibrate against fewer or coarser columns, or with a lower --min-group");
  }
}

std::string unprotected_warning(const std::vector<std::string>& names, const std::string& person) {
  if (names.empty()) return "";
  std::string numbers;
  for (const std::string& name : names) {
    if (name == person || may_name_people(name)) {
      numbers += fmt::format(
          "; whoever knows a person's {} finds that person's row, and the released value in it", name);
    }
  }
  return numbers.insert(
      0,
      fmt::format(
          "--keep-unprotected: {} {} released exactly as {}: nothing is promised about what {} of the secret",
          fmt::join(names, ", "), names.size() == 1 ? "is" : "are", names.size() == 1 ? "it is" : "they are",
          names.size() == 1 ? "it says" : "they say"));
}

}  // namespace fugu::inline in_release
