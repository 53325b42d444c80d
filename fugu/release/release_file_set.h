// The files of a release appear together: whatever ends the program, no table stands beside the receipt or
// the plan of another release, and where one of them cannot appear, none does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fugu/plan/plan.h"

namespace fugu::inline in_release {

// Files of an earlier release that are to be replaced, out of the way until the new table has appeared; else
// they are put back. A process that is killed meanwhile leaves them as PATH.PID-K.
class SetAside {
 public:
  SetAside() = default;
  ~SetAside();
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;

  // Nothing when it does not exist. Error (io).
  void add(const std::string& path);
  // The same, unless it holds the plan that is `kept`.
  void add_plan(const std::string& path, const Plan* kept);
  // For good.
  void remove();

 private:
  std::vector<std::pair<std::string, std::string>> moved_;  // from, to
};

}  // namespace fugu::inline in_release
